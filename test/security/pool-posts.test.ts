/** Posts that are added to pools and removed, each of which is written with all of its indexes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";

const LIMIT = 50;

let test: TestBoard;
let posts: number[];
beforeAll(async () => {
  test = await startBoard({ POOL_POSTS_PER_HOUR: String(LIMIT) });
  const made = [];
  for (let count = 0; count < LIMIT + 1; count += 1) made.push(await test.make.post());
  posts = made.map(({ id }) => id);
});
afterAll(() => test[Symbol.asyncDispose]());

/** A user whose account is older than a week. */
async function oldUser(level?: Parameters<typeof test.make.user>[0]): Promise<TestUser> {
  const user = await test.make.user(level);
  await test.board.database.user.update({ where: { id: user.id }, data: { createdAt: new Date("2020-01-01") } });
  return user;
}

let serial = 0;
const create = ({ client }: TestUser, postIds: number[]) =>
  client.post("/pools.json", {
    pool: { name: `pool ${(serial += 1)}`, description: "posts", post_ids: postIds.join(" ") },
  });

describe("posts of pools", () => {
  it("421 for an edit that would change more than POOL_POSTS_PER_HOUR; nothing is written, and smaller edits are accepted", async () => {
    const user = await oldUser();
    const { json: pool } = await create(user, posts.slice(0, 30));
    const edit = (postIds: number[]) =>
      user.client.put(`/pools/${pool.id}.json`, { pool: { post_ids: postIds.join(" ") } });
    const versions = () => test.board.database.poolVersion.count();
    const before = await versions();
    const refused = await edit(posts.slice(20, 31)); // twenty fewer, one more
    expect([refused.status, refused.json.reason]).toEqual([
      421,
      `hourly limit of ${LIMIT} posts added to or removed from pools exceeded`,
    ]);
    expect(await versions()).toBe(before);
    expect((await test.anonymous.get(`/pools/${pool.id}.json`)).json.post_ids).toEqual(posts.slice(0, 30));
    expect((await edit(posts.slice(0, 30).toReversed())).status).toBe(200); // only their order
    expect((await edit(posts.slice(19, 30))).status).toBe(200); // nineteen fewer
    expect((await edit(posts.slice(9, 41))).status).toBe(421);
  });

  it("of new pools count too", async () => {
    const user = await oldUser();
    const before = await test.board.database.pool.count();
    expect((await create(user, posts)).status).toBe(421);
    expect(await test.board.database.pool.count()).toBe(before);
    expect((await create(user, posts.slice(1))).status).toBe(200);
  });

  it("are a fifth in an account's first week, and not limited from Builder on", async () => {
    const user = await test.make.user();
    expect((await create(user, posts.slice(0, 21))).status).toBe(421);
    expect((await create(user, posts.slice(0, 20))).status).toBe(200); // as many as an ordinary edit
    expect((await create(await oldUser(), posts.slice(0, 21))).status).toBe(200);
    expect((await create(await test.make.user("Builder"), posts)).status).toBe(200);
  });
});
