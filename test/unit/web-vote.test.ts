/** The expected state of a record after a vote, before the board has responded. */
import { expect, it } from "vitest";
import { voted } from "../../web/lib/vote.js";

it.each([
  [{ score: 5, viewerVote: null }, "UP", { score: 6, viewerVote: "UP" }],
  [{ score: 5, viewerVote: null }, "DOWN", { score: 4, viewerVote: "DOWN" }],
  [{ score: 5, viewerVote: "UP" }, "UP", { score: 4, viewerVote: null }],
  [{ score: 5, viewerVote: "UP" }, "DOWN", { score: 3, viewerVote: "DOWN" }],
  [{ score: 5, viewerVote: "DOWN" }, "UP", { score: 7, viewerVote: "UP" }],
  [{ score: 5, viewerVote: "DOWN" }, "DOWN", { score: 6, viewerVote: null }],
] as const)("of %j, %s makes %j", (before, vote, after) => {
  expect(voted(before, vote)).toEqual(after);
});
