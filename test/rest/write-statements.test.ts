/**
 * Number of SQL statements of a write, including everything that its request does: authentication, rules, the write, the response. BEGIN and COMMIT
 * are not counted.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, statementsOf, type TestBoard } from "../support/board.js";
import type { Answer, Client, Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let member: TestUser;
beforeAll(async () => {
  test = await startBoard({ VERSION_MERGE_MINUTES: "60", UPLOADS_PER_DAY: "1000" });
  member = await test.make.user("Member");
  await test.make.post("night sky star moon");
});
afterAll(() => test[Symbol.asyncDispose]());

/** BEGIN and COMMIT, of a request with one transaction. */
const BOUNDARIES = 2;

/** What a write is made on. */
interface Stage {
  client: Client;
  post: number;
  other: number;
}
type Write = (stage: Stage) => Promise<Answer>;

const edit =
  (post: Params): Write =>
  ({ client, post: id }) =>
    client.put(`/posts/${id}.json`, { post });
const vote: Write = ({ client, post }) => client.post(`/posts/${post}/votes.json`, { score: "up" });
const favorite: Write = ({ client, post }) => client.post("/favorites.json", { post_id: post });
const comment: Write = ({ client, post }) =>
  client.post("/comments.json", { comment: { post_id: post, body: "text" } });
const note: Write = ({ client, post }) =>
  client.post("/notes.json", { note: { post_id: post, x: 0, y: 0, width: 1, height: 1, body: "text" } });
const flag: Write = ({ client, post }) =>
  client.post("/post_flags.json", { post_flag: { post_id: post, reason: "text" } });
let pools = 0;
const pool: Write = ({ client, post }) =>
  client.post("/pools.json", { pool: { name: `pool_${(pools += 1)}`, description: "text", post_ids: String(post) } });

/** The most statements of each write, and what has to be there before it. */
const BUDGETS: Record<string, { most: number; write: Write; before?: Write }> = {
  "an edit of tags": { most: 4, write: edit({ tag_string: "night sky" }) },
  "an edit of tags that the process has not read yet": {
    most: 4,
    write: async (stage) => {
      const { id } = await test.make.post("unread_one unread_two");
      return edit({ tag_string: "unread_one" })({ ...stage, post: id });
    },
  },
  "an edit of tags that is merged into the last version": {
    most: 4,
    write: edit({ tag_string: "night moon" }),
    before: edit({ tag_string: "night sky" }),
  },
  "an edit that brings a new tag": { most: 6, write: edit({ tag_string: "night sky star brand_new" }) },
  "an edit that changes nothing": { most: 4, write: edit({ tag_string: "night sky star" }) },
  "an edit of the rating": { most: 4, write: edit({ rating: "e" }) },
  "an edit of the source": { most: 5, write: edit({ source: "a book" }) },
  "an edit with the parent as it is": { most: 5, write: edit({ tag_string: "night sky", parent_id: "" }) },
  "an edit that sets a parent": {
    most: 10,
    write: ({ client, post, other }) => client.put(`/posts/${post}.json`, { post: { parent_id: other } }),
  },
  "a vote": { most: 4, write: vote },
  "a vote taken back": {
    most: 4,
    write: ({ client, post }) => client.delete(`/posts/${post}/votes.json`),
    before: vote,
  },
  "a favorite": { most: 4, write: favorite },
  "a favorite no more": {
    most: 4,
    write: ({ client, post }) => client.delete(`/favorites/${post}.json`),
    before: favorite,
  },
  "a comment": { most: 7, write: comment },
  "a note": { most: 5, write: note },
  "a flag": { most: 7, write: flag },
  "a pool": { most: 6, write: pool },
  "an upload": {
    most: 13,
    write: async () =>
      test.make.upload(member, { tag_string: "night sky star", file: await test.make.picture(600, 600) }),
  },
};

describe("writes by a Member take at most their budget of statements", () => {
  it.each(Object.entries(BUDGETS))("%s", async (_name, { most, write, before }) => {
    const post = await test.make.post("night sky star");
    const other = await test.make.post("night");
    const stage = { client: member.client, post: post.id, other: other.id };
    await test.anonymous.get(`/posts/${post.id}.json`); // its tags are known to the process
    const prepared = before && (await before(stage));
    expect([200, undefined]).toContain(prepared?.status);
    const answer = await write(stage);
    expect([answer.status, answer.json.success]).toEqual([200, true]);
    const statements = (await statementsOf(test, answer.headers.get("x-request-id"))) - BOUNDARIES;
    expect(statements).toBeLessThanOrEqual(most);
  });
});
