import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let member: TestUser;
beforeAll(async () => {
  test = await startBoard();
  member = await test.make.user();
});
afterAll(() => test[Symbol.asyncDispose]());

const counts = async (postId: number, userId: number) => {
  const post = await test.board.database.post.findUniqueOrThrow({ where: { id: postId } });
  const user = await test.board.database.user.findUniqueOrThrow({ where: { id: userId } });
  return [post.favCount, user.favoriteCount];
};

describe("POST and DELETE /favorites.json", () => {
  it("adds and removes a favorite, and updates the counters", async () => {
    const post = await test.make.post();
    const kept = await member.client.post("/favorites.json", { post_id: post.id });
    expect([kept.status, kept.json.success, kept.json.post_id, kept.json.user_id]).toEqual([
      200,
      true,
      post.id,
      member.id,
    ]);
    expect(await counts(post.id, member.id)).toEqual([1, 1]);
    expect((await member.client.delete(`/favorites/${post.id}.json`)).json.post_id).toBe(post.id);
    expect(await counts(post.id, member.id)).toEqual([0, 0]);
  });

  it("423 for an existing favorite, 404 for a missing one and for an unknown post", async () => {
    const post = await test.make.post();
    await member.client.post("/favorites.json", { post_id: post.id });
    expect((await member.client.post("/favorites.json", { post_id: post.id })).status).toBe(423);
    const other = await test.make.post();
    expect((await member.client.delete(`/favorites/${other.id}.json`)).status).toBe(404);
    expect((await member.client.post("/favorites.json", { post_id: 99999 })).status).toBe(404);
    expect(await counts(post.id, member.id)).toEqual([1, 1]);
  });

  it("403 for visitors, 424 without a post", async () => {
    expect((await test.anonymous.post("/favorites.json", { post_id: 1 })).status).toBe(403);
    const none = await member.client.post("/favorites.json");
    expect([none.status, none.json.reason]).toEqual([424, "post_id is required"]);
  });
});

describe("GET /favorites.json", () => {
  it("finds by user and post, and hides others' private ones", async () => {
    const user = await test.make.user();
    const post = await test.make.post();
    await user.client.post("/favorites.json", { post_id: post.id });
    const list = async (client = test.anonymous) =>
      ((await client.get("/favorites.json", { search: { user_name: user.name } })).json as { post_id: number }[]).map(
        (each) => each.post_id,
      );
    expect(await list()).toEqual([post.id]);
    await test.board.database.user.update({ where: { id: user.id }, data: { enablePrivateFavorites: true } });
    const admin = await test.make.user("Admin");
    expect([await list(), await list(user.client), await list(admin.client)]).toEqual([[], [post.id], [post.id]]);
  });

  it("shows the number of a user's private favorites only to that user and Admins, since it changes together with that of a post", async () => {
    const [user, moderator, admin] = [
      await test.make.user(),
      await test.make.user("Moderator"),
      await test.make.user("Admin"),
    ];
    await user.client.post("/favorites.json", { post_id: (await test.make.post()).id });
    const count = async (client: Client) => (await client.get(`/users/${user.id}.json`)).json.favorite_count;
    const everybody = [test.anonymous, moderator.client, user.client, admin.client];
    expect(await Promise.all(everybody.map(count))).toEqual([1, 1, 1, 1]);
    await user.client.put(`/users/${user.id}.json`, { user: { enable_private_favorites: "true" } });
    expect(await Promise.all(everybody.map(count))).toEqual([null, null, 1, 1]);
  });
});
