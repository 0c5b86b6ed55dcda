/** The limits of subscriptions: connections of a user and of an address, the cost of one, and the hourly limit. */
import { getEventListeners } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { MOST_WAITING } from "../../graphql/subscriptions/backlog.js";
import { MAX_ADDRESS_SUBSCRIPTIONS } from "../../src/http/subscriptions.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import { holdTable, PATIENCE } from "../support/held-table.js";
import { HANDSHAKE, RawClient } from "../support/raw-client.js";
import { type Message, Talk } from "../support/talk.js";

let test: TestBoard;
const open: Talk[] = [];
beforeAll(async () => {
  test = await startBoard({ TRUST_PROXY: "1", LIMIT_MEMBER: "60" });
});
afterEach(() => {
  for (const talk of open.splice(0)) talk[Symbol.dispose]();
});
afterAll(() => test[Symbol.asyncDispose]());

async function connect(
  user: TestUser | null,
  address: string,
  server = test,
): Promise<{ talk: Talk; answer: Message | number }> {
  const talk = await Talk.open(server, { headers: { "x-forwarded-for": address } });
  open.push(talk);
  const payload = user ? { login: user.name, api_key: user.apiKey } : {};
  talk.say({ type: "connection_init", payload });
  return { talk, answer: await talk.answer() };
}

const ACKNOWLEDGED = { type: "connection_ack" };
const FORBIDDEN = 4403;
let serial = 0;
/** An address that nobody has used. */
const address = (): string => `198.51.100.${(serial += 1)}`;

describe("connections", () => {
  it("a user has at most 20, over all addresses; closing one allows another", async () => {
    const user = await test.make.user();
    const first = await connect(user, address());
    for (let count = 1; count < 20; count += 1) expect((await connect(user, address())).answer).toEqual(ACKNOWLEDGED);
    expect((await connect(user, address())).answer).toBe(FORBIDDEN);
    const other = await test.make.user();
    expect((await connect(other, address())).answer).toEqual(ACKNOWLEDGED);
    first.talk.socket.close();
    await expect.poll(async () => (await connect(user, address())).answer).toEqual(ACKNOWLEDGED);
  });

  it("an address has at most 50, also concurrently; behind a proxy it is the client's address", async () => {
    const one = address();
    const answers = await Promise.all(Array.from({ length: 60 }, () => connect(null, one)));
    expect(answers.filter(({ answer }) => answer === FORBIDDEN)).toHaveLength(10);
    expect((await connect(null, address())).answer).toEqual(ACKNOWLEDGED);
  });

  it("are a quarter of MAX_CONNECTIONS; more are refused with 503, which the client receives", async () => {
    await using small = await startBoard({ MAX_CONNECTIONS: "40" });
    const clients = await RawClient.crowd(small.url, 20, HANDSHAKE);
    await expect.poll(() => clients.every(({ isClosed, status }) => isClosed || status === 101)).toBe(true);
    const statuses = clients.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([...Array<number>(10).fill(101), ...Array<number>(10).fill(503)]);
    for (const client of clients) client[Symbol.dispose]();
  });
});

describe("wrong credentials", () => {
  it("count as a visitor's request, as over HTTP", async () => {
    const [user, from] = [await test.make.user(), address()];
    const visitor = test.anonymous.with({ "x-forwarded-for": from });
    const remaining = async () => Number((await visitor.get("/tags.json")).headers.get("x-ratelimit-remaining"));
    const before = await remaining();
    expect((await visitor.get("/tags.json", { login: user.name, api_key: "guess" })).status).toBe(403);
    expect(await remaining()).toBe(before - 2);
    expect((await connect({ ...user, apiKey: "guess" }, from)).answer).toBe(FORBIDDEN);
    expect(await remaining()).toBe(before - 4);
  });
});

