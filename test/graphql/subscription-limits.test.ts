/** Operations over a WebSocket: only subscriptions, within the limits of a query, with the current rights of the user. */
import { getEventListeners } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import { makeStage, type Stage } from "../support/stage.js";
import { Talk } from "../support/talk.js";

let test: TestBoard;
let stage: Stage;
beforeAll(async () => {
  test = await startBoard();
  stage = await makeStage(test);
});
afterAll(() => test[Symbol.asyncDispose]());

const comments = () => test.board.database.comment.count();
const writing = (postId: number) => `createComment(input: { postId: ${postId}, body: "smuggled" }) { comment { id } }`;
/** Words and signs that mean nothing, as many as it takes to be past the limit of a document. */
const padding = (field: string) => `fragment F on Post { ${`${field} `.repeat(2_000)} }`;

const refusedAs = (message: unknown) => ({
  type: "error",
  payload: [{ message, extensions: { code: "INVALID_PARAMETERS", status: 424 } }],
});

describe("a document that is refused over HTTP", () => {
  const deep = `${"children { ".repeat(40)} id ${"} ".repeat(40)}`;
  const documents: [string, { query: string; operationName?: string; variables?: object }][] = [
    ["a syntax error", { query: "subscription { postCreated {" }],
    ["an empty text", { query: " " }],
    ["no operation", { query: "fragment A on Post { id }" }],
    ["an unknown field", { query: "subscription { postCreated { passwordHash } }" }],
    ["more tokens than may be", { query: `subscription { postCreated { id ...F } } ${padding("id")}` }],
    ["a mutation of more tokens than may be", { query: `mutation { ${writing(1)} } ${padding("id")}` }],
    ["too many levels", { query: `subscription { postCreated { ${deep} } }` }],
    ["braces without end", { query: "{a".repeat(900) }],
    ["fields nested without end", { query: `{${"a{".repeat(600)}b${"}".repeat(601)}` }],
    [
      "too many aliases",
      { query: `subscription { postCreated { ${Array.from({ length: 500 }, (_, i) => `a${i}: id`).join(" ")} } }` },
    ],
    ["two operations and no name", { query: "subscription A { postCreated { id } } query B { viewer { id } }" }],
    ["a condition on its field", { query: "subscription { postCreated @skip(if: true) { id } }" }],
    ["one on a fragment", { query: "subscription { ... @include(if: false) { postCreated { id } } }" }],
    [
      "one with a variable",
      { query: "subscription ($a: Boolean!) { postCreated @include(if: $a) { id } }", variables: { a: true } },
    ],
    ["a name that is none's", { query: "subscription A { postCreated { id } }", operationName: "B" }],
    ["a name where there is none", { query: "subscription { postCreated { id } }", operationName: "B" }],
  ];

  it.each(documents)("is refused with the same error over the WebSocket: %s", async (_, asked) => {
    const over = await test.anonymous.json("POST", "/graphql", asked);
    using talk = await Talk.signedIn(test, await test.make.user());
    const answer = await talk.ask(asked);
    expect([over.status, answer]).toMatchObject([400, { type: "error", payload: over.json.errors as object[] }]);
    expect(over.json.errors[0]).toMatchObject({ extensions: { status: 424 } });
  });
});

describe("an operation that is not a subscription", () => {
  const read = "query Read { viewer { id } }";
  const subscription = "subscription Listen { postCreated { id } }";

  it.each<[string, (postId: number) => { query: string; operationName?: string }]>([
    ["a query", () => ({ query: read })],
    ["a query by its name", () => ({ query: `${subscription} ${read}`, operationName: "Read" })],
    ["a mutation", (id) => ({ query: `mutation { ${writing(id)} }` })],
    [
      "a mutation beside a subscription",
      (id) => ({ query: `${subscription} mutation Write { ${writing(id)} }`, operationName: "Write" }),
    ],
  ])("does not run over a WebSocket: %s", async (_, ask) => {
    const before = await comments();
    using talk = await Talk.signedIn(test, stage.owner);
    expect(await talk.ask(ask(stage.records.posts))).toMatchObject(refusedAs("only subscriptions are taken here"));
    expect(await comments()).toBe(before);
  });

  it("does not run in a document over the length limit", async () => {
    const before = await comments();
    using talk = await Talk.signedIn(test, stage.owner);
    const query = `mutation { ${writing(stage.records.posts)} } ${padding("id")}`;
    const tooLong = expect.stringMatching(/more that 2000 tokens/) as unknown;
    expect(await talk.ask({ query })).toMatchObject(refusedAs(tooLong));
    expect(await comments()).toBe(before);
  });
});

