/** How comments bump their post, and how many a user may write. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

const PER_HOUR = 3;

let test: TestBoard;
let gold: TestUser; // who may write as many as they want
beforeAll(async () => {
  test = await startBoard({ COMMENTS_PER_HOUR: String(PER_HOUR) });
  gold = await test.make.user("Gold");
});
afterAll(() => test[Symbol.asyncDispose]());

interface Made {
  id: number;
  created_at: string;
}

const write = (postId: number, attributes: Params = {}, by = gold) =>
  by.client.post("/comments.json", { comment: { post_id: postId, body: "hm", ...attributes } });
const create = async (postId: number, attributes: Params = {}): Promise<Made> =>
  (await write(postId, attributes)).json as Made;

/** last_commented_at and last_comment_bumped_at */
async function times(postId: number): Promise<(string | null)[]> {
  const { json } = await test.anonymous.get(`/posts/${postId}.json`);
  return [json.last_commented_at, json.last_comment_bumped_at] as (string | null)[];
}

describe("last_commented_at and last_comment_bumped_at", () => {
  it("are the time of the newest comment, and of the newest one that bumps", async () => {
    const { id } = await test.make.post();
    expect(await times(id)).toEqual([null, null]);
    const quiet = await create(id, { do_not_bump_post: 1 });
    expect(await times(id)).toEqual([quiet.created_at, null]);
    const loud = await create(id);
    expect(await times(id)).toEqual([loud.created_at, loud.created_at]);
    const again = await create(id, { do_not_bump_post: "1" });
    expect(await times(id)).toEqual([again.created_at, loud.created_at]);
  });

  it("go back when comments are deleted, and forward when they are undeleted", async () => {
    const { id } = await test.make.post();
    const [first, second] = [await create(id), await create(id)];
    await gold.client.delete(`/comments/${second.id}.json`);
    expect(await times(id)).toEqual([first.created_at, first.created_at]);
    await gold.client.delete(`/comments/${first.id}.json`);
    expect(await times(id)).toEqual([null, null]);
    await gold.client.post(`/comments/${second.id}/undelete.json`);
    expect(await times(id)).toEqual([second.created_at, second.created_at]);
  });

  it("stay when a comment is edited", async () => {
    const { id } = await test.make.post();
    const made = await create(id);
    await gold.client.put(`/comments/${made.id}.json`, { comment: { body: "edited", do_not_bump_post: 1 } });
    expect(await times(id)).toEqual([made.created_at, made.created_at]);
  });

  it("are bumped only by the first 40 comments, counting deleted ones", async () => {
    const { id } = await test.make.post();
    const earlier = Array.from({ length: 39 }, (_, index) => ({
      postId: id,
      creatorId: gold.id,
      body: "earlier",
      isDeleted: index === 0,
      createdAt: new Date(Date.UTC(2020, 0, 1, 0, index)),
    }));
    await test.board.database.comment.createMany({ data: earlier });
    const fortieth = await create(id);
    expect(await times(id)).toEqual([fortieth.created_at, fortieth.created_at]);
    const next = await create(id);
    expect(await times(id)).toEqual([next.created_at, fortieth.created_at]);
    await gold.client.delete(`/comments/${next.id}.json`);
    await gold.client.delete(`/comments/${fortieth.id}.json`);
    expect(await times(id)).toEqual(Array.from({ length: 2 }, () => "2020-01-01T00:38:00.000+00:00"));
  });

  it("do not change the post's own times and versions", async () => {
    const { id } = await test.make.post();
    const before = await test.anonymous.get(`/posts/${id}.json`);
    await create(id);
    expect((await test.anonymous.get(`/posts/${id}.json`)).json.updated_at).toBe(before.json.updated_at);
  });

  it("are right after concurrent comments and deletions", async () => {
    const { id } = await test.make.post();
    const doomed = await Promise.all(Array.from({ length: 5 }, () => create(id)));
    await Promise.all([
      ...doomed.map((made) => gold.client.delete(`/comments/${made.id}.json`)),
      ...Array.from({ length: 5 }, () => create(id)),
    ]);
    const newest = await test.board.database.comment.findFirstOrThrow({
      where: { postId: id, isDeleted: false },
      orderBy: { createdAt: "desc" },
    });
    const time = `${newest.createdAt.toISOString().slice(0, -1)}+00:00`;
    expect(await times(id)).toEqual([time, time]);
  });
});

describe("the hourly limit of comments", () => {
  it("421 below Gold, counting comments that don't bump or are deleted, and nothing is written", async () => {
    const [{ id }, member] = [await test.make.post(), await test.make.user("Member")];
    const first = await write(id, {}, member);
    await member.client.delete(`/comments/${first.json.id}.json`);
    await write(id, { do_not_bump_post: 1 }, member);
    expect((await write(id, {}, member)).status).toBe(200);
    const before = await times(id);
    const { status, json, headers } = await write(id, {}, member);
    expect([status, json.reason]).toEqual([421, `hourly limit of ${PER_HOUR} comments exceeded`]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(3_590);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(3_600);
    expect(await times(id)).toEqual(before);
    expect(await test.board.database.comment.count({ where: { creatorId: member.id } })).toBe(PER_HOUR);
  });

  it("holds for concurrent comments", async () => {
    const [{ id }, member] = [await test.make.post(), await test.make.user()];
    const answers = await Promise.all(Array.from({ length: PER_HOUR + 3 }, () => write(id, {}, member)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 421, 421, 421]);
  });

  it("covers an hour", async () => {
    const [{ id }, member] = [await test.make.post(), await test.make.user()];
    for (let count = 0; count < PER_HOUR; count += 1) await write(id, {}, member);
    const longAgo = new Date(Date.now() - 3_600_000);
    await test.board.database.comment.updateMany({ where: { creatorId: member.id }, data: { createdAt: longAgo } });
    expect((await write(id, {}, member)).status).toBe(200);
  });

  it("may be as high as an administrator likes", async () => {
    await using unlimited = await startBoard({ COMMENTS_PER_HOUR: String(Number.MAX_SAFE_INTEGER) });
    const [{ id }, member] = [await unlimited.make.post(), await unlimited.make.user()];
    expect((await write(id, {}, member)).status).toBe(200);
  });
});
