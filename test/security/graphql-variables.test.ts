/** Variables of a GraphQL request are limited, and checked once, before cost is computed or anything runs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_VALUES } from "../../graphql/shared/admission.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

const COMMENTS = "query($search: CommentSearch) { comments(search: $search) { totalCount } }";

const ask = (search: unknown): Promise<Answer> => test.anonymous.graphql(COMMENTS, { search });

/** Refused with 400, with these words, which are few whatever was sent. */
function expectRefused(answer: Answer, reason: RegExp): void {
  expect([answer.status, answer.json.data, answer.json.errors.length]).toEqual([400, undefined, 1]);
  expect(answer.json.errors[0]).toMatchObject({ extensions: { code: "INVALID_PARAMETERS", status: 424 } });
  expect(answer.json.errors[0].message).toMatch(reason);
  expect(answer.text.length).toBeLessThan(3_000);
}

const times = <T>(count: number, value: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => value(index));

describe("variables", () => {
  it("may be a list of 10,000 numbers", async () => {
    const answer = await ask({ id: times(10_000, (index) => index) });
    expect([answer.status, answer.json.data]).toEqual([200, { comments: { totalCount: 0 } }]);
  });

  it.each([
    ["numbers in a list", { id: times(MAX_VALUES, (index) => index) }],
    ["ill-fitting values in a list", { id: times(MAX_VALUES, () => "x") }],
    ["empty lists within lists", { id: times(MAX_VALUES / 2, () => [[]]) }],
  ])("are refused with more than MAX_VALUES values, as %s", async (_, search) => {
    expectRefused(await ask(search), /^variables may have at most 20000 values$/);
  });

  it("are counted together, including undeclared ones", async () => {
    const variables = Object.fromEntries(times(MAX_VALUES / 100, (index) => [`v${index}`, times(100, () => 1)]));
    expectRefused(await test.anonymous.graphql("{ viewer { id } }", variables), /^variables may have at most/);
  });

  it("are refused in a URL, too, where they are nested more than 64 deep", async () => {
    const client = test.anonymous.with({ accept: "application/json", "apollo-require-preflight": "true" });
    const nested = (levels: number) => `{"v": ${"[".repeat(levels)}${"]".repeat(levels)}}`;
    const asked = (levels: number) => client.get("/graphql", { query: "{ __typename }", variables: nested(levels) });
    expect((await asked(60)).status).toBe(200);
    expectRefused(await asked(7_000), /^the query is too deep \(variables of more than 64 levels\)$/);
  });

  it.each([
    ["19,000 values that don't fit", { id: times(19_000, () => "x") }, /^Variable "\$search" got invalid value "x" at/],
    ["900 keys that there are not", Object.fromEntries(times(900, (index) => [`k${index}`, 1])), /^Variable/],
    ["a key of 900,000 letters", { ["k".repeat(900_000)]: 1 }, /^Variable "\$search" got invalid value/],
    ["a text of 900,000 letters for a number", { id: ["x".repeat(900_000)] }, /^Variable "\$search" got invalid value/],
    ["lists within one another 50 deep", { id: JSON.parse("[".repeat(50) + "]".repeat(50)) }, /^Variable/],
  ])("are refused with a short message about the first invalid one: %s", async (_, search, reason) => {
    expectRefused(await ask(search), reason);
  });

  it("get suggestions for misspelled names, but not for very long ones", async () => {
    const vote = "mutation($input: CreatePostVoteInput!) { createPostVote(input: $input) { __typename } }";
    const voted = (score: string) => test.anonymous.graphql(vote, { input: { postId: 1, score } });
    expectRefused(await voted("UPP"), /Did you mean the enum value "UP"\?$/);
    expectRefused(await voted("U".repeat(900_000)), /^Variable "\$input" got invalid value "U+$/);
  });

  it.each([
    ["64 levels", { id: JSON.parse("[".repeat(2_000) + "]".repeat(2_000)) }, "the request body is malformed"],
    [
      "1,000 keys",
      Object.fromEntries(times(1_001, (index) => [`k${index}`, 1])),
      "too many or too deeply nested parameters",
    ],
    ["50,000 values", { id: times(50_001, () => 1) }, "the body may have at most 50000 values"],
  ])("are not even parsed if there are more than %s", async (_, search, message) => {
    const { status, json } = await ask(search);
    expect([status, json.errors]).toMatchObject([424, [{ message }]]);
  });
});

describe("a document", () => {
  it("is refused with more than 100,000 characters, including comments and whitespace", async () => {
    const answer = await test.anonymous.graphql(`{ viewer { id } } ${"#\n".repeat(50_000)}`);
    expect([answer.status, answer.json.errors[0].message]).toEqual([
      424,
      "the query is too long (more than 100000 characters)",
    ]);
  });

  it("is refused with a short message, whatever names it has", async () => {
    const answer = await test.anonymous.graphql(`{ ${"f".repeat(99_000)} }`);
    expectRefused(answer, /^Cannot query field "f+$/);
  });

  it.each([
    ["fields", `{ ${"{ post".repeat(600)} ${"}".repeat(600)}`],
    ["inline fragments", `{ ${"... {".repeat(600)} __typename ${"}".repeat(600)} }`],
    ["lists", `{ posts(tags: ${"[".repeat(900)}${"]".repeat(900)}) { totalCount } }`],
    ["objects", `{ comments(search: ${"{a:".repeat(600)} 1 ${"}".repeat(600)}) { totalCount } }`],
    ["types", `query($a: ${"[".repeat(900)}Int${"]".repeat(900)}) { viewer { id } }`],
  ])("is never a 500, however deeply nested in %s", async (_, document) => {
    const { status } = await test.anonymous.graphql(document);
    expect([200, 400]).toContain(status);
  });
});