it("a subscription does not run over HTTP", async () => {
  const { status, json } = await test.anonymous.graphql("subscription { postCreated { id } }");
  const reason = "subscriptions are taken over a WebSocket";
  expect([status, json.errors[0].extensions]).toEqual([400, { code: "INVALID_PARAMETERS", status: 424, reason }]);
});

it("variables that don't fit are refused", async () => {
  using talk = await Talk.signedIn(test, stage.owner);
  const query = "subscription($id: Int!) { noteChanged(postId: $id) { id } }";
  expect(await talk.ask({ query, variables: { id: "x" } })).toMatchObject(
    refusedAs(expect.stringContaining('"$id" got invalid value') as unknown),
  );
});

it("a subscription name longer than 100 characters closes the connection", async () => {
  using talk = await Talk.signedIn(test, stage.owner);
  const payload = { query: "subscription { postCreated { id } }" };
  talk.say({ id: "x".repeat(101), type: "subscribe", payload });
  expect(await talk.ended()).toBe(4403);
});

describe("on an open connection", () => {
  const MAIL = "subscription { dmailReceived { id } }";
  const change = (user: TestUser, data: object) => test.board.database.user.update({ where: { id: user.id }, data });

  it("a user who was banned meanwhile has the rights of a banned user", async () => {
    const user = await test.make.user();
    using talk = await Talk.signedIn(test, user);
    await change(user, { isBanned: true });
    expect(await talk.ask({ query: MAIL })).toMatchObject({
      payload: { errors: [{ extensions: { code: "FORBIDDEN", reason: "your account is banned" } }] },
    });
  });

  it("a user whose level fell has the hourly limit of the new one", async () => {
    await using board = await startBoard({ LIMIT_MEMBER: "1" });
    const user = await board.make.user("Gold");
    using talk = await Talk.signedIn(board, user);
    await board.board.database.user.update({ where: { id: user.id }, data: { level: 20 } });
    const cost = { query: "subscription { postCreated { id } }" };
    talk.say({ id: "first", type: "subscribe", payload: cost });
    expect(await talk.ask(cost)).toMatchObject({
      payload: [{ extensions: { reason: "hourly limit of 1 request exceeded" } }],
    });
  });

  it.each<[string, (user: TestUser) => object]>([
    ["is closed", () => ({ isDeleted: true })],
    ["has another password", () => ({ passwordHash: stage.owner.apiKey })],
  ])("is closed at the next subscribe when the account %s", async (_, data) => {
    const user = await test.make.user();
    using talk = await Talk.signedIn(test, user);
    await change(user, data(user));
    expect(await talk.ask({ query: "subscription { postCreated { id } }" })).toBe(4403);
  });
});

describe("connectionParams", () => {
  it.each(["authorization", "Authorization", "AUTHORIZATION", "aUtHoRiZaTiOn"])("authenticate by %s", async (name) => {
    const user = await test.make.user();
    using talk = await Talk.open(test);
    const basic = `Basic ${Buffer.from(`${user.name}:${user.apiKey}`).toString("base64")}`;
    talk.say({ type: "connection_init", payload: { [name]: basic } });
    expect(await talk.answer()).toEqual({ type: "connection_ack" });
    const ask = { query: "subscription { dmailReceived { id } }" };
    talk.say({ id: "mail", type: "subscribe", payload: ask });
    await expect.poll(() => listening()).toBe(true);
  });

  /** whether a subscription to dmails has begun */
  const listening = () => getEventListeners(test.board.events, "dmail_received").length > 0;

  it.each([null, 7, ["Basic x"], { a: 1 }])("are ignored if they are not strings: %j", async (value) => {
    using talk = await Talk.open(test);
    talk.say({ type: "connection_init", payload: { Authorization: value, login: value, api_key: value } });
    expect(await talk.answer()).toEqual({ type: "connection_ack" });
  });
});
