/** Pools through POST /graphql: their fields and posts, and the same rules as over REST. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, statementsOf, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let member: TestUser;
let janitor: TestUser;
let posts: number[];
beforeAll(async () => {
  test = await startBoard();
  member = await test.make.user();
  janitor = await test.make.user("Janitor");
  posts = [(await test.make.post()).id, (await test.make.post()).id, (await test.make.post()).id];
});
afterAll(() => test[Symbol.asyncDispose]());

const CREATE = `mutation($input: CreatePoolInput!) { createPool(input: $input) {
  pool { id name category postIds postCount isActive isDeleted creator { name } viewerCan { update changeCategory delete } }
} }`;
const create = async (name: string, postIds: number[], category = "SERIES"): Promise<number> => {
  const input = { name, description: "x", postIds, category };
  return (await member.client.graphql(CREATE, { input })).json.data.createPool.pool.id as number;
};

describe("createPool, updatePool, deletePool, undeletePool and revertPool", () => {
  it("return the pool, and fail with the codes of the table of failures", async () => {
    const input = { name: "A new one", description: "x", postIds: [posts[1], posts[0]], category: "COLLECTION" };
    const { json } = await member.client.graphql(CREATE, { input });
    const { id, ...made } = json.data.createPool.pool;
    expect(made).toEqual({
      name: "A_new_one",
      category: "COLLECTION",
      postIds: [posts[1], posts[0]],
      postCount: 2,
      isActive: true,
      isDeleted: false,
      creator: { name: member.name },
      viewerCan: { update: true, changeCategory: true, delete: false },
    });
    const taken = await member.client.graphql(CREATE, { input });
    expect(taken.json.errors[0].extensions).toMatchObject({ code: "ALREADY_EXISTS", status: 423 });

    const update = `mutation($input: UpdatePoolInput!) { updatePool(input: $input) { pool { postIds isActive } } }`;
    const cleared = await member.client.graphql(update, { input: { id, postIds: null, isActive: false } });
    expect(cleared.json.data.updatePool.pool).toEqual({ postIds: [], isActive: false });
    const unknown = await member.client.graphql(update, { input: { id, postIds: [0] } });
    expect(unknown.json.errors[0].extensions).toMatchObject({
      code: "INVALID_RECORD",
      status: 420,
      field: "input.postIds",
    });

    const remove = `mutation($input: DeletePoolInput!) { deletePool(input: $input) { pool { isDeleted } } }`;
    const refused = await member.client.graphql(remove, { input: { id } });
    expect(refused.json.errors[0].extensions).toMatchObject({ code: "FORBIDDEN", status: 403 });
    const gone = await janitor.client.graphql(remove, { input: { id } });
    expect(gone.json.data.deletePool.pool).toEqual({ isDeleted: true });
    const undelete = `mutation($input: UndeletePoolInput!) { undeletePool(input: $input) { pool { isDeleted } } }`;
    const back = await janitor.client.graphql(undelete, { input: { id } });
    expect(back.json.data.undeletePool.pool).toEqual({ isDeleted: false });

    const list = `query($search: PoolVersionSearch) { poolVersions(search: $search) {
      nodes { id version addedPostIds removedPostIds pool { name } updater { name } } totalCount } }`;
    const versions = (await test.anonymous.graphql(list, { search: { poolId: [id] } })).json.data.poolVersions;
    expect(versions.totalCount).toBe(4);
    expect(versions.nodes.at(-1)).toMatchObject({
      version: 1,
      addedPostIds: [posts[1], posts[0]],
      pool: { name: "A_new_one" },
    });
    const revert = `mutation($input: RevertPoolInput!) { revertPool(input: $input) { pool { postIds isActive } } }`;
    const reverted = await member.client.graphql(revert, { input: { id, versionId: versions.nodes.at(-1).id } });
    expect(reverted.json.data.revertPool.pool).toEqual({ postIds: [posts[1], posts[0]], isActive: false });
  });
});

describe("pool", () => {
  it("is found by id and by name, and returns a page of its posts in reading order", async () => {
    const id = await create("By name", [posts[2], posts[0], posts[2], posts[1]] as number[]);
    const query = `query($id: Int, $name: String) { pool(id: $id, name: $name) { id posts(first: 2, skip: 1) { id } } }`;
    const expected = { id, posts: [{ id: posts[0] }, { id: posts[2] }] };
    for (const variables of [{ id }, { name: "BY NAME" }, { name: "by_name" }]) {
      expect((await test.anonymous.graphql(query, variables)).json.data.pool).toEqual(expected);
    }
    for (const variables of [{ name: "nothing" }, { name: "a\0" }, {}]) {
      expect((await test.anonymous.graphql(query, variables)).json.data.pool).toBeNull();
    }
  });
});

describe("post.pools", () => {
  it("are the pools of each post except deleted ones, in one statement for a list", async () => {
    const [one, two] = [(await test.make.post("pooled")).id, (await test.make.post("pooled")).id];
    const [both, first, gone] = [
      await create("both", [two, one, two]),
      await create("first", [one]),
      await create("gone", [one]),
    ];
    await janitor.client.delete(`/pools/${gone}.json`);
    const query = `{ posts(tags: "pooled") { nodes { id pools { id category postCount } } } }`;
    const plain = `{ posts(tags: "pooled") { nodes { id } } }`;
    await test.anonymous.graphql(plain); // the process remembers the tag
    const { json, headers } = await test.anonymous.graphql(query);
    const shared = { id: both, category: "SERIES", postCount: 3 };
    expect(json.data.posts.nodes).toEqual([
      { id: two, pools: [shared] },
      { id: one, pools: [shared, { id: first, category: "SERIES", postCount: 1 }] },
    ]);
    const statements = await statementsOf(test, headers.get("x-request-id"));
    const without = await test.anonymous.graphql(plain);
    expect(statements - (await statementsOf(test, without.headers.get("x-request-id")))).toBe(2);
  });
});
