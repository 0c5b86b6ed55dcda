/** Hourly limits of actions that affect others: dmails, edits, votes; by account, by its age, and by address. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

const LIMITS = {
  DMAILS_PER_HOUR: "6",
  FORUM_POSTS_PER_HOUR: "10",
  POST_EDITS_PER_HOUR: "10",
  RECORD_EDITS_PER_HOUR: "10",
  VOTES_PER_HOUR: "10",
  LIMIT_ADDRESS: "40",
  LIMIT_GOLD: "30",
};

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard({ ...LIMITS, TRUST_PROXY: "1" });
});
afterAll(() => test[Symbol.asyncDispose]());

let addresses = 0;
/** An address that nobody used before. */
const newAddress = (): string => `198.51.100.${(addresses += 1)}`;
const at = (client: Client, address = newAddress()): Client => client.with({ "x-forwarded-for": address });

/** A user whose account is older than a week. */
async function oldUser(level?: Parameters<typeof test.make.user>[0]): Promise<TestUser> {
  const user = await test.make.user(level);
  await test.board.database.user.update({ where: { id: user.id }, data: { createdAt: new Date("2020-01-01") } });
  return user;
}

const statusesOf = async (count: number, ask: (index: number) => Promise<{ status: number }>): Promise<number[]> => {
  const statuses = [];
  for (let index = 0; index < count; index += 1) statuses.push((await ask(index)).status);
  return statuses;
};

let serial = 0;
/** What each setting limits, as a request that is done anew each time. */
const ACTIONS: Record<string, (client: Client, post: number) => Promise<{ status: number }>> = {
  DMAILS_PER_HOUR: (client) => client.post("/dmails.json", { dmail: { to_name: "receiver", title: "a", body: "b" } }),
  FORUM_POSTS_PER_HOUR: (client) =>
    client.post("/forum_topics.json", {
      forum_topic: { title: `topic ${(serial += 1)}`, original_post_attributes: { body: "b" } },
    }),
  POST_EDITS_PER_HOUR: (client, post) =>
    client.put(`/posts/${post}.json`, { post: { tag_string: `tag_${(serial += 1)}` } }),
  RECORD_EDITS_PER_HOUR: (client) =>
    client.post("/wiki_pages.json", { wiki_page: { title: `page_${(serial += 1)}`, body: "b" } }),
  VOTES_PER_HOUR: (client, post) => client.post(`/favorites.json`, { post_id: post }),
};

describe.each(Object.entries(ACTIONS))("%s", (setting, act) => {
  const limit = Number(LIMITS[setting as keyof typeof LIMITS]);
  let post: number;
  beforeAll(async () => {
    if (!(await test.board.users.byName("receiver"))) await test.make.user("Member", "receiver");
    ({ id: post } = await test.make.post());
  });
  const allowed = (statuses: number[]): number => statuses.filter((status) => status !== 421).length;

  it("421 over the limit, and nothing is written", async () => {
    const client = at((await oldUser()).client);
    const statuses = await statusesOf(limit + 2, () => act(client, post));
    expect([allowed(statuses), statuses.slice(limit)]).toEqual([limit, [421, 421]]);
    const counts = async () => [await test.board.database.dmail.count(), await test.board.database.wikiPage.count()];
    const before = await counts();
    const refused = (await act(client, post)) as Awaited<ReturnType<Client["post"]>>;
    expect(refused.json.reason).toMatch(new RegExp(`^hourly limit of ${limit} [a-z ]+ exceeded$`));
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3500);
    expect(await counts()).toEqual(before);
  });

  it("is a fifth, rounded up, in an account's first week", async () => {
    const client = at((await test.make.user()).client);
    expect(allowed(await statusesOf(limit, () => act(client, post)))).toBe(Math.ceil(limit / 5));
  });

  it("is shared by all new accounts of one address, but not by older ones", async () => {
    const address = newAddress();
    const users = [];
    for (let count = 0; count < 6; count += 1) users.push(at((await test.make.user()).client, address));
    const statuses = [];
    for (const client of users) statuses.push(...(await statusesOf(Math.ceil(limit / 5), () => act(client, post))));
    expect(allowed(statuses)).toBe(limit);
    expect((await act(at((await oldUser()).client, address), post)).status).not.toBe(421);
  });

  it("does not apply from Builder on", async () => {
    const client = at((await test.make.user("Builder")).client);
    expect(allowed(await statusesOf(limit + 2, () => act(client, post)))).toBe(limit + 2);
  });
});

