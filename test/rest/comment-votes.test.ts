import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestPost, TestUser } from "../support/factory.js";

let test: TestBoard;
let writer: TestUser;
let voter: TestUser;
let post: TestPost;
beforeAll(async () => {
  test = await startBoard();
  [writer, voter] = [await test.make.user(), await test.make.user()];
  post = await test.make.post();
});
afterAll(() => test[Symbol.asyncDispose]());

async function comment(): Promise<number> {
  const { json } = await writer.client.post("/comments.json", { comment: { post_id: post.id, body: "hm" } });
  return json.id as number;
}
const stateOf = async (id: number) => {
  const { score, updatedAt } = await test.board.database.comment.findUniqueOrThrow({ where: { id } });
  return { score, updatedAt, votes: await test.board.database.commentVote.count({ where: { commentId: id } }) };
};

describe("POST /comments/{id}/votes.json", () => {
  it.each([
    ["up", 1],
    ["1", 1],
    ["down", -1],
    ["-1", -1],
  ])("score %s counts %i, and the comment's time stays", async (score, value) => {
    const id = await comment();
    const before = await stateOf(id);
    const { status, json } = await voter.client.post(`/comments/${id}/votes.json`, { score });
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      reason: "",
      id: expect.any(Number),
      comment_id: id,
      user_id: voter.id,
      score: value,
      created_at: expect.any(String),
      updated_at: json.created_at,
    });
    expect(await stateOf(id)).toEqual({ ...before, score: value, votes: 1 });
  });

  it("423 for a second vote in either direction", async () => {
    const id = await comment();
    await voter.client.post(`/comments/${id}/votes.json`, { score: "up" });
    const before = await stateOf(id);
    for (const score of ["up", "down"]) {
      const { status, json } = await voter.client.post(`/comments/${id}/votes.json`, { score });
      expect([status, json.reason]).toEqual([423, "already voted"]);
    }
    expect(await stateOf(id)).toEqual(before);
  });

  it("counts one of two concurrent votes", async () => {
    const id = await comment();
    const vote = () => voter.client.post(`/comments/${id}/votes.json`, { score: "up" });
    const answers = await Promise.all([vote(), vote()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 423]);
    expect(await stateOf(id)).toMatchObject({ score: 1, votes: 1 });
  });

  it("420 for an upvote on one's own comment; a downvote counts", async () => {
    const id = await comment();
    const { status, json } = await writer.client.post(`/comments/${id}/votes.json`, { score: "up" });
    expect([status, json.reason, json.errors]).toEqual([
      420,
      "score can't be an upvote of your own comment",
      { score: ["can't be an upvote of your own comment"] },
    ]);
    expect(await stateOf(id)).toMatchObject({ score: 0, votes: 0 });
    expect((await writer.client.post(`/comments/${id}/votes.json`, { score: "down" })).json.score).toBe(-1);
  });

  it("403 for visitors and on deleted comments, 404 for an unknown comment, 424 for an invalid score", async () => {
    const [id, deleted] = [await comment(), await comment()];
    await writer.client.delete(`/comments/${deleted}.json`);
    const answers = [
      await test.anonymous.post(`/comments/${id}/votes.json`, { score: "up" }),
      await voter.client.post(`/comments/${deleted}/votes.json`, { score: "up" }),
      await voter.client.post("/comments/99999/votes.json", { score: "up" }),
      await voter.client.post(`/comments/${id}/votes.json`, { score: "sideways" }),
      await voter.client.post(`/comments/${id}/votes.json`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 404, 424, 424]);
    expect([await stateOf(id), await stateOf(deleted)]).toMatchObject([
      { score: 0, votes: 0 },
      { score: 0, votes: 0 },
    ]);
  });
});

describe("DELETE /comments/{id}/votes.json", () => {
  it("removes the vote, also from a deleted comment", async () => {
    const id = await comment();
    await voter.client.post(`/comments/${id}/votes.json`, { score: "down" });
    await writer.client.delete(`/comments/${id}.json`);
    const { status, json } = await voter.client.delete(`/comments/${id}/votes.json`);
    expect([status, json.score, json.comment_id]).toEqual([200, -1, id]);
    expect(await stateOf(id)).toMatchObject({ score: 0, votes: 0 });
  });

  it("404 without a vote or comment, 403 for visitors", async () => {
    const id = await comment();
    const answers = [
      await voter.client.delete(`/comments/${id}/votes.json`),
      await voter.client.delete("/comments/99999/votes.json"),
      await test.anonymous.delete(`/comments/${id}/votes.json`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 403]);
  });
});
