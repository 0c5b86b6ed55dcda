import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import { forumPostRow, makeForumPost, makeTopic, type Topic, topicRow } from "../support/forum.js";

let test: TestBoard;
let opener: TestUser;
let member: TestUser;
let janitor: TestUser;
let topic: Topic;
beforeAll(async () => {
  test = await startBoard();
  opener = await test.make.user();
  member = await test.make.user();
  janitor = await test.make.user("Janitor");
  topic = await makeTopic(test, opener);
});
afterAll(() => test[Symbol.asyncDispose]());

const edit = (by: TestUser, id: number, body: string) =>
  by.client.put(`/forum_posts/${id}.json`, { forum_post: { body } });
const actionsOn = (id: number) =>
  test.board.database.modAction.findMany({
    where: { subjectType: "ForumPost", subjectId: id },
    orderBy: { id: "asc" },
  });

describe("POST /forum_posts.json", () => {
  it("posts a reply, and updates the topic's count, time and updater", async () => {
    const { status, json, headers } = await member.client.post("/forum_posts.json", {
      forum_post: { topic_id: topic.id, body: "An answer." },
    });
    expect(status).toBe(200);
    const { id, created_at, updated_at, ...rest } = json as Record<string, unknown>;
    expect(rest).toEqual({
      success: true,
      reason: "",
      topic_id: topic.id,
      body: "An answer.",
      is_deleted: false,
      creator_id: member.id,
      creator_name: member.name,
      updater_id: member.id,
      updater_name: member.name,
    });
    expect(created_at).toBe(updated_at);
    expect(headers.get("location")).toBe(`/forum_posts/${String(id)}`);
    const post = await forumPostRow(test, Number(id));
    expect(post.creatorIp).toBe("127.0.0.1");
    expect(await topicRow(test, topic.id)).toMatchObject({
      responseCount: 2,
      updatedAt: post.updatedAt,
      updaterId: member.id,
    });
  });

  it("returns the envelope in XML", async () => {
    const { text } = await member.client.post("/forum_posts.xml", { forum_post: { topic_id: topic.id, body: "x" } });
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
  });

  it.each([
    ["without a topic", { body: "x" }, 424, "forum_post[topic_id] is required"],
    ["with a topic that is no number", { topic_id: "x", body: "x" }, 424, "forum_post[topic_id] is invalid"],
    ["without a text", { topic_id: 1 }, 424, "forum_post[body] is required"],
    ["with a blank text", { topic_id: 1, body: " \n" }, 424, "forum_post[body] is required"],
    ["in a topic that isn't there", { topic_id: 99999, body: "x" }, 420, "topic does not exist"],
    [
      "with too long a text",
      { topic_id: 1, body: "a".repeat(80_001) },
      420,
      "body is too long (at most 80000 characters)",
    ],
    ["with a text that can't be stored", { topic_id: 1, body: "a\0" }, 420, "body is invalid"],
  ])("refuses one %s", async (_, forum_post, status, reason) => {
    const before = [await test.board.database.forumPost.count(), (await topicRow(test, topic.id)).responseCount];
    const answer = await member.client.post("/forum_posts.json", { forum_post });
    expect([answer.status, answer.json.reason]).toEqual([status, reason]);
    const after = [await test.board.database.forumPost.count(), (await topicRow(test, topic.id)).responseCount];
    expect(after).toEqual(before);
  });

  it("403 for visitors and restricted users", async () => {
    const restricted = await test.make.user("Restricted");
    const forum_post = { topic_id: topic.id, body: "x" };
    expect((await test.anonymous.post("/forum_posts.json", { forum_post })).status).toBe(403);
    expect((await restricted.client.post("/forum_posts.json", { forum_post })).status).toBe(403);
  });

  it("counts all of many concurrent replies", async () => {
    const { id } = await makeTopic(test, opener);
    await Promise.all(Array.from({ length: 8 }, () => makeForumPost(member, id)));
    expect((await topicRow(test, id)).responseCount).toBe(9);
  });
});

