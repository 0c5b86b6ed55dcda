import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client, Params } from "../support/client.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { holdRow } from "../support/held-table.js";
import { deadlocksOf } from "../support/traces.js";

interface Flag {
  id: number;
  post_id: number;
}

let test: TestBoard;
let member: TestUser;
let moderator: TestUser;
let post: TestPost;
beforeAll(async () => {
  test = await startBoard({ FLAGS_PER_DAY: "6" });
  member = await test.make.user();
  moderator = await test.make.user("Moderator");
  post = await test.make.post();
});
afterAll(() => test[Symbol.asyncDispose]());

const flag = (by: Client, postId: number, reason = "off topic") =>
  by.post("/post_flags.json", { post_flag: { post_id: postId, reason } });
const appeal = (by: Client, postId: number) =>
  by.post("/post_appeals.json", { post_appeal: { post_id: postId, reason: "on topic" } });
const isFlagged = async (id: number) => (await test.board.database.post.findUniqueOrThrow({ where: { id } })).isFlagged;
const set = (id: number, data: Record<string, unknown>) => test.board.database.post.update({ where: { id }, data });
const find = async (by: Client, search: Params) =>
  ((await by.get("/post_flags.json", { search })).json as Flag[]).map(({ id }) => id);

describe("POST /post_flags.json", () => {
  it("does not deadlock with an upload of a child by the same user, nor does an appeal", async () => {
    for (const send of [flag, appeal]) {
      const parent = await test.make.post();
      await set(parent.id, { isFlagged: true });
      const user = await test.make.user();
      const before = await deadlocksOf(test);
      const held = await holdRow(test.board.databaseUrl, "posts", parent.id);
      const sent = send(user.client, parent.id);
      await expect.poll(() => held.waiting()).toBe(1);
      const uploaded = test.make.upload(user, { parent_id: parent.id });
      await expect.poll(() => held.waiting()).toBe(2);
      await held[Symbol.asyncDispose]();
      expect([(await sent).status, (await uploaded).status]).toEqual([200, 200]);
      expect(await deadlocksOf(test)).toBe(before);
    }
  });

  it("flags the post, and returns the reason, and the flagger to themselves", async () => {
    const before = await test.board.database.post.findUniqueOrThrow({ where: { id: post.id } });
    const { status, json, headers } = await flag(member.client, post.id, " low quality ");
    expect([status, headers.get("location")]).toEqual([200, `/post_flags/${json.id}`]);
    expect(json).toEqual({
      success: true,
      reason: "low quality",
      id: json.id,
      post_id: post.id,
      creator_id: member.id,
      creator_name: member.name,
      is_resolved: false,
      is_deletion: false,
      category: "normal",
      status: "pending",
      created_at: json.created_at,
      updated_at: json.updated_at,
    });
    const after = await test.board.database.post.findUniqueOrThrow({ where: { id: post.id } });
    expect(after).toEqual({ ...before, isFlagged: true, revision: expect.any(BigInt) });
  });

  it("returns the bare envelope in XML", async () => {
    const other = await test.make.post();
    const { text } = await member.client.post("/post_flags.xml", { post_flag: { post_id: other.id, reason: "x" } });
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
  });

  it("accepts a pending post", async () => {
    const pending = await test.make.post("x", {}, await test.make.user());
    expect((await flag(member.client, pending.id)).status).toBe(200);
  });

  it("423 for a second one by the same user, but not by another user", async () => {
    const { status, json } = await flag(member.client, post.id);
    expect([status, json.reason]).toEqual([423, "already flagged"]);
    expect((await flag((await test.make.user()).client, post.id)).status).toBe(200);
  });

  it("423 for one of two concurrent flags", async () => {
    const [other, both] = [await test.make.post(), await test.make.user()];
    const answers = await Promise.all([flag(both.client, other.id), flag(both.client, other.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 423]);
  });

  it.each([
    ["424 without a word in the reason", {}, "  ", 424, "post_flag[reason] is required"],
    ["420 for too long a reason", {}, "a".repeat(501), 420, "reason is too long (at most 500 characters)"],
    ["420 for a deleted post", { isDeleted: true }, "x", 420, "post is deleted"],
    ["422 for a status-locked post", { isStatusLocked: true }, "x", 422, "post is status-locked"],
  ])("%s", async (_, state, reason, status, words) => {
    const { id } = await test.make.post();
    await set(id, state);
    const answer = await flag(member.client, id, reason);
    expect([answer.status, answer.json.reason]).toEqual([status, words]);
    expect([await isFlagged(id), await find(moderator.client, { post_id: id })]).toEqual([false, []]);
  });

  it("404 for an unknown post, 424 without post or reason, 403 for visitors and banned users", async () => {
    const banned = await test.make.user();
    await test.board.database.user.update({ where: { id: banned.id }, data: { isBanned: true } });
    const answers = [
      await flag(member.client, 999_999),
      await member.client.post("/post_flags.json", { post_flag: { reason: "x" } }),
      await member.client.post("/post_flags.json", { post_flag: { post_id: post.id } }),
      await flag(test.anonymous, post.id),
      await flag(banned.client, post.id),
    ];
    expect(answers.map(({ status, json }) => [status, json.reason])).toEqual([
      [404, "not found"],
      [424, "post_flag[post_id] is required"],
      [424, "post_flag[reason] is required"],
      [403, "login required"],
      [403, "your account is banned"],
    ]);
  });

  it("counts no deletions, which are listed as flags: neither of this post nor of the day", async () => {
    const [{ id: creatorId, client }, { id: postId }] = [await test.make.user(), await test.make.post()];
    const deletion = { postId, creatorId, reason: "x", isDeletion: true, isResolved: true };
    await test.board.database.postFlag.createMany({ data: Array.from({ length: 6 }, () => deletion) });
    expect((await flag(client, postId)).status).toBe(200);
  });

  it("421 after FLAGS_PER_DAY, except for Janitors", async () => {
    const [busy, janitor] = [await test.make.user(), await test.make.user("Janitor")];
    const posts = await Promise.all(Array.from({ length: 7 }, () => test.make.post()));
    for (const { id } of posts.slice(0, 6)) expect((await flag(busy.client, id)).status).toBe(200);
    const last = posts[6]?.id as number;
    const tenHoursAgo = new Date(Date.now() - 10 * 3_600_000);
    const { postFlag } = test.board.database;
    await postFlag.updateMany({ where: { postId: posts[3]?.id ?? 0 }, data: { createdAt: tenHoursAgo } });
    const { status, json, headers } = await flag(busy.client, last);
    expect([status, json.reason]).toEqual([421, "daily limit of 6 flags exceeded"]);
    const wait = Number(headers.get("retry-after")); // until the earliest of them is a day old
    expect([wait > 14 * 3_600 - 600, wait <= 14 * 3_600]).toEqual([true, true]);
    expect(await isFlagged(last)).toBe(false);
    for (const { id } of posts) expect((await flag(janitor.client, id)).status).toBe(200);
  });
});

describe("GET /post_flags.json", () => {
  let own: number;
  let other: TestPost;
  let flagger: TestUser;
  beforeAll(async () => {
    [flagger, other] = [await test.make.user(), await test.make.post()];
    own = (await flag(flagger.client, other.id, "Blurred beyond 100% recognition")).json.id as number;
  });

  it("finds by post, reason, state and category, newest first", async () => {
    const [first] = (await test.anonymous.get("/post_flags.json")).json as Flag[];
    expect(first?.id).toBe(own);
    const search = { post_id: other.id };
    expect(await find(test.anonymous, search)).toEqual([own]);
    expect(await find(test.anonymous, { ...search, reason_matches: "BEYOND 100%" })).toEqual([own]);
    expect(await find(test.anonymous, { ...search, reason_matches: "beyond*" })).toEqual([]);
    expect(await find(test.anonymous, { ...search, reason_matches: "blurred*" })).toEqual([own]);
    expect(await find(test.anonymous, { ...search, is_resolved: "false", category: "normal" })).toEqual([own]);
    expect(await find(test.anonymous, { ...search, is_resolved: "true" })).toEqual([]);
    expect(await find(test.anonymous, { ...search, category: "unapproved" })).toEqual([]);
    expect((await test.anonymous.get("/post_flags.json", { search: { category: "odd" } })).status).toBe(424);
    const second = await test.anonymous.get("/post_flags.json", { limit: 1, page: 2 });
    expect((second.json as Flag[]).length).toBe(1);
  });

  it("has the status succeeded if its post is deleted, and rejected if it was resolved", async () => {
    const { id: postId } = await test.make.post();
    const { id } = (await flag((await test.make.user()).client, postId)).json as Flag;
    const status = async () => (await test.anonymous.get(`/post_flags/${id}.json`)).json.status as string;
    const states = [await status()];
    await set(postId, { isDeleted: true, isFlagged: false });
    states.push(await status());
    await test.board.database.postFlag.update({ where: { id }, data: { isResolved: true } });
    states.push(await status());
    expect(states).toEqual(["pending", "succeeded", "rejected"]);
  });

  it("shows the flagger only to themselves and Moderators", async () => {
    const seen = async (by: Client) => {
      const { json } = await by.get(`/post_flags/${own}.json`);
      return [json.creator_id, json.creator_name, Object.hasOwn(json as object, "creator_id")];
    };
    const hidden = [undefined, undefined, false];
    expect(await seen(test.anonymous)).toEqual(hidden);
    expect(await seen(member.client)).toEqual(hidden);
    expect(await seen((await test.make.user("Janitor")).client)).toEqual(hidden);
    expect(await seen(flagger.client)).toEqual([flagger.id, flagger.name, true]);
    expect(await seen(moderator.client)).toEqual([flagger.id, flagger.name, true]);
  });

  it("finds by flagger for Moderators; others find only their own flags, regardless of the user named", async () => {
    const name = flagger.name.toUpperCase();
    expect(await find(moderator.client, { creator_id: flagger.id })).toEqual([own]);
    expect(await find(moderator.client, { creator_name: name })).toEqual([own]);
    expect(await find(flagger.client, { creator_id: flagger.id })).toEqual([own]);
    expect(await find(flagger.client, { creator_id: `${member.id},${flagger.id}` })).toEqual([own]);
    for (const by of [test.anonymous, member.client, (await test.make.user("Janitor")).client]) {
      expect(await find(by, { creator_id: flagger.id })).toEqual([]);
      expect(await find(by, { creator_name: name })).toEqual([]);
      expect(await find(by, { creator_name: "nobody_at_all" })).toEqual([]);
    }
  });

  it("is the same in GraphQL, with counts", async () => {
    const query = `query($search: PostFlagSearch) {
      postFlags(search: $search) { totalCount nodes { id creatorId creatorName creator { name } post { id } } } }`;
    const search = { postId: [other.id] };
    const hidden = { id: own, creatorId: null, creatorName: null, creator: null, post: { id: other.id } };
    const { json: theirs } = await member.client.graphql(query, { search });
    expect(theirs.data.postFlags).toEqual({ totalCount: 1, nodes: [hidden] });
    const { json: guess } = await member.client.graphql(query, { search: { creatorId: [flagger.id] } });
    expect(guess.data.postFlags).toEqual({ totalCount: 0, nodes: [] });
    const { json: staff } = await moderator.client.graphql(query, { search });
    expect(staff.data.postFlags.nodes[0].creator).toEqual({ name: flagger.name });
    const { json: nested } = await member.client.graphql(
      `{ post(id: ${other.id}) { flags { id creatorName creator { name } } viewerCan { flag approve lockStatus } } }`,
    );
    expect(nested.data.post).toEqual({
      flags: [{ id: own, creatorName: null, creator: null }],
      viewerCan: { flag: true, approve: false, lockStatus: false },
    });
  });

  it("leaves the flagger out in XML", async () => {
    const { text } = await test.anonymous.get("/post_flags.xml", { search: { post_id: other.id } });
    expect(text).toContain('<post-flags type="array"><post-flag>');
    expect(text).toContain('<is-resolved type="boolean">false</is-resolved>');
    expect(text).not.toContain("creator");
  });
});
