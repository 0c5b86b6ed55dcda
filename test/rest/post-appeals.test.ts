import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client, Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let member: TestUser;
beforeAll(async () => {
  test = await startBoard({ APPEALS_PER_DAY: "5" });
  member = await test.make.user();
});
afterAll(() => test[Symbol.asyncDispose]());

const appeal = (by: Client, postId: number, reason = "not off topic") =>
  by.post("/post_appeals.json", { post_appeal: { post_id: postId, reason } });
/** A post in this state; deleted by default. */
const post = async (state: Record<string, unknown> = { isDeleted: true }): Promise<number> => {
  const { id } = await test.make.post();
  await test.board.database.post.update({ where: { id }, data: state });
  return id;
};
const find = async (search: Params) =>
  ((await test.anonymous.get("/post_appeals.json", { search })).json as { id: number }[]).map(({ id }) => id);

describe("POST /post_appeals.json", () => {
  it.each([
    ["deleted", { isDeleted: true }],
    ["flagged", { isFlagged: true }],
  ])("appeals a %s post without changing it", async (_, state) => {
    const id = await post(state);
    const before = await test.board.database.post.findUniqueOrThrow({ where: { id } });
    const { status, json, headers } = await appeal(member.client, id);
    expect([status, headers.get("location")]).toEqual([200, `/post_appeals/${json.id}`]);
    expect(json).toEqual({
      success: true,
      reason: "not off topic",
      id: json.id,
      post_id: id,
      creator_id: member.id,
      creator_name: member.name,
      is_resolved: false,
      status: "pending",
      created_at: json.created_at,
      updated_at: json.updated_at,
    });
    expect(await test.board.database.post.findUniqueOrThrow({ where: { id } })).toEqual(before);
  });

  it("returns the bare envelope in XML", async () => {
    const params = { post_appeal: { post_id: await post(), reason: "x" } };
    const { text } = await member.client.post("/post_appeals.xml", params);
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
  });

  it("423 for a second one by the same user", async () => {
    const id = await post();
    const [first, second] = [await appeal(member.client, id), await appeal(member.client, id)];
    expect([first.status, second.status, second.json.reason]).toEqual([200, 423, "already appealed"]);
    expect(await find({ post_id: id })).toEqual([first.json.id]);
  });

  it.each([
    ["420 for an active post", {}, "x", 420, "post is neither deleted nor flagged"],
    ["420 for a pending post", { isPending: true }, "x", 420, "post is neither deleted nor flagged"],
    ["424 without a word in the reason", { isDeleted: true }, " ", 424, "post_appeal[reason] is required"],
    ["422 for a status-locked post", { isDeleted: true, isStatusLocked: true }, "x", 422, "post is status-locked"],
  ])("%s", async (_, state, reason, status, words) => {
    const id = await post(state);
    const answer = await appeal(member.client, id, reason);
    expect([answer.status, answer.json.reason]).toEqual([status, words]);
    expect(await find({ post_id: id })).toEqual([]);
  });

  it("404 for an unknown post, 424 without post or reason, 403 for visitors", async () => {
    const answers = [
      await appeal(member.client, 999_999),
      await member.client.post("/post_appeals.json", { post_appeal: { reason: "x" } }),
      await member.client.post("/post_appeals.json", { post_appeal: { post_id: 1 } }),
      await appeal(test.anonymous, await post()),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 424, 424, 403]);
  });

  it("421 after APPEALS_PER_DAY", async () => {
    const busy = await test.make.user("Admin");
    for (let count = 0; count < 5; count += 1) expect((await appeal(busy.client, await post())).status).toBe(200);
    const id = await post();
    const { status, json, headers } = await appeal(busy.client, id);
    expect([status, json.reason]).toEqual([421, "daily limit of 5 appeals exceeded"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(86_000);
    expect(await find({ post_id: id })).toEqual([]);
  });
});

describe("GET /post_appeals.json", () => {
  it("finds by post, creator, reason and state, for everybody", async () => {
    const [creator, id] = [await test.make.user(), await post()];
    const own = (await appeal(creator.client, id, "Rare scan")).json.id as number;
    expect(await find({ creator_id: creator.id })).toEqual([own]);
    expect(await find({ creator_name: creator.name.toUpperCase() })).toEqual([own]);
    expect(await find({ creator_name: "nobody_at_all" })).toEqual([]);
    expect(await find({ post_id: id, reason_matches: "rare" })).toEqual([own]);
    expect(await find({ post_id: id, is_resolved: "true" })).toEqual([]);
    await test.board.database.post.update({ where: { id }, data: { isDeleted: false } });
    expect(await find({ post_id: id, is_resolved: "true" })).toEqual([own]);
    const { json } = await test.anonymous.get(`/post_appeals/${own}.json`);
    expect([json.is_resolved, json.status, json.creator_name]).toEqual([true, "succeeded", creator.name]);
  });

  it("has the status rejected if its post was deleted after it, but not by other flags or a deletion that was undone", async () => {
    const moderator = await test.make.user("Moderator");
    const creator = await test.make.user();
    const [before, after, other] = [await test.make.post(), await test.make.post(), await test.make.post()];
    const remove = async ({ id }: { id: number }) => {
      const deletion = `mutation { deletePost(input: { id: ${id}, reason: "off topic" }) { post { isDeleted } } }`;
      expect((await moderator.client.graphql(deletion)).json.data.deletePost.post.isDeleted).toBe(true);
    };
    await remove(before);
    await test.board.database.post.update({ where: { id: after.id }, data: { isFlagged: true } });
    for (const { id } of [before, after]) expect((await appeal(creator.client, id)).status).toBe(200);
    await remove(after);
    await remove(other);
    const postId = await post({ isFlagged: true });
    expect((await appeal(creator.client, postId)).status).toBe(200);
    const flag = { postId, creatorId: moderator.id, reason: "x" };
    await test.board.database.postFlag.createMany({ data: [flag, { ...flag, isDeletion: true, isResolved: true }] });
    const { json } = await test.anonymous.get("/post_appeals.json", { search: { creator_id: creator.id } });
    const states = (json as { post_id: number; status: string }[]).map((each) => [each.post_id, each.status]);
    expect(states).toEqual([
      [postId, "pending"],
      [after.id, "rejected"],
      [before.id, "pending"],
    ]);
  });

  it("is the same in GraphQL", async () => {
    const [creator, postId] = [await test.make.user(), await post()];
    const { json } = await creator.client.graphql(
      `mutation($input: CreatePostAppealInput!) {
        createPostAppeal(input: $input) { postAppeal { reason creator { name } post { appeals { status } } } } }`,
      { input: { postId, reason: "please" } },
    );
    expect(json.data.createPostAppeal.postAppeal).toEqual({
      reason: "please",
      creator: { name: creator.name },
      post: { appeals: [{ status: "PENDING" }] },
    });
  });

  it("lists in XML", async () => {
    const { text } = await test.anonymous.get("/post_appeals.xml", { search: { post_id: 999_999 } });
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><post-appeals type="array"/>');
  });
});
