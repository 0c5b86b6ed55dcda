import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { tracesOf } from "../support/traces.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

/** score, up_score and down_score of a post. */
async function scores(id: number): Promise<number[]> {
  const { json } = await test.anonymous.get(`/posts/${id}.json`);
  return [json.score, json.up_score, json.down_score] as number[];
}

describe("POST /posts/{post_id}/votes.json", () => {
  it.each([
    ["up", 1, [1, 1, 0]],
    ["1", 1, [1, 1, 0]],
    ["UP", 1, [1, 1, 0]],
    ["down", -1, [-1, 0, -1]],
    ["-1", -1, [-1, 0, -1]],
  ])("score %s counts %i", async (score, value, after) => {
    const [post, voter] = [await test.make.post(), await test.make.user()];
    const before = await test.anonymous.get(`/posts/${post.id}.json`);
    const { status, json, headers } = await voter.client.post(`/posts/${post.id}/votes.json`, { score });
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      reason: "",
      id: expect.any(Number),
      post_id: post.id,
      user_id: voter.id,
      score: value,
      created_at: expect.any(String),
      updated_at: json.created_at,
    });
    expect(headers.get("location")).toBeNull();
    expect(await scores(post.id)).toEqual(after);
    const { json: shown } = await test.anonymous.get(`/posts/${post.id}.json`);
    expect(shown.updated_at).toBe(before.json.updated_at);
    expect((await test.anonymous.get("/post_versions.json", { search: { post_id: post.id } })).json).toHaveLength(1);
  });

  it("accepts the score as a JSON number, and returns an empty element in XML", async () => {
    const [post, voter] = [await test.make.post(), await test.make.user()];
    expect((await voter.client.json("POST", `/posts/${post.id}/votes.json`, { score: -1 })).status).toBe(200);
    const other = await test.make.user();
    const { text } = await other.client.post(`/posts/${post.id}/votes.xml`, { score: "up" });
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
    expect(await scores(post.id)).toEqual([0, 1, -1]);
  });

  it("424 for an invalid or missing score", async () => {
    const [post, voter] = [await test.make.post(), await test.make.user()];
    const before = await tracesOf(test);
    for (const score of ["2", "0", "left", "up down"]) {
      const { status, json } = await voter.client.post(`/posts/${post.id}/votes.json`, { score });
      expect([status, json.success, json.reason]).toEqual([424, false, "score must be one of up, down"]);
    }
    for (const score of ["", undefined]) {
      const { status, json } = await voter.client.post(`/posts/${post.id}/votes.json`, { score });
      expect([status, json.reason]).toEqual([424, "score is required"]);
    }
    expect([await tracesOf(test), await scores(post.id)]).toEqual([before, [0, 0, 0]]);
  });

  it("423 for a second vote in either direction", async () => {
    const [post, voter] = [await test.make.post(), await test.make.user()];
    await voter.client.post(`/posts/${post.id}/votes.json`, { score: "up" });
    const before = await tracesOf(test);
    for (const score of ["up", "down"]) {
      const { status, json } = await voter.client.post(`/posts/${post.id}/votes.json`, { score });
      expect([status, json]).toEqual([423, { success: false, reason: "already voted", message: "already voted" }]);
    }
    expect([await tracesOf(test), await scores(post.id)]).toEqual([before, [1, 1, 0]]);
  });

  it("adds up many votes", async () => {
    const post = await test.make.post();
    for (const score of ["up", "up", "down", "up", "down"]) {
      const voter = await test.make.user();
      await voter.client.post(`/posts/${post.id}/votes.json`, { score });
    }
    expect(await scores(post.id)).toEqual([1, 3, -2]);
  });

  it("404 for an unknown post, 403 for visitors and below Gold on banned posts", async () => {
    const [post, voter, gold] = [await test.make.post(), await test.make.user(), await test.make.user("Gold")];
    expect((await voter.client.post("/posts/999999/votes.json", { score: "up" })).status).toBe(404);
    const visitor = await test.anonymous.post(`/posts/${post.id}/votes.json`, { score: "up" });
    expect([visitor.status, visitor.json.reason]).toEqual([403, "login required"]);
    await test.board.database.post.update({ where: { id: post.id }, data: { isBanned: true } });
    const banned = await voter.client.post(`/posts/${post.id}/votes.json`, { score: "up" });
    expect([banned.status, banned.json.reason]).toEqual([403, "access denied"]);
    expect(await scores(post.id)).toEqual([0, 0, 0]);
    expect((await gold.client.post(`/posts/${post.id}/votes.json`, { score: "up" })).status).toBe(200);
  });
});

describe("DELETE /posts/{post_id}/votes.json", () => {
  it("removes the caller's vote, after which they can vote again", async () => {
    const [post, voter, other] = [await test.make.post(), await test.make.user(), await test.make.user()];
    await voter.client.post(`/posts/${post.id}/votes.json`, { score: "down" });
    await other.client.post(`/posts/${post.id}/votes.json`, { score: "down" });
    const { status, json } = await voter.client.delete(`/posts/${post.id}/votes.json`);
    expect([status, json.success, json.score, json.user_id]).toEqual([200, true, -1, voter.id]);
    expect(await scores(post.id)).toEqual([-1, 0, -1]);
    expect((await voter.client.post(`/posts/${post.id}/votes.json`, { score: "up" })).status).toBe(200);
    expect(await scores(post.id)).toEqual([0, 1, -1]);
  });

  it("is also PUT /posts/{post_id}/unvote.json, as older clients send it", async () => {
    const [post, voter] = [await test.make.post(), await test.make.user()];
    await voter.client.post(`/posts/${post.id}/votes.json`, { score: "up" });
    const { status, json } = await voter.client.put(`/posts/${post.id}/unvote.json`);
    expect([status, json.success, json.score, await scores(post.id)]).toEqual([200, true, 1, [0, 0, 0]]);
    expect((await voter.client.put(`/posts/${post.id}/unvote.json`)).status).toBe(404);
  });

  it("404 without a vote or a post, 403 for visitors", async () => {
    const [post, voter] = [await test.make.post(), await test.make.user()];
    expect((await voter.client.delete(`/posts/${post.id}/votes.json`)).status).toBe(404);
    expect((await voter.client.delete("/posts/999999/votes.json")).status).toBe(404);
    expect((await test.anonymous.delete(`/posts/${post.id}/votes.json`)).status).toBe(403);
    expect(await scores(post.id)).toEqual([0, 0, 0]);
  });
});