describe("PUT /forum_posts/{id}.json", () => {
  it("is allowed to its creator and Janitors, and keeps the topic's position", async () => {
    const { id: topicId } = await makeTopic(test, opener);
    const id = await makeForumPost(member, topicId);
    const before = await topicRow(test, topicId);
    const other = await test.make.user("Contributor");
    expect((await edit(other, id, "x")).status).toBe(403);
    expect((await edit(opener, id, "x")).status).toBe(403);
    expect((await forumPostRow(test, id)).body).toBe("An answer.");
    expect((await edit(member, id, "A better one.")).json).toMatchObject({
      body: "A better one.",
      updater_id: member.id,
    });
    expect((await edit(janitor, id, "The best.")).json).toMatchObject({
      creator_id: member.id,
      updater_id: janitor.id,
    });
    expect(await topicRow(test, topicId)).toEqual(before);
    expect((await actionsOn(id)).map((each) => [each.category, each.description, each.creatorId])).toEqual([
      ["forum_post_update", `edited forum post #${id}`, janitor.id],
    ]);
  });

  it("never moves a post to another topic; 420 for a blank text", async () => {
    const { id: topicId } = await makeTopic(test, opener);
    const id = await makeForumPost(member, topicId);
    const moved = await member.client.put(`/forum_posts/${id}.json`, { forum_post: { topic_id: topic.id, body: "x" } });
    expect([moved.status, moved.json.topic_id]).toEqual([200, topicId]);
    const blank = await edit(member, id, "");
    expect([blank.status, blank.json.reason]).toEqual([420, "body can't be blank"]);
    expect((await forumPostRow(test, id)).body).toBe("x");
    expect((await edit(member, 99999, "x")).status).toBe(404);
  });

  it("bumps the topic if the post is its first", async () => {
    const { id, postId } = await makeTopic(test, opener);
    const before = await topicRow(test, id);
    await edit(opener, postId, "What is that?");
    expect((await topicRow(test, id)).updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
  });
});

describe("DELETE /forum_posts/{id}.json and POST /forum_posts/{id}/undelete.json", () => {
  it("is allowed to the creator, and resets the topic's time to the newest remaining post", async () => {
    const { id: topicId, postId } = await makeTopic(test, opener);
    const id = await makeForumPost(member, topicId);
    expect((await opener.client.delete(`/forum_posts/${id}.json`)).status).toBe(403);
    expect((await member.client.delete(`/forum_posts/${id}.json`)).json).toMatchObject({ id, is_deleted: true });
    const { updatedAt } = await forumPostRow(test, postId);
    expect(await topicRow(test, topicId)).toMatchObject({
      updatedAt,
      updaterId: opener.id,
      responseCount: 2,
      isDeleted: false,
    });
    expect((await edit(member, id, "x")).status).toBe(403);
    expect((await member.client.post(`/forum_posts/${id}/undelete.json`)).status).toBe(403);
    expect((await test.anonymous.get(`/forum_posts/${id}.json`)).json).toMatchObject({
      id,
      is_deleted: true,
      body: "",
    });
    expect((await janitor.client.post(`/forum_posts/${id}/undelete.json`)).json.is_deleted).toBe(false);
    expect(await topicRow(test, topicId)).toMatchObject({ updaterId: janitor.id, responseCount: 2 });
    expect((await actionsOn(id)).map((each) => each.category)).toEqual(["forum_post_undelete"]);
  });

  it("shows the text only to the creator and to Janitors, who alone find it by its words", async () => {
    const { id: topic_id } = await makeTopic(test, opener);
    const id = await makeForumPost(member, topic_id, "Zymurgy, privately.");
    await janitor.client.delete(`/forum_posts/${id}.json`);
    const search = { body_matches: "zymurgy", is_deleted: "true" };
    const contributor = await test.make.user("Contributor");
    for (const [reader, body] of [
      [test.anonymous, ""],
      [contributor.client, ""],
      [member.client, "Zymurgy, privately."],
      [janitor.client, "Zymurgy, privately."],
    ] as const) {
      const listed = await reader.get("/forum_posts.json", { search: { topic_id, is_deleted: "true" } });
      const found = await reader.get("/forum_posts.json", { search });
      const shown = await reader.get(`/forum_posts/${id}.json`);
      expect([shown.json.body, listed.json[0].body, found.json.length]).toEqual([body, body, body === "" ? 0 : 1]);
    }
  });

  it("deletes the topic with its first post, but does not undelete it with it", async () => {
    const { id, postId } = await makeTopic(test, opener);
    const answer = await makeForumPost(member, id);
    expect((await opener.client.delete(`/forum_posts/${postId}.json`)).status).toBe(200);
    expect((await topicRow(test, id)).isDeleted).toBe(true);
    expect((await forumPostRow(test, answer)).isDeleted).toBe(false);
    expect((await janitor.client.post(`/forum_posts/${postId}/undelete.json`)).status).toBe(200);
    expect((await topicRow(test, id)).isDeleted).toBe(true);
  });

  it("changes nothing if it is deleted, or isn't, or has this text already", async () => {
    const { id: topicId } = await makeTopic(test, opener);
    const id = await makeForumPost(member, topicId, "Hm.");
    const state = async () => [await topicRow(test, topicId), await forumPostRow(test, id), await actionsOn(id)];
    const before = await state();
    expect((await janitor.client.post(`/forum_posts/${id}/undelete.json`)).json.is_deleted).toBe(false);
    expect((await edit(janitor, id, "Hm.")).status).toBe(200);
    expect(await state()).toEqual(before);
    await member.client.delete(`/forum_posts/${id}.json`);
    const deleted = await state();
    expect((await janitor.client.delete(`/forum_posts/${id}.json`)).json.is_deleted).toBe(true);
    expect(await state()).toEqual(deleted);
  });

  it("404 for unknown posts", async () => {
    expect((await janitor.client.delete("/forum_posts/99999.json")).status).toBe(404);
    expect((await janitor.client.post("/forum_posts/99999/undelete.json")).status).toBe(404);
  });
});
