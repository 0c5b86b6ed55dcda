/** Many requests at once: which is started first, and how long work makes way for others. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { Talk } from "../support/talk.js";

let test: TestBoard;
const opened: (AsyncDisposable | Disposable)[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) {
    if (Symbol.asyncDispose in each) await each[Symbol.asyncDispose]();
    else each[Symbol.dispose]();
  }
});

async function start(settings: Record<string, string> = {}): Promise<void> {
  test = await startBoard(settings);
  opened.push(test);
}

async function connection(localAddress: string): Promise<Socket> {
  const { hostname, port } = new URL(test.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  socket.on("error", () => undefined); // of its end; who waits for data hears of any other
  opened.push({ [Symbol.dispose]: () => socket.destroy() });
  await once(socket, "connect");
  socket.write("GET /healthz HTTP/1.1\r\nHost: board\r\n\r\n");
  await once(socket, "data"); // by then it was taken: the next request on it waits for its turn alone
  return socket;
}

/** In one turn of the loop, a quick machine begins a hundred and fifty of them. */
const FLOOD = 1_000;
const SETTINGS = { LIMIT_ANONYMOUS: "10000", MAX_CONNECTIONS: "3000" };
const ask = (forwardedFor: string): string =>
  `GET /posts.json HTTP/1.1\r\nHost: board\r\nX-Forwarded-For: ${forwardedFor}\r\n\r\n`;

/** Sends a flood of one client and then one request of another, in one turn of the loop. @returns how many were answered before that one */
async function answeredBefore(flood: [local: string, said: string], visitor: [local: string, said: string]) {
  const crowd = await Promise.all(Array.from({ length: FLOOD }, () => connection(flood[0])));
  const last = await connection(visitor[0]);
  let answered = 0;
  for (const socket of crowd) socket.once("data", () => (answered += 1));
  const served = once(last, "data").then(() => answered);
  for (const socket of crowd) socket.write(ask(flood[1]));
  last.write(ask(visitor[1]));
  return served;
}

describe("a request after a flood from another address", () => {
  it("is answered before the rest of the flood", async () => {
    await start(SETTINGS);
    const [flood, visitor] = ["203.0.113.1", "203.0.113.1"]; // nobody believes it
    expect(await answeredBefore(["127.0.0.2", flood], ["127.0.0.3", visitor])).toBeLessThan(FLOOD / 2);
  });

  it("is answered before the rest of the flood behind a proxy too", async () => {
    await start({ ...SETTINGS, TRUST_PROXY: "loopback" });
    const [flood, visitor] = ["203.0.113.1", "203.0.113.2"];
    expect(await answeredBefore(["127.0.0.2", flood], ["127.0.0.2", visitor])).toBeLessThan(FLOOD / 2);
  });
});

describe("a request whose client has closed the connection at once", () => {
  it.each<[string, (socket: Socket) => void]>([
    ["by its end", (socket) => socket.destroy()],
    ["by a reset", (socket) => socket.resetAndDestroy()],
    ["on its side alone", (socket) => socket.end()],
  ])("is not started: %s", async (_, close) => {
    await start({ LIMIT_ANONYMOUS: "50" });
    const { hostname, port } = new URL(test.url);
    const left = async () => (await test.anonymous.get("/posts.json")).headers.get("x-ratelimit-remaining");
    expect(await left()).toBe("49");
    for (let count = 0; count < 20; count += 1) {
      const socket = connect({ host: hostname, port: Number(port) });
      await once(socket, "connect");
      socket.write(ask("203.0.113.1"));
      close(socket);
      await once(socket, "close");
    }
    expect(await left()).toBe("48");
  });

  it.each([
    ["without a proxy", {}],
    ["behind one", { TRUST_PROXY: "loopback" }],
    ["behind a number of them", { TRUST_PROXY: "1" }],
  ])("has no address, and the server keeps running, also while other requests wait: %s", async (_, settings) => {
    await start({ ...SETTINGS, ...settings });
    const crowd = await Promise.all(
      Array.from({ length: FLOOD }, (_each, index) => connection(`127.0.1.${index % 100}`)),
    );
    const answers = crowd.map((socket) => once(socket, "data"));
    for (const [index, socket] of crowd.entries()) socket.write(ask(`203.0.113.${index % 100}`));
    spawnSync(process.execPath, ["-e", RESETTING, new URL(test.url).port]); // the server, in this process, does nothing meanwhile
    expect(await Promise.all(answers)).toHaveLength(FLOOD);
  });
});

/** Opens connections, sends a request on each, and resets them. */
const RESETTING = `
  const { connect } = require("node:net");
  for (let count = 0; count < 100; count += 1) {
    const socket = connect({ host: "127.0.0.1", port: Number(process.argv[1]) }, () =>
      socket.write(${JSON.stringify("GET /posts.json HTTP/1.1\r\nHost: board\r\n\r\n")}, () => socket.resetAndDestroy()));
  }`;

describe("long work that is refused", () => {
  const LONG = "a".repeat(10_000);
  const headers = { "content-type": "application/json" };
  const send = (path: string, body: string) => test.anonymous.send(path, { method: "POST", headers, body });
  const document = (query: string, more: object = {}) =>
    send("/graphql", JSON.stringify({ query: `${query} # ${LONG}`, ...more }));

  it.each<[string, number, () => Promise<{ status: number }>]>([
    ["invalid JSON", 424, () => send("/posts.json?_method=GET", `{"a":"${LONG}`)],
    ["invalid JSON for GraphQL", 424, () => send("/graphql", `{"query":"${LONG}`)],
    ["a document that can't be parsed", 400, () => document("{ viewer")],
    ["an invalid document", 400, () => document("{ nothing }")],
    [
      "ill-fitting variables",
      400,
      () => document("query($n: Int!) { post(id: $n) { id } }", { variables: { n: "x" } }),
    ],
    ["an unknown operation name", 400, () => document("query A { viewer { id } }", { operationName: "B" })],
  ])("frees the lane at once: %s", async (_, status, fail) => {
    await start();
    expect((await fail()).status).toBe(status);
    const began = performance.now();
    expect((await document("{ viewer { id } }")).status).toBe(200);
    expect((await send("/posts.json?_method=GET", JSON.stringify({ tags: "", x: LONG }))).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it("frees the lane at once: an invalid subscription", async () => {
    await start();
    using talk = await Talk.open(test);
    talk.say({ type: "connection_init" });
    expect(await talk.answer()).toMatchObject({ type: "connection_ack" });
    for (const query of ["subscription { nothing }", "subscription {"])
      expect(await talk.ask({ query: `${query} # ${LONG}` })).toMatchObject({ type: "error" });
    const began = performance.now();
    expect((await document("{ viewer { id } }")).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