describe("actions in a tag string", () => {
  it.each([
    ["RECORD_EDITS_PER_HOUR", "11 pools", "pool:1 ".repeat(10) + "newpool:one", "edits"],
    ["POST_EDITS_PER_HOUR", "10 children, besides the edit itself", "child:1,2,3,4,5,6,7,8,9,10", "edits of posts"],
    ["VOTES_PER_HOUR", "a favorite and a vote, after 9 others", "fav:me upvote:me", "votes"],
  ])("count towards %s: 421 for %s, and nothing is written", async (setting, _, actions, name) => {
    const client = at((await oldUser()).client);
    const { id } = await test.make.post("tree");
    if (setting === "VOTES_PER_HOUR") await statusesOf(9, () => client.post("/favorites.json", { post_id: 999_999 }));
    const tag_string = `tree sky ${actions.replaceAll("pool:1 ", () => `pool:${(serial += 1)} `)}`;
    const { status, json } = await client.put(`/posts/${id}.json`, { post: { tag_string } });
    expect([status, json.reason]).toEqual([421, `hourly limit of 10 ${name} exceeded`]);
    expect((await test.anonymous.get(`/posts/${id}.json`)).json).toMatchObject({
      tag_string: "lowres tree",
      fav_count: 0,
    });
  });

  it("on all children, or all pools, count for each of them", async () => {
    const client = at((await oldUser()).client);
    const { id, uploader } = await test.make.post("tree");
    const others = await Promise.all(Array.from({ length: 11 }, () => test.make.post("leaf")));
    const ids = others.map((post) => post.id);
    await test.board.database.post.updateMany({ where: { id: { in: ids } }, data: { parentId: id } });
    const pools = ids.map((other) => ({ name: `of_${other}`, creatorId: uploader.id, postIds: [id], postCount: 1 }));
    await test.board.database.pool.createMany({ data: pools });
    const reasons = [];
    for (const action of ["child:none", "pool:none"])
      reasons.push((await client.put(`/posts/${id}.json`, { post: { tag_string: action } })).json.reason);
    expect(reasons).toEqual(["hourly limit of 10 edits of posts exceeded", "hourly limit of 10 edits exceeded"]);
    expect(await test.board.database.post.count({ where: { parentId: id } })).toBe(11);
    expect(await test.board.database.poolVersion.count({ where: { postIds: { isEmpty: true } } })).toBe(0);
  });

  it("of an edit of several posts count for each of them", async () => {
    const client = at((await oldUser()).client);
    const ids = [(await test.make.post()).id, (await test.make.post()).id];
    const pools = Array.from({ length: 6 }, (_, index) => `pool:${index + 1}`).join(" ");
    const { json } = await client.graphql(
      `mutation($ids: [Int!]!, $pools: String!) {
        updatePosts(input: { postIds: $ids, tagChanges: $pools }) { posts { id } refusals { postId reason } } }`,
      { ids, pools },
    );
    expect(json.data.updatePosts).toEqual({
      posts: [{ id: ids[0] }],
      refusals: [{ postId: ids[1], reason: "hourly limit of 10 edits exceeded" }],
    });
  });

  it("of an upload count too", async () => {
    const client = at((await oldUser()).client);
    const upload = { tag_string: `tree ${Array.from({ length: 11 }, (_, index) => `newpool:up_${index}`).join(" ")}` };
    const { status, json } = await client.post("/uploads.json", {
      upload: { ...upload, rating: "s", source: "http://a.b/c.png" },
    });
    expect([status, json.reason]).toEqual([421, "hourly limit of 10 edits exceeded"]);
  });
});

describe("copied notes", () => {
  it("count towards RECORD_EDITS_PER_HOUR, each as an edit: 421 for too many, and none is copied", async () => {
    const [from, to] = [await test.make.post(), await test.make.post()];
    const { id: creatorId, client: any } = await oldUser();
    const client = at(any);
    const rectangle = { postId: from.id, creatorId, x: 0, y: 0, width: 9, height: 9, body: "x" };
    await test.board.database.note.createMany({ data: Array.from({ length: 5 }, () => rectangle) });
    const copy = () => client.put(`/posts/${from.id}/copy_notes.json`, { other_post_id: to.id });
    expect(await statusesOf(4, copy)).toEqual([200, 200, 421, 421]);
    expect(await test.board.database.note.count({ where: { postId: to.id } })).toBe(10);
  });
});

describe("LIMIT_ADDRESS", () => {
  it("is shared by all users at one address, and reported in headers", async () => {
    const address = newAddress();
    const [one, two] = [at((await oldUser()).client, address), at((await oldUser()).client, address)];
    expect(await statusesOf(20, () => one.get("/tags.json"))).toEqual(Array(20).fill(200));
    expect(await statusesOf(20, () => two.get("/tags.json"))).toEqual(Array(20).fill(200));
    const refused = await one.get("/tags.json");
    expect([refused.status, refused.json.reason]).toEqual([
      421,
      "hourly limit of 40 requests from this address exceeded",
    ]);
    expect((await at(one).get("/tags.json")).status).toBe(200);
    expect((await at(test.anonymous, address).get("/tags.json")).status).toBe(200);
  });

  it("is not used up by a user who goes on over their own limit", async () => {
    const address = newAddress();
    const [one, two] = [at((await oldUser("Gold")).client, address), at((await oldUser()).client, address)];
    const statuses = await statusesOf(60, () => one.get("/tags.json"));
    expect(statuses).toEqual([...Array(30).fill(200), ...Array(30).fill(421)]);
    expect((await two.get("/tags.json")).status).toBe(200);
  });
});
