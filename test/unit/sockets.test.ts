/** What one WebSocket may send and leave unread, whatever is served over it. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { GraphQLObjectType, GraphQLSchema, GraphQLString } from "graphql";
import { CloseCode, makeServer } from "graphql-ws";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { WebSocket } from "ws";
import { type Entered, type Opened, serveSockets, SOCKET_LIMITS, type SocketLimits } from "../../src/http/sockets.js";
import { createLog } from "../../src/runtime/telemetry/log.js";
import { HANDSHAKE, RawClient } from "../support/raw-client.js";
import { Talk } from "../support/talk.js";

const text = new GraphQLObjectType({ name: "Query", fields: { text: { type: GraphQLString } } });
const MUCH = "x".repeat(50_000);
const schema = new GraphQLSchema({
  query: text,
  subscription: new GraphQLObjectType({
    name: "Subscription",
    fields: {
      text: {
        type: GraphQLString,
        async *subscribe() {
          for (;;) yield await setImmediate({ text: MUCH });
        },
      },
    },
  }),
});

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A server of its own, with what is to be changed in the limits, and the socket that it has opened last. */
async function serve(limits: Partial<SocketLimits> = {}) {
  const http: Server = createServer();
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const opened: WebSocket[] = [];
  const admits = (one: Opened): Entered => {
    opened.push(one.socket);
    return { ...one, inTurn: (hear) => hear() };
  };
  const log = createLog("silent");
  const sockets = serveSockets(http, makeServer({ schema }), admits, log, { ...SOCKET_LIMITS, ...limits });
  closing.push(
    () => new Promise((resolve) => http.close(resolve)),
    () => Promise.resolve(sockets[Symbol.asyncDispose]()),
  );
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const open = async (options = {}) => {
    const talk = await Talk.open({ url }, options);
    closing.push(() => Promise.resolve(talk[Symbol.dispose]()));
    return talk;
  };
  return { url, open, log, last: () => opened.at(-1) as WebSocket, close: () => sockets[Symbol.asyncDispose]() };
}

describe("a handshake", () => {
  it("is 503 on a connection that is left after the WebSockets were closed, as in a reload", async () => {
    const { url, close } = await serve();
    using client = await RawClient.connect(url);
    await close();
    client.say(HANDSHAKE);
    await expect.poll(() => client.status).toBe(503);
  });
});

const POLICY_VIOLATION = 1008;
const ABNORMAL = 1006;
const ping = { type: "ping" };

describe("a socket", () => {
  it("is closed for too many messages at once, of any kind", async () => {
    const { open } = await serve();
    const senders: ((talk: Talk) => void)[] = [
      (talk) => talk.say(ping),
      (talk) => talk.socket.ping(),
      (talk) => talk.socket.pong("unasked"),
    ];
    for (const send of senders) {
      const talk = await open();
      for (let count = 0; count <= SOCKET_LIMITS.messages + 20; count += 1) send(talk);
      expect([await talk.ended(), talk.reason]).toEqual([POLICY_VIOLATION, "too many messages"]);
    }
  });

  it("is closed for too many bytes at once", async () => {
    const { open } = await serve();
    const talk = await open();
    for (let count = 0; count < 12; count += 1) talk.say({ ...ping, payload: { pad: "x".repeat(99_000) } });
    expect([await talk.ended(), talk.reason]).toEqual([POLICY_VIOLATION, "too many bytes"]);
  });

  it("is closed for a message that is too long, or comes in too many pieces", async () => {
    const { open } = await serve();
    const long = await open();
    long.say({ ...ping, payload: { pad: "x".repeat(100_001) } });
    expect(await long.ended()).toBe(1009);
    const pieces = await open();
    for (let count = 0; count < 1_010; count += 1) pieces.socket.send("", { fin: false });
    expect(await pieces.ended()).toBe(POLICY_VIOLATION);
  });

  it("answers pings without their payload", async () => {
    const { open } = await serve();
    const talk = await open();
    talk.say({ ...ping, payload: { pad: "x".repeat(50_000) } });
    expect(await talk.answer()).toEqual({ type: "pong" });
  });

  it("is closed for a second operation of the same id, however long that is", async () => {
    const { open } = await serve();
    for (const id of ["1", "x".repeat(100)]) {
      const talk = await open();
      talk.say({ type: "connection_init" });
      await talk.answer();
      for (const _ of "12") talk.say({ id, type: "subscribe", payload: { query: "subscription { text }" } });
      expect(await talk.ended()).toBe(CloseCode.SubscriberAlreadyExists);
    }
  });

  it("is closed for a message that only servers send, which is not logged", async () => {
    const { open, log } = await serve();
    const warn = vi.spyOn(log, "warn");
    const messages = [
      { type: "connection_ack" },
      { id: "1", type: "next", payload: { data: {} } },
      { id: "1", type: "error", payload: [{ message: "x" }] },
    ];
    for (const message of messages) {
      const talk = await open();
      talk.say(message);
      expect([await talk.ended(), talk.reason]).toEqual([CloseCode.BadRequest, "Invalid message received"]);
    }
    expect(warn).not.toHaveBeenCalled();
  });

  it("is never compressed", async () => {
    const { open } = await serve();
    expect((await open({ perMessageDeflate: true })).socket.extensions).toBe("");
  });

  it("accepts no messages after closing, and is destroyed if the peer does not answer the close", async () => {
    const { open, last } = await serve({ closeMilliseconds: 100, messages: 5 });
    const talk = await open();
    talk.socket.pause(); // the close frame is not read
    for (let count = 0; count < 10; count += 1) talk.say({ type: "connection_init" });
    await vi.waitUntil(() => last().readyState === last().CLOSED, { timeout: 20_000 });
    expect(last().listenerCount("message")).toBeLessThanOrEqual(1);
  });
});

describe("a peer that does not read", () => {
  it("is closed when too much waits for it", async () => {
    const { open, last } = await serve({ closeMilliseconds: 100 });
    const talk = await open();
    talk.say({ type: "connection_init" });
    await talk.answer();
    talk.socket.pause();
    for (let id = 0; id < 20; id += 1) {
      talk.say({ id: String(id), type: "subscribe", payload: { query: "subscription { text }" } });
    }
    let most = 0;
    await vi.waitUntil(
      () => {
        most = Math.max(most, last().bufferedAmount);
        return last().readyState === last().CLOSED;
      },
      { timeout: 20_000, interval: 5 },
    );
    expect(most).toBeGreaterThan(SOCKET_LIMITS.unsentBytes);
    expect(most).toBeLessThan(SOCKET_LIMITS.unsentBytes + 2 * MUCH.length);
  });

  it("does not answer pings, and is destroyed before the second one", async () => {
    const { open } = await serve({ pingMilliseconds: 50 });
    const talk = await open({ autoPong: false });
    talk.socket.on("ping", () => talk.socket.pong("not what was asked"));
    expect(await talk.ended()).toBe(ABNORMAL);
  });

  it("stays connected if it answers pings", async () => {
    const { open } = await serve({ pingMilliseconds: 50 });
    const talk = await open();
    let pings = 0;
    talk.socket.on("ping", () => (pings += 1));
    talk.say({ type: "connection_init" });
    await vi.waitUntil(() => pings >= 5, { timeout: 20_000 });
    expect(talk.closed).toBeNull();
  });
});

it("a silent peer is disconnected after three seconds", async () => {
  const { open } = await serve();
  expect(await (await open()).ended()).toBe(4408);
});
