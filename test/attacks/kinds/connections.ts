/** Raw connections: silent, slow, half-closed, too many, and data that is not HTTP. */
import type { Attack } from "../attack.js";
import { crowd, head, many, trickle } from "../payloads.js";
import type { Target } from "../target.js";

/** As few connections as row 9 names. */
const FEW = { settings: { MAX_CONNECTIONS: "200" } };

const LONG_BODY = head("POST /posts.json", { "Content-Type": "application/json", "Content-Length": 900_000 });

const slowBodies = (count: number, from: number) => async (target: Target) => {
  await crowd(
    target,
    count,
    async (wire) => {
      await wire.say(LONG_BODY);
      await trickle(target, wire, "a".repeat(30), 100);
    },
    from,
  );
};

const mute = (count: number, from: number) => async (target: Target) => {
  await crowd(target, count, () => undefined, from);
  await target.rest();
};

/** Requests that two parsers may take for one, or for two. */
const SMUGGLED = [
  head("POST /posts.json", { "Content-Length": 5, "Transfer-Encoding": "chunked" }) +
    "0\r\n\r\nGET /profile.json HTTP/1.1\r\n\r\n",
  head("POST /posts.json", { "Transfer-Encoding": "chunked, identity" }) + "0\r\n\r\n",
  head("POST /posts.json", { "Transfer-Encoding": "xchunked" }) + "0\r\n\r\n",
  "POST /posts.json HTTP/1.1\r\nHost: board\r\nContent-Length: 3\r\nContent-Length: 30\r\n\r\nabc",
  "POST /posts.json HTTP/1.1\r\nHost: board\r\nContent-Length : 3\r\n\r\nabc",
  "GET /posts.json HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
  "GET /posts.json HTTP/1.1\nHost: board\n\n",
  "GET /posts.json HTTP/1.1\r\n\r\n",
  "GET /posts.json HTTP/1.0\r\n\r\n",
  "GET /posts.json\r\n\r\n",
  "GET /posts.json HTTP/9.9\r\nHost: board\r\n\r\n",
  head("GET http://elsewhere/posts.json"),
  head("GET //posts.json"),
  head("CONNECT elsewhere:443"),
  head("TRACE /posts.json"),
  head("OPTIONS *"),
  head("GET /posts.json", { Upgrade: "h2c", Connection: "Upgrade, HTTP2-Settings", "HTTP2-Settings": "" }),
  head("GET /graphql", { Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Version": 1 }),
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\r\n".repeat(5_000),
  "\u0000".repeat(5_000),
];

/** A greeting of TLS, as a browser sends it to a port that is for HTTPS. */
const TLS_HELLO = Buffer.from(`16030100c8010000c40303${"5a".repeat(32)}00`, "hex");

const chunked = head("POST /posts.json", { "Content-Type": "application/json", "Transfer-Encoding": "chunked" });
const CHUNKS = [
  "fffffffffffffffff\r\n",
  "-1\r\nabc\r\n",
  "xyz\r\n",
  `1;${"a".repeat(200_000)}\r\na\r\n`,
  many(5_000, () => `1;${"e=f;".repeat(20)}\r\na\r\n`),
  many(100_000, () => "1\r\na\r\n"),
  `0\r\n${many(5_000, (n) => `x-${n}: y\r\n`)}\r\n`,
];

export const connections: readonly Attack[] = [
  { ...FEW, name: "row 9: 200 slow bodies where there are 200 connections", send: slowBodies(200, 1) },
  { ...FEW, name: "row 9: 200 mute sockets where there are 200 connections", send: mute(200, 1) },
  { ...FEW, name: "300 slow bodies from 20 addresses where there are 200 connections", send: slowBodies(300, 20) },
  { ...FEW, name: "300 mute sockets from 20 addresses where there are 200 connections", send: mute(300, 20) },
  { name: "1,500 slow bodies from 100 addresses", seconds: 5, send: slowBodies(1_500, 100) },
  { name: "1,500 mute sockets from 100 addresses", seconds: 5, send: mute(1_500, 100) },
  {
    name: "500 slow heads from 10 addresses",
    async send(target) {
      await crowd(
        target,
        500,
        async (wire, index) => {
          await wire.say("GET /posts.json HTTP/1.1\r\nHost: board\r\n");
          await trickle(target, wire, `X-${index}: y\r\n`, 200);
        },
        10,
      );
    },
  },
  {
    name: "10,000 connections, closed as soon as they are open",
    seconds: 5,
    send: (target) =>
      target.flood(
        32,
        async (turn) => {
          const wire = await target.connect({ from: turn % 32 });
          if (turn % 3 === 0) await wire.say(head("GET /posts.json"));
          if (turn % 2) wire.socket.resetAndDestroy();
          else wire.socket.destroy();
        },
        10_000,
      ),
  },
  {
    name: "answers that are asked for and never read",
    seconds: 5,
    async send(target) {
      await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          const wire = await target.connect({ from: index % 10, isReading: false });
          for (let count = 0; count < 20; count += 1) await wire.say(head("GET /posts.json?limit=100"));
          await wire.closed();
        }),
      );
    },
  },
  {
    name: "files that are asked for and never read",
    async send(target) {
      await Promise.all(
        Array.from({ length: 200 }, async (_, index) => {
          const wire = await target.connect({ from: index % 10, isReading: false });
          for (let count = 0; count < 50; count += 1) await wire.say(head(`GET ${target.facts.file}`));
          await wire.closed();
        }),
      );
    },
  },
  {
    name: "10,000 requests at once on one connection",
    async send(target) {
      const wire = await target.connect();
      await wire.say(many(10_000, () => head("GET /posts.json?limit=100")));
      await wire.closed();
    },
  },
  {
    name: "pipelined requests whose answers nobody reads",
    async send(target) {
      const text = many(2_000, (n) => head(`GET /posts.json?limit=100&page=${n % 5}`));
      await Promise.all(
        [0, 1, 2, 3].map(async (from) => {
          const wire = await target.connect({ from, isReading: false });
          while (!target.isOver && (await wire.say(text)));
        }),
      );
    },
  },
  {
    name: "half-closed connections",
    send: (target) =>
      target.flood(
        32,
        async (turn) => {
          const wire = await target.connect({ from: turn % 16 });
          await wire.say(turn % 2 ? LONG_BODY : head("GET /posts.json"));
          wire.socket.end();
          await Promise.race([wire.closed(), target.wait(500)]);
        },
        2_000,
      ),
  },
  {
    name: "requests that two parsers take for different ones, TLS, HTTP/1.0, HTTP/2",
    send: (target) =>
      target.flood(
        8,
        async (turn) => {
          const wire = await target.connect({ from: turn % 8 });
          await wire.say(turn % 10 === 0 ? TLS_HELLO : (SMUGGLED[turn % SMUGGLED.length] ?? ""));
          await Promise.race([wire.closed(), target.wait(300)]);
          wire.socket.destroy();
        },
        1_000,
      ),
  },
  {
    name: "chunks that are none, with long extensions, by the byte, with trailers",
    send: (target) =>
      target.flood(
        8,
        async (turn) => {
          const wire = await target.connect({ from: turn % 8 });
          await wire.say(chunked);
          await wire.say(CHUNKS[turn % CHUNKS.length] ?? "");
          await Promise.race([wire.closed(), target.wait(300)]);
          wire.socket.destroy();
        },
        500,
      ),
  },
];
