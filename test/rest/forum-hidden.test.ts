import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client, Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { forumPostRow, makeForumPost, makeTopic, type Topic, topicRow } from "../support/forum.js";

let test: TestBoard;
let janitor: TestUser;
let moderator: TestUser;
let secret: Topic;
let answer: number;
beforeAll(async () => {
  test = await startBoard();
  janitor = await test.make.user("Janitor");
  moderator = await test.make.user("Moderator");
  secret = await makeTopic(test, janitor, { title: "Secret plans", original_post_attributes: { body: "Psst." } });
  answer = await makeForumPost(moderator, secret.id, "Quite secret.");
  await moderator.client.put(`/forum_topics/${secret.id}.json`, { forum_topic: { min_level: 40 } });
});
afterAll(() => test[Symbol.asyncDispose]());

const statusAndText = ({ status, text }: Answer): [number, string] => [status, text];
const count = async (client: Client, path: string, search: Params) =>
  ((await client.get(path, { search })).json as object[]).length;

describe("a topic above the viewer's level", () => {
  it("is in no list, nor are its posts, even if the viewer created it", async () => {
    for (const client of [test.anonymous, janitor.client]) {
      for (const search of [{}, { id: secret.id }, { title: "Secret plans" }, { creator_id: janitor.id }]) {
        expect(await count(client, "/forum_topics.json", search)).toBe(0);
      }
      for (const search of [
        {},
        { id: answer },
        { topic_id: secret.id },
        { body_matches: "secret" },
        { topic_title_matches: "secret" },
        { creator_id: janitor.id },
      ]) {
        expect(await count(client, "/forum_posts.json", search)).toBe(0);
      }
    }
    expect(await count(moderator.client, "/forum_topics.json", { id: secret.id })).toBe(1);
    expect(await count(moderator.client, "/forum_posts.json", { topic_id: secret.id })).toBe(2);
  });

  it("responds to every request as if it didn't exist", async () => {
    const asked = async (topicId: number, postId: number) => [
      await janitor.client.get(`/forum_topics/${topicId}.json`),
      await janitor.client.get(`/forum_posts/${postId}.json`),
      await janitor.client.put(`/forum_topics/${topicId}.json`, { forum_topic: { title: "x" } }),
      await janitor.client.put(`/forum_topics/${topicId}.json`, { forum_topic: { is_sticky: "1" } }),
      await janitor.client.delete(`/forum_topics/${topicId}.json`),
      await janitor.client.post(`/forum_topics/${topicId}/undelete.json`),
      await janitor.client.put(`/forum_posts/${postId}.json`, { forum_post: { body: "x" } }),
      await janitor.client.delete(`/forum_posts/${postId}.json`),
      await janitor.client.post(`/forum_posts/${postId}/undelete.json`),
      await janitor.client.post("/forum_posts.json", { forum_post: { topic_id: topicId, body: "x" } }),
    ];
    const hidden = (await asked(secret.id, answer)).map(statusAndText);
    expect(hidden).toEqual((await asked(99999, 99999)).map(statusAndText));
    expect(hidden.map(([status]) => status)).toEqual([404, 404, 404, 404, 404, 404, 404, 404, 404, 420]);
    expect(await topicRow(test, secret.id)).toMatchObject({
      title: "Secret plans",
      responseCount: 2,
      isDeleted: false,
    });
    expect(await forumPostRow(test, answer)).toMatchObject({ body: "Quite secret.", isDeleted: false });
  });

  it("is not counted, neither in GraphQL nor in a user's posts", async () => {
    const query = `{
      forumTopics { totalCount } forumPosts { totalCount }
      forumTopic(id: ${secret.id}) { id } forumPost(id: ${answer}) { id topic { id } } }`;
    const seen = await janitor.client.graphql(query);
    expect(seen.json.data).toEqual({
      forumTopics: { totalCount: 0 },
      forumPosts: { totalCount: 0 },
      forumTopic: null,
      forumPost: null,
    });
    const own = await moderator.client.graphql(query);
    expect(own.json.data).toMatchObject({ forumTopics: { totalCount: 1 }, forumPosts: { totalCount: 2 } });
    expect((await test.anonymous.get(`/users/${moderator.id}.json`)).json.forum_post_count).toBe(0);
  });

  it("is not in the mod actions", async () => {
    const before = await test.board.database.modAction.count();
    expect(
      (await moderator.client.put(`/forum_posts/${secret.postId}.json`, { forum_post: { body: "!" } })).status,
    ).toBe(200);
    expect((await moderator.client.delete(`/forum_topics/${secret.id}.json`)).status).toBe(200);
    expect((await moderator.client.post(`/forum_topics/${secret.id}/undelete.json`)).status).toBe(200);
    expect(await test.board.database.modAction.count()).toBe(before);
  });

  it("is hidden from a banned user of its level", async () => {
    const banned = await test.make.user("Moderator");
    await test.board.database.user.update({ where: { id: banned.id }, data: { isBanned: true } });
    const { status } = await banned.client.get(`/forum_topics/${secret.id}.json`);
    expect(status).toBe(404);
  });
});
