import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { makeForumPost, makeTopic, topicParams, topicRow } from "../support/forum.js";

let test: TestBoard;
let member: TestUser;
let contributor: TestUser;
let janitor: TestUser;
let moderator: TestUser;
beforeAll(async () => {
  test = await startBoard();
  member = await test.make.user();
  contributor = await test.make.user("Contributor");
  janitor = await test.make.user("Janitor");
  moderator = await test.make.user("Moderator");
});
afterAll(() => test[Symbol.asyncDispose]());

const update = (by: TestUser, id: number, forum_topic: Params) =>
  by.client.put(`/forum_topics/${id}.json`, { forum_topic });
const actionsOn = (id: number) =>
  test.board.database.modAction.findMany({
    where: { subjectType: "ForumTopic", subjectId: id },
    orderBy: { id: "asc" },
  });

describe("POST /forum_topics.json", () => {
  it("creates a topic with its first post", async () => {
    const { status, json, headers } = await member.client.post("/forum_topics.json", topicParams({ category_id: 2 }));
    expect(status).toBe(200);
    const { id, created_at, updated_at, ...rest } = json as Record<string, unknown>;
    expect(rest).toEqual({
      success: true,
      reason: "",
      title: "A question",
      category_id: 2,
      min_level: 0,
      response_count: 1,
      is_sticky: false,
      is_locked: false,
      is_deleted: false,
      creator_id: member.id,
      creator_name: member.name,
      updater_id: member.id,
      updater_name: member.name,
    });
    expect(created_at).toBe(updated_at);
    expect(headers.get("location")).toBe(`/forum_topics/${String(id)}`);
    const posts = await test.board.database.forumPost.findMany({ where: { topicId: Number(id) } });
    expect(posts).toMatchObject([{ body: "What is this?", creatorId: member.id, creatorIp: "127.0.0.1" }]);
  });

  it("is in category 0 by default, and returns the envelope in XML", async () => {
    const { text } = await member.client.post("/forum_topics.xml", topicParams({ title: "In XML" }));
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
    expect(await test.board.database.forumTopic.findFirst({ where: { title: "In XML" } })).toMatchObject({
      categoryId: 0,
    });
  });

  it.each([
    ["without a title", { title: undefined }, 424, "forum_topic[title] is required"],
    ["with a blank title", { title: " " }, 424, "forum_topic[title] is required"],
    [
      "without a first post",
      { original_post_attributes: undefined },
      424,
      "forum_topic[original_post_attributes][body] is required",
    ],
    [
      "with a first post without a text",
      { original_post_attributes: { text: "x" } },
      424,
      "forum_topic[original_post_attributes][body] is required",
    ],
    [
      "with a first post of blanks",
      { original_post_attributes: { body: " " } },
      424,
      "forum_topic[original_post_attributes][body] is required",
    ],
    ["of an unknown category", { category_id: 3 }, 424, "forum_topic[category_id] must be one of 0, 1, 2"],
    ["with too long a title", { title: "a".repeat(256) }, 420, "title is too long (at most 255 characters)"],
    [
      "with too long a first post",
      { original_post_attributes: { body: "a".repeat(80_001) } },
      420,
      "body is too long (at most 80000 characters)",
    ],
  ])("refuses one %s", async (_, attributes, status, reason) => {
    const { database } = test.board;
    const before = [await database.forumTopic.count(), await database.forumPost.count()];
    const answer = await member.client.post("/forum_topics.json", topicParams(attributes));
    expect([answer.status, answer.json.reason]).toEqual([status, reason]);
    expect([await database.forumTopic.count(), await database.forumPost.count()]).toEqual(before);
  });

  it("403 for visitors, and below Moderator for sticky, locked and hidden ones", async () => {
    const answers = [
      await test.anonymous.post("/forum_topics.json", topicParams()),
      await janitor.client.post("/forum_topics.json", topicParams({ is_sticky: "1" })),
      await janitor.client.post("/forum_topics.json", topicParams({ is_locked: "1" })),
      await janitor.client.post("/forum_topics.json", topicParams({ min_level: 20 })),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    const topic = topicParams({ is_sticky: "1", is_locked: "1", min_level: 40 });
    expect((await moderator.client.post("/forum_topics.json", topic)).json).toMatchObject({
      is_sticky: true,
      is_locked: true,
      min_level: 40,
    });
  });
});

describe("GET /forum_topics/{id}.json", () => {
  it("returns a topic, even a deleted one, in JSON and XML", async () => {
    const { id } = await makeTopic(test, member, { title: "Shown" });
    await member.client.delete(`/forum_topics/${id}.json`);
    expect((await test.anonymous.get(`/forum_topics/${id}.json`)).json).toMatchObject({ id, is_deleted: true });
    const { text } = await test.anonymous.get(`/forum_topics/${id}.xml`, { only: "id,title,category_id" });
    expect(text).toBe(
      `<?xml version="1.0" encoding="UTF-8"?><forum-topic><id type="integer">${id}</id><title>Shown</title><category-id type="integer">0</category-id></forum-topic>`,
    );
    expect((await test.anonymous.get("/forum_topics/99999.json")).status).toBe(404);
  });
});

describe("PUT /forum_topics/{id}.json", () => {
  it("is allowed to its creator and Janitors", async () => {
    const { id } = await makeTopic(test, member);
    const before = await topicRow(test, id);
    expect((await update(contributor, id, { title: "Mine now" })).status).toBe(403);
    expect((await test.anonymous.put(`/forum_topics/${id}.json`, { forum_topic: { title: "x" } })).status).toBe(403);
    expect(await topicRow(test, id)).toEqual(before);
    const own = await update(member, id, { title: " Another title ", category_id: 1 });
    expect(own.json).toMatchObject({ title: "Another title", category_id: 1, response_count: 1 });
    expect((await topicRow(test, id)).updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
    expect(await actionsOn(id)).toEqual([]);
    expect((await update(janitor, id, { title: "Better" })).json).toMatchObject({ updater_id: janitor.id });
    expect(await actionsOn(id)).toMatchObject([
      { category: "forum_topic_update", description: `edited forum topic #${id}`, creatorId: janitor.id },
    ]);
    expect((await update(janitor, 99999, { title: "x" })).status).toBe(404);
  });

  it("420 for a blank title; an edit that changes nothing keeps its time", async () => {
    const { id } = await makeTopic(test, member);
    const before = await topicRow(test, id);
    const blank = await update(member, id, { title: "" });
    expect([blank.status, blank.json.reason]).toEqual([420, "title can't be blank"]);
    expect((await update(member, id, { title: "A question", is_locked: "0", min_level: 0 })).status).toBe(200);
    expect(await topicRow(test, id)).toEqual(before);
  });

  it("lets only Moderators set sticky, lock and level, none above their own", async () => {
    const { id } = await makeTopic(test, janitor);
    for (const attributes of [{ is_sticky: "1" }, { is_locked: "1" }, { min_level: 35 }]) {
      expect((await update(janitor, id, { title: "x", ...attributes })).status).toBe(403);
    }
    const above = await update(moderator, id, { min_level: 50 });
    const none = await update(moderator, id, { min_level: 21 });
    expect([above.status, above.json.reason]).toEqual([420, "min_level is above your own level"]);
    expect([none.status, none.json.reason]).toEqual([420, "min_level is invalid"]);
    expect(await topicRow(test, id)).toMatchObject({
      title: "A question",
      isSticky: false,
      isLocked: false,
      minLevel: 0,
    });
    const set = await update(moderator, id, { is_sticky: "1", is_locked: "1", min_level: 35 });
    expect(set.json).toMatchObject({ is_sticky: true, is_locked: true, min_level: 35 });
  });
});

describe("a locked topic", () => {
  it("422 for its creator, but not for Janitors", async () => {
    const { id, postId } = await makeTopic(test, contributor);
    await update(moderator, id, { is_locked: "1" });
    const before = await topicRow(test, id);
    const refused = [
      await update(contributor, id, { title: "x" }),
      await contributor.client.delete(`/forum_topics/${id}.json`),
      await contributor.client.post("/forum_posts.json", { forum_post: { topic_id: id, body: "x" } }),
      await contributor.client.put(`/forum_posts/${postId}.json`, { forum_post: { body: "x" } }),
      await contributor.client.delete(`/forum_posts/${postId}.json`),
    ];
    expect(refused.map(({ status, json }) => [status, json.reason])).toEqual(
      refused.map(() => [422, "topic is locked"]),
    );
    expect(await topicRow(test, id)).toEqual(before);
    expect(await test.board.database.forumPost.count({ where: { topicId: id, isDeleted: false } })).toBe(1);
    await makeForumPost(janitor, id);
    expect((await update(janitor, id, { title: "Still open to the staff" })).status).toBe(200);
    expect((await janitor.client.delete(`/forum_posts/${postId}.json`)).status).toBe(200);
  });
});

describe("DELETE /forum_topics/{id}.json and POST /forum_topics/{id}/undelete.json", () => {
  it("is deleted by the creator, undeleted by a Janitor, and keeps its posts and position", async () => {
    const { id, postId } = await makeTopic(test, member);
    const before = await topicRow(test, id);
    expect((await contributor.client.delete(`/forum_topics/${id}.json`)).status).toBe(403);
    expect((await member.client.delete(`/forum_topics/${id}.json`)).json).toMatchObject({ id, is_deleted: true });
    expect((await update(member, id, { title: "x" })).status).toBe(403);
    const own = await member.client.post(`/forum_topics/${id}/undelete.json`);
    expect([own.status, (await topicRow(test, id)).isDeleted]).toEqual([403, true]);
    const back = await janitor.client.post(`/forum_topics/${id}/undelete.json`);
    expect(back.json).toMatchObject({ is_deleted: false, response_count: 1 });
    expect((await janitor.client.post(`/forum_topics/${id}/undelete.json`)).json).toEqual(back.json);
    expect((await topicRow(test, id)).updatedAt).toEqual(before.updatedAt);
    expect((await test.anonymous.get(`/forum_posts/${postId}.json`)).json.is_deleted).toBe(false);
    expect((await actionsOn(id)).map((each) => each.category)).toEqual(["forum_topic_undelete"]);
  });

  it("lets Janitors delete others' topics, with a mod action", async () => {
    const { id } = await makeTopic(test, member);
    expect((await janitor.client.delete(`/forum_topics/${id}.json`)).status).toBe(200);
    expect((await janitor.client.delete(`/forum_topics/${id}.json`)).status).toBe(200);
    expect((await actionsOn(id)).map((each) => [each.category, each.creatorId])).toEqual([
      ["forum_topic_delete", janitor.id],
    ]);
    expect((await janitor.client.delete("/forum_topics/99999.json")).status).toBe(404);
    expect((await janitor.client.post("/forum_topics/99999/undelete.json")).status).toBe(404);
  });
});
