/** The numbers of comments, notes, flags and the like that searches of posts compare: they follow every write. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let member: TestUser;
let admin: TestUser;
beforeAll(async () => {
  test = await startBoard();
  [member, admin] = [await test.make.user("Contributor"), await test.make.user("Admin")];
});
afterAll(() => test[Symbol.asyncDispose]());

const make = async (): Promise<number> => (await test.make.post("counted")).id;

/** The numbers above zero of a post. */
async function numbers(postId: number): Promise<Record<string, number>> {
  const rows = await test.board.database.postCount.findMany({ where: { postId }, orderBy: { kind: "asc" } });
  return Object.fromEntries(rows.map(({ kind, number }) => [kind, number]));
}
/** Whether a search finds the post. */
const finds = async (postId: number, search: string): Promise<boolean> =>
  ((await test.anonymous.get("/posts.json", { tags: `id:${postId} ${search}` })).json as unknown[]).length === 1;

/** Runs a mutation as an Admin. */
async function moderate(mutation: string): Promise<void> {
  const { json } = await admin.client.graphql(`mutation { ${mutation} }`);
  expect(json.errors).toBeUndefined();
}

describe("the numbers of a post", () => {
  it("count its comments, and deleted ones apart", async () => {
    const post = await make();
    const comment = async (): Promise<number> =>
      (await member.client.post("/comments.json", { comment: { post_id: post, body: "text" } })).json.id as number;
    const [first] = [await comment(), await comment()];
    expect(await numbers(post)).toEqual({ comments: 2, active_comments: 2 });
    await member.client.delete(`/comments/${first}.json`);
    expect(await numbers(post)).toEqual({ comments: 2, active_comments: 1, deleted_comments: 1 });
    expect(await finds(post, "comment_count:2 active_comment_count:1 deleted_comment_count:1")).toBe(true);
    expect(await finds(post, "active_comment_count:2")).toBe(false);
    await admin.client.post(`/comments/${first}/undelete.json`);
    await member.client.put(`/comments/${first}.json`, { comment: { body: "another" } });
    expect(await numbers(post)).toEqual({ comments: 2, active_comments: 2 });
  });

  it("count its notes, and deleted ones apart", async () => {
    const [post, other] = [await make(), await make()];
    const note = { post_id: post, x: 0, y: 0, width: 1, height: 1, body: "text" };
    const { id } = (await member.client.post("/notes.json", { note })).json as { id: number };
    await member.client.post("/notes.json", { note });
    await member.client.delete(`/notes/${id}.json`);
    expect(await numbers(post)).toEqual({ notes: 2, active_notes: 1, deleted_notes: 1 });
    expect(await finds(post, "note_count:2 active_note_count:1 deleted_note_count:1")).toBe(true);
    await member.client.put(`/posts/${post}/copy_notes.json`, { other_post_id: other });
    expect(await numbers(other)).toEqual({ notes: 1, active_notes: 1 });
    await member.client.put(`/notes/${id}/revert.json`, { version_id: 1 });
    expect(await finds(post, "active_notes:2 deleted_notes:0")).toBe(true);
  });

  it("count its flags, appeals and approvals", async () => {
    const post = await make();
    await member.client.post("/post_flags.json", { post_flag: { post_id: post, reason: "text" } });
    await moderate(`approvePost(input: { id: ${post} }) { post { id } }`);
    await moderate(`deletePost(input: { id: ${post}, reason: "text" }) { post { id } }`);
    await member.client.post("/post_appeals.json", { post_appeal: { post_id: post, reason: "text" } });
    expect(await numbers(post)).toEqual({ flags: 2, appeals: 1, approvals: 1 });
    expect(await finds(post, "flag_count:2 appeals:>0 approval_count:1 status:any")).toBe(true);
  });

  it("count its children, and deleted ones apart", async () => {
    const [parent, other, first, second] = [await make(), await make(), await make(), await make()];
    const adopt = (child: number, by: number | "") =>
      member.client.put(`/posts/${child}.json`, { post: { parent_id: by } });
    await adopt(first, parent);
    await adopt(second, parent);
    expect(await numbers(parent)).toEqual({ children: 2, active_children: 2 });
    await moderate(`deletePost(input: { id: ${first}, reason: "text" }) { post { id } }`);
    expect(await numbers(parent)).toEqual({ children: 2, active_children: 1, deleted_children: 1 });
    await adopt(first, other);
    expect([await numbers(parent), await numbers(other)]).toEqual([
      { children: 1, active_children: 1 },
      { children: 1, deleted_children: 1 },
    ]);
    await adopt(second, "");
    await moderate(`expungePost(input: { id: ${first} }) { postId }`);
    expect([await numbers(parent), await numbers(other)]).toEqual([{}, {}]);
  });

  it("are gone with the post", async () => {
    const [post, child] = [await make(), await make()];
    await member.client.post("/comments.json", { comment: { post_id: post, body: "text" } });
    const note = { post_id: post, x: 0, y: 0, width: 1, height: 1, body: "text" };
    await member.client.post("/notes.json", { note });
    await member.client.put(`/posts/${child}.json`, { post: { parent_id: post } });
    expect(Object.keys(await numbers(post))).toHaveLength(6);
    await moderate(`expungePost(input: { id: ${post} }) { postId }`);
    expect(await numbers(post)).toEqual({});
  });

  it("are right if many are written at once", async () => {
    const post = await make();
    const writers = await Promise.all(Array.from({ length: 8 }, () => test.make.user("Contributor")));
    await Promise.all(
      writers.map(({ client }) => client.post("/comments.json", { comment: { post_id: post, body: "text" } })),
    );
    expect(await numbers(post)).toEqual({ comments: 8, active_comments: 8 });
  });

  it("of pools are also available under their old names, for the previous version", async () => {
    const post = await make();
    const pool = { name: "counted_series", description: "text", category: "series", post_ids: String(post) };
    const { id } = (await member.client.post("/pools.json", { pool })).json as { id: number };
    const old = () => test.board.database.query(sql`SELECT * FROM pooled_posts WHERE post_id = ${post}`);
    const row = { post_id: post, pools: 1, active_pools: 1, deleted_pools: 0, series_pools: 1, collection_pools: 0 };
    expect(await old()).toEqual([row]);
    await admin.client.delete(`/pools/${id}.json`);
    expect(await old()).toEqual([{ ...row, active_pools: 0, deleted_pools: 1, series_pools: 0 }]);
  });
});
