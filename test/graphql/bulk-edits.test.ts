/** `updatePosts`: the same change to the tags of several posts, each in its own transaction. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MOST_EDITED } from "../../src/resources/posts/post-edit.service.js";
import { startBoard, statementsOf, type TestBoard } from "../support/board.js";
import type { Client } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { holdRow, PATIENCE } from "../support/held-table.js";

let test: TestBoard;
let user: TestUser;
beforeAll(async () => {
  test = await startBoard(PATIENCE);
  user = await test.make.user("Member");
});
afterAll(() => test[Symbol.asyncDispose]());

const MUTATION = `mutation ($input: UpdatePostsInput!) {
  updatePosts(input: $input) { posts { id tagString rating } refusals { postId code reason } } }`;
const edit = (postIds: number[], tagChanges: string, client: Client = user.client) =>
  client.graphql(MUTATION, { input: { postIds, tagChanges } });
const made = async (...tags: string[]): Promise<number[]> => {
  const ids = [];
  for (const each of tags) ids.push((await test.make.post(each)).id);
  return ids;
};
/** with the tag that every small picture gets */
const tagsOf = async (id: number) => (await test.anonymous.get(`/posts/${id}.json`)).json.tag_string as string;
const versionsOf = (postId: number) => test.board.database.postVersion.count({ where: { postId } });

describe("updatePosts", () => {
  it("adds and removes tags, and leaves all others as they are", async () => {
    const [one = 0, two = 0] = await made("harbour boat", "hills night");
    const { json } = await edit([one, two], "series -boat -nothing_such rating:q");
    expect(json.data.updatePosts).toEqual({
      posts: [
        { id: one, tagString: "harbour lowres series", rating: "QUESTIONABLE" },
        { id: two, tagString: "hills lowres night series", rating: "QUESTIONABLE" },
      ],
      refusals: [],
    });
    expect([await tagsOf(one), await versionsOf(one), await versionsOf(two)]).toEqual(["harbour lowres series", 2, 2]);
  });

  it("reports errors post by post, and edits the others", async () => {
    const [free = 0, locked = 0, banned = 0] = await made("one", "two", "three");
    await test.board.database.post.update({ where: { id: locked }, data: { isRatingLocked: true } });
    await test.board.database.post.update({ where: { id: banned }, data: { isBanned: true } });
    const { json } = await edit([2_000_000_000, locked, banned, free], "rating:e added");
    expect(json.data.updatePosts).toEqual({
      posts: [{ id: free, tagString: "added lowres one", rating: "EXPLICIT" }],
      refusals: [
        { postId: 2_000_000_000, code: "NOT_FOUND", reason: "not found" },
        { postId: locked, code: "LOCKED", reason: "rating is locked" },
        { postId: banned, code: "FORBIDDEN", reason: "access denied" },
      ],
    });
    expect([await tagsOf(locked), await tagsOf(banned), await versionsOf(locked)]).toEqual([
      "lowres two",
      "lowres three",
      1,
    ]);
  });

  it("edits a post once, however often it is named", async () => {
    const [id = 0] = await made("often");
    const { json } = await edit([id, id, id], "again");
    expect(json.data.updatePosts.posts).toHaveLength(1);
    expect(await versionsOf(id)).toBe(2);
  });

  it("downloads no files of sources", async () => {
    const [id = 0] = await made("sourced");
    await edit([id], "source:http://127.0.0.1:9/picture.png");
    const { json } = await test.anonymous.get(`/posts/${id}.json`);
    expect(json.source).toBe("http://127.0.0.1:9/picture.png");
  });

  it("403 for visitors and banned users, and nothing changes", async () => {
    const [id = 0] = await made("kept");
    const banned = await test.make.user("Member");
    await test.board.database.user.update({ where: { id: banned.id }, data: { isBanned: true } });
    for (const client of [test.anonymous, banned.client]) {
      const { json } = await edit([id], "changed", client);
      expect(json.errors[0].extensions.status).toBe(403);
    }
    expect(await tagsOf(id)).toBe("kept lowres");
  });

  it("edits no further post once the user is banned, which is reported for each", async () => {
    const [first = 0, second = 0, third = 0] = await made("first", "second", "third");
    const editor = await test.make.user("Member");
    await using held = await holdRow(test.board.databaseUrl, "posts", second);
    const answer = edit([first, second, third], "more", editor.client);
    await expect.poll(() => held.waiting()).toBe(1);
    await test.board.database.user.update({ where: { id: editor.id }, data: { isBanned: true } });
    await held[Symbol.asyncDispose]();
    const { posts, refusals } = (await answer).json.data.updatePosts;
    expect([posts.length, refusals]).toEqual([2, [{ postId: third, code: "FORBIDDEN", reason: "access denied" }]]);
    expect(await tagsOf(third)).toBe("lowres third");
  });

  it("424 for no posts, too many, or no change; 420 for a change that is too long", async () => {
    const [id = 0] = await made("still");
    const refused = async (...asked: [number[], string]) => (await edit(...asked)).json.errors[0].extensions;
    expect(await refused([], "x")).toMatchObject({ status: 424, reason: "post_ids is required" });
    expect(await refused([id], "  ")).toMatchObject({ status: 424, reason: "tag_changes is required" });
    const many = Array.from({ length: MOST_EDITED + 1 }, (_, index) => id + index);
    expect(await refused(many, "x")).toMatchObject({ status: 424, reason: "post_ids may have at most 100 values" });
    expect(await refused([id], "x".repeat(500_000))).toMatchObject({ status: 420 });
    expect(await tagsOf(id)).toBe("lowres still");
  });

  it("counts each post towards the hourly limit of edits, and reports those beyond it", async () => {
    await using limited = await startBoard({ POST_EDITS_PER_HOUR: "2" });
    const editor = await limited.make.user("Member");
    await limited.board.database.user.update({ where: { id: editor.id }, data: { createdAt: new Date(0) } });
    const ids = [];
    for (const name of ["a", "b", "c"]) ids.push((await limited.make.post(name)).id);
    const { json } = await edit(ids, "more", editor.client);
    expect(json.data.updatePosts.posts.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 2));
    const reason = "hourly limit of 2 edits of posts exceeded";
    expect(json.data.updatePosts.refusals).toEqual([{ postId: ids[2], code: "THROTTLED", reason }]);
    expect((await edit(ids, "more", editor.client)).json.errors[0].extensions.code).toBe("THROTTLED");
  });

  it("takes a constant number of statements for each further post", async () => {
    const ids = await made("s1", "s2", "s3", "s4", "s5", "s6");
    const statements = async (postIds: number[], tag: string) =>
      statementsOf(test, (await edit(postIds, tag)).headers.get("x-request-id"));
    await edit(ids, "known");
    const [one, two] = [await statements(ids.slice(0, 1), "x1 x2"), await statements(ids.slice(1, 3), "x1 x2")];
    expect(await statements(ids.slice(3, 6), "x1 x2")).toBeLessThanOrEqual(two + (two - one) + 3);
    expect(two - one).toBeLessThanOrEqual(30);
  });

  it("costs as much as the posts that it may return", async () => {
    const [id = 0] = await made("priced");
    const { json } = await edit([id], "cheap");
    expect(json.extensions.cost.requested).toBeGreaterThan(MOST_EDITED);
    const { json: board } = await user.client.graphql("{ board { maxPostsPerEdit viewerCan { editMany } } }");
    expect(board.data.board).toEqual({ maxPostsPerEdit: MOST_EDITED, viewerCan: { editMany: true } });
  });
});