describe("subscriptions", () => {
  it("an address has at most 200 on all of its connections; ending one allows another", async () => {
    const one = address();
    const subscribe = (talk: Talk, id: string) =>
      talk.say({ id, type: "subscribe", payload: { query: "subscription { postCreated { id } }" } });
    const count = () => getEventListeners(test.board.events, "post_created").length;
    const talks: Talk[] = [];
    for (let turn = 0; turn < MAX_ADDRESS_SUBSCRIPTIONS / 20; turn += 1) {
      const { talk } = await connect(null, one);
      for (let id = 0; id < 20; id += 1) subscribe(talk, String(id));
      talks.push(talk);
    }
    await expect.poll(count).toBe(MAX_ADDRESS_SUBSCRIPTIONS);
    const { talk } = await connect(null, one);
    subscribe(talk, "refused");
    expect(await talk.answer()).toMatchObject({ type: "error", payload: [{ message: "too many subscriptions" }] });
    const other = await connect(null, address());
    subscribe(other.talk, "1");
    await expect.poll(count).toBe(MAX_ADDRESS_SUBSCRIPTIONS + 1);
    talks[0]?.say({ id: "0", type: "complete" });
    await expect.poll(count).toBe(MAX_ADDRESS_SUBSCRIPTIONS);
    subscribe(talk, "taken");
    await expect.poll(count).toBe(MAX_ADDRESS_SUBSCRIPTIONS + 1);
  });

  it("end with their connection, also those that were ended and started again under one id while they began", async () => {
    const count = () => getEventListeners(test.board.events, "note_changed").length;
    const { talk } = await connect(await test.make.user(), address());
    const say = (id: string, type: string) =>
      talk.say({ id, type, payload: { query: "subscription { noteChanged(postId: 1) { id } }" } });
    {
      await using held = await holdTable(test.board.databaseUrl, "users"); // read by each that begins
      for (let turn = 0; turn < 10; turn += 1) for (const type of ["subscribe", "complete"]) say("1", type);
      say("1", "subscribe");
      say("2", "subscribe");
      await expect.poll(() => held.waiting()).toBe(1);
    }
    await expect.poll(count).toBeGreaterThan(0);
    talk[Symbol.dispose]();
    await expect.poll(count).toBe(0);
  });
});

describe("a subscription", () => {
  it("may cost as much as a query", async () => {
    const { talk } = await connect(null, address());
    const family = "children { parent { children { parent { children { id } } } } }";
    talk.say({ id: "1", type: "subscribe", payload: { query: `subscription { postCreated { ${family} } }` } });
    expect(await talk.answer()).toMatchObject({
      id: "1",
      type: "error",
      payload: [{ message: expect.stringMatching(/^the query is too costly/) as string, extensions: { status: 424 } }],
    });
  });

  it("is refused if fragments make it too large to compute its cost", async () => {
    const { talk } = await connect(null, address());
    const spreads = (index: number) => `...F${index} `.repeat(40);
    const fragments = [1, 2, 3, 4].map((index) => `fragment F${index} on Post { ${spreads(index + 1)} }`);
    const query = `subscription { postCreated { ${spreads(1)} } } ${fragments.join(" ")} fragment F5 on Post { id }`;
    talk.say({ id: "1", type: "subscribe", payload: { query } });
    expect(await talk.answer()).toMatchObject({ type: "error", payload: [{ extensions: { status: 424 } }] });
  });

  it("counts towards the hourly limit each time it starts", async () => {
    const user = await test.make.user();
    const { talk } = await connect(user, address()); // counts as one
    for (let count = 1; count < 60; count += 1) {
      talk.say({ id: String(count), type: "subscribe", payload: { query: "subscription { postCreated { id } }" } });
      talk.say({ id: String(count), type: "complete" });
      talk.say({ type: "ping" });
      expect(await talk.answer()).toEqual({ type: "pong" }); // or more would be about to begin than may
    }
    await expect.poll(async () => (await user.client.get("/tags.json")).status).toBe(421);
    talk.say({ id: "last", type: "subscribe", payload: { query: "subscription { postCreated { id } }" } });
    expect(await talk.answer()).toMatchObject({
      id: "last",
      type: "error",
      payload: [{ message: "hourly limit of 60 requests exceeded", extensions: { code: "THROTTLED", status: 421 } }],
    });
  });
});

