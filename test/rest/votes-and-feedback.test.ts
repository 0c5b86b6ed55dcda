/** Listings that clients of the current original board use: votes, favorites of a post, media assets, feedback. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import type { TestPost, TestUser } from "../support/factory.js";

let test: TestBoard;
let one: TestUser;
let two: TestUser;
let admin: TestUser;
let post: TestPost;
beforeAll(async () => {
  test = await startBoard();
  [one, two, admin] = [await test.make.user(), await test.make.user(), await test.make.user("Admin")];
  post = await test.make.post();
});
afterAll(() => test[Symbol.asyncDispose]());

const TIME = expect.stringMatching(/^\d{4}-.*\+00:00$/) as string;
const usersOf = ({ json }: Answer): number[] => (json as { user_id: number }[]).map(({ user_id }) => user_id);

describe("GET /post_votes.json", () => {
  beforeAll(async () => {
    for (const [user, score] of [
      [one, "up"],
      [two, "down"],
    ] as const)
      await user.client.post(`/posts/${post.id}/votes.json`, { score });
  });

  it("lists one's own votes", async () => {
    const { status, json } = await one.client.get("/post_votes.json");
    const times = { created_at: TIME, updated_at: TIME };
    expect([status, json]).toEqual([
      200,
      [{ id: expect.any(Number) as number, post_id: post.id, user_id: one.id, score: 1, ...times }],
    ]);
  });

  it("lists none for visitors, and others' votes only for Admins", async () => {
    expect((await test.anonymous.get("/post_votes.json")).json).toEqual([]);
    expect((await one.client.get("/post_votes.json", { search: { user_id: two.id } })).json).toEqual([]);
    expect(usersOf(await admin.client.get("/post_votes.json"))).toEqual([two.id, one.id]);
  });

  it("filters by post, user and score, also in XML", async () => {
    const find = async (search: Record<string, unknown>) =>
      usersOf(await admin.client.get("/post_votes.json", { search: search as never }));
    expect(await find({ post_id: post.id, score: -1 })).toEqual([two.id]);
    expect(await find({ user_name: one.name })).toEqual([one.id]);
    expect(await find({ post_id: 999_999 })).toEqual([]);
    const xml = await one.client.get("/post_votes.xml");
    expect(xml.text).toContain(`<post-votes type="array"><post-vote><id type="integer">`);
  });
});

describe("GET /comment_votes.json", () => {
  it("lists one's own votes, and everybody's for Admins", async () => {
    const comment = await two.client.post("/comments.json", { comment: { post_id: post.id, body: "A ship." } });
    const { id } = comment.json as { id: number };
    expect((await one.client.post(`/comments/${id}/votes.json`, { score: "up" })).status).toBe(200);
    const own = await one.client.get("/comment_votes.json");
    expect(own.json).toMatchObject([{ comment_id: id, user_id: one.id, score: 1 }]);
    expect((await two.client.get("/comment_votes.json")).json).toEqual([]);
    const all = await admin.client.get("/comment_votes.json", { search: { comment_id: id } });
    expect(usersOf(all)).toEqual([one.id]);
  });
});

describe("GET /posts/{id}/favorites.json", () => {
  it("lists the favorites of this post that the viewer may see", async () => {
    const other = await test.make.post();
    for (const user of [one, two]) await user.client.post("/favorites.json", { post_id: post.id });
    await one.client.post("/favorites.json", { post_id: other.id });
    const { json } = await test.anonymous.get(`/posts/${post.id}/favorites.json`);
    expect(usersOf({ json } as Answer)).toEqual([two.id, one.id]);
    expect((json as { post_id: number }[]).every(({ post_id }) => post_id === post.id)).toBe(true);
    await test.board.database.user.update({ where: { id: two.id }, data: { enablePrivateFavorites: true } });
    expect(usersOf(await test.anonymous.get(`/posts/${post.id}/favorites.json`))).toEqual([one.id]);
    expect(usersOf(await two.client.get(`/posts/${post.id}/favorites.json`))).toEqual([two.id, one.id]);
  });

  it("404 for an unknown post", async () => {
    expect((await test.anonymous.get("/posts/999999/favorites.json")).status).toBe(404);
  });
});

describe("GET /media_assets/{id}.json", () => {
  it("returns the file as in its post", async () => {
    const { media_asset } = (await test.anonymous.get(`/posts/${post.id}.json`)).json as {
      media_asset: { id: number };
    };
    const { status, json } = await test.anonymous.get(`/media_assets/${media_asset.id}.json`);
    expect([status, json]).toEqual([200, media_asset]);
    expect((await test.anonymous.get(`/media_assets/${media_asset.id}.xml`)).status).toBe(200);
  });

  it("404 for an unknown one, and for that of a banned post below Gold", async () => {
    const banned = await test.make.post();
    const { media_asset } = (await test.anonymous.get(`/posts/${banned.id}.json`)).json as {
      media_asset: { id: number };
    };
    await test.board.database.post.update({ where: { id: banned.id }, data: { isBanned: true } });
    const path = `/media_assets/${media_asset.id}.json`;
    const gold = await test.make.user("Gold");
    const statuses = [await test.anonymous.get(path), await one.client.get(path), await gold.client.get(path)];
    expect(statuses.map((answer) => answer.status)).toEqual([404, 404, 200]);
    expect((await test.anonymous.get("/media_assets/999999.json")).status).toBe(404);
  });
});

describe("GET /user_feedbacks.json", () => {
  it("lists feedback from bans, and returns each by id; deleted feedback is hidden", async () => {
    const moderator = await test.make.user("Moderator");
    const query = `mutation($input: BanUserInput!) { banUser(input: $input) { ban { id } } }`;
    const input = { userId: two.id, reason: "Piracy.", duration: 3 };
    const answer = await moderator.client.graphql(query, { input });
    expect(answer.json.errors).toBeUndefined();
    const { json } = await test.anonymous.get("/user_feedbacks.json", { search: { user_id: two.id } });
    expect(json).toEqual([
      {
        id: expect.any(Number) as number,
        user_id: two.id,
        creator_id: moderator.id,
        category: "negative",
        body: "Banned: Piracy.",
        created_at: TIME,
        updated_at: TIME,
      },
    ]);
    const { id } = json[0] as { id: number };
    expect((await test.anonymous.get(`/user_feedbacks/${id}.json`)).json).toEqual(json[0]);
    expect((await test.anonymous.get("/user_feedbacks.json", { search: { category: "positive" } })).json).toEqual([]);
    await test.board.database.userFeedback.update({ where: { id }, data: { isDeleted: true } });
    expect((await test.anonymous.get("/user_feedbacks.json")).json).toEqual([]);
    expect((await test.anonymous.get(`/user_feedbacks/${id}.json`)).status).toBe(404);
  });
});