describe("a slow subscriber", () => {
  it("is disconnected with 1,000 events waiting, and no one else is", async () => {
    const detail = { type: "comment_created", id: 2_000_000_000, about: 1 } as const;
    const [slow, other] = [(await connect(null, address())).talk, (await connect(null, address())).talk];
    slow.say({ id: "1", type: "subscribe", payload: { query: "subscription { commentCreated { id } }" } });
    other.say({ id: "1", type: "subscribe", payload: { query: "subscription { commentCreated(postId: 2) { id } }" } });
    await expect.poll(() => getEventListeners(test.board.events, detail.type).length).toBe(2);
    for (let count = 0; count <= MOST_WAITING + 100; count += 1) {
      test.board.events.dispatchEvent(new CustomEvent(detail.type, { detail })); // faster than any of them is told
    }
    expect([await slow.ended(), slow.reason]).toEqual([1008, "too much is left unread"]);
    await expect.poll(() => getEventListeners(test.board.events, detail.type).length).toBe(1);
    expect(other.closed).toBeNull();
  });
});

describe("events of costly subscriptions", () => {
  const query = "subscription { commentCreated { post { children(first: 100) { comments(first: 20) { id } } } } }";

  /** Subscribes to it so many times from an address. @returns how many events have come */
  async function subscribed(count: number): Promise<() => number> {
    const { talk } = await connect(null, address());
    let events = 0;
    talk.socket.on("message", (data: Buffer) => (events += Number(data.includes('"next"'))));
    for (let id = 1; id <= count; id += 1) talk.say({ id: String(id), type: "subscribe", payload: { query } });
    return () => events;
  }

  it("wait beyond the points of their address; those of others come at once", async () => {
    const type = "comment_created";
    const listeners = () => getEventListeners(test.board.events, type).length;
    const [many, one] = [await subscribed(20), await subscribed(1)];
    await expect.poll(listeners).toBe(21);
    const author = await test.make.user();
    const { id: about } = await test.make.post();
    const began = performance.now();
    await author.client.post("/comments.json", { comment: { post_id: about, body: "Hello" } });
    await expect.poll(one).toBe(1);
    await expect.poll(many).toBeGreaterThanOrEqual(4); // of more than 4,000 points each: two at once
    expect(performance.now() - began).toBeGreaterThan(2_000);
  });

  it("use at most DATABASE_CONNECTIONS_PER_CLIENT connections and leave the others to everybody else", async () => {
    const settings = { DATABASE_CONNECTIONS: "9", DATABASE_CONNECTIONS_PER_CLIENT: "2", TRUST_PROXY: "1" };
    await using small = await startBoard({ ...settings, ...PATIENCE });
    const { id } = await small.make.post("kitten");
    const { talk } = await connect(null, address(), small);
    const search = 'subscription { postCreated(tags: "kit*") { id } }';
    for (let count = 1; count <= 20; count += 1)
      talk.say({ id: String(count), type: "subscribe", payload: { query: search } });
    const type = "post_created";
    await expect.poll(() => getEventListeners(small.board.events, type).length).toBe(20);
    const held = await holdTable(small.board.databaseUrl, "tags");
    small.board.events.dispatchEvent(new CustomEvent(type, { detail: { type, id, about: id } }));
    await expect.poll(() => held.waiting()).toBe(2);
    const other = small.anonymous.with({ "x-forwarded-for": address() });
    expect((await other.get("/comments.json?group_by=comment")).status).toBe(200);
    expect(await held.waiting()).toBe(2);
    await held[Symbol.asyncDispose]();
    for (let count = 1; count <= 20; count += 1)
      expect(await talk.answer()).toMatchObject({ type: "next", payload: { data: { postCreated: { id } } } });
  });
});
