/** The door of visitors' plain questions answers exactly as the app does, which is asked by way of a cookie that means nothing. */
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { gunzipSync, brotliDecompressSync, inflateSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";

let test: TestBoard;
let postId: number;
beforeAll(async () => {
  test = await startBoard({ SERVER_TIMING: "true" });
  const first = await test.make.post("sea artist:mira ship_(vessel)", { source: 'a "book" <1> & é' });
  await test.make.post("sea char:anna", { parent_id: first.id });
  for (let count = 0; count < 6; count += 1) await test.make.post("land wide_sky");
  postId = first.id;
});
afterAll(() => test[Symbol.asyncDispose]());

interface RawAnswer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Bytes and headers as they come. */
const ask = (url: string, path: string, headers: Record<string, string> = {}): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const asked = httpRequest(new URL(url), { path, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    asked.on("error", reject).end();
  });

const BY_APP = { cookie: "theme=dark" };

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
};

function decoded({ headers, body }: RawAnswer): string | undefined {
  const encoding = headers["content-encoding"];
  return (encoding === undefined ? body : DECODERS[encoding]?.(body))?.toString();
}

/** What is another one for each request. */
function steady({ status, headers, body }: RawAnswer) {
  const { date, "x-request-id": id, "server-timing": timing, ...others } = headers;
  const told = { ...others, date: typeof date, "x-request-id": typeof id, "server-timing": typeof timing };
  for (const name of ["x-ratelimit-remaining", "x-api-limit", "x-ratelimit-reset"])
    if (name in told) Object.assign(told, { [name]: "counted" });
  return { status, headers: told, body: body.toString() };
}

const PATHS = [
  "/posts.json",
  "/posts.xml",
  "/posts.json?",
  "/posts.json?limit=2&page=2",
  "/posts.json?limit=2&page=b4",
  "/posts.json?tags=sea+artist%3Amira",
  "/posts.xml?tags=sea%20-char:anna&limit=1",
  "/posts.json?tags=nothing_like_it",
  "/posts.json?tags=order:id",
  "/posts.json?raw=1&tags=ship_(vessel)",
  "/posts.json?only=id,md5",
  "/posts.json?tags[]=sea&limit=1",
  "/posts.json?limit=abc",
  "/posts.json?page=100000",
  "/posts.json?a[b][c][d][e][f][g]=1",
  `/posts.json?tags=${"a+".repeat(60)}`,
  "/posts/1.json",
  "/posts/1.xml?only=id",
  "/posts/99999.json",
  "/posts/99999.xml",
  "/posts/99999999999999999999.json",
  "/posts/0001.json",
  "/posts/x.json",
  "/posts/1.txt",
  "/posts/1",
  "/posts",
  "/posts.json/",
  "/POSTS.json",
  "//posts.json",
  "/posts.json?login=nobody&api_key=wrong",
  "/posts.json?log%69n=nobody&api_key=wrong",
  "/posts.json?[login]=nobody&[api_key]=wrong",
  "/posts.json?limit=1&login=nobody&password_hash=wrong",
];

describe("a visitor's plain question", () => {
  it.each(PATHS)("%s: status, headers and bytes are those of the app", async (path) => {
    expect(steady(await ask(test.url, path))).toEqual(steady(await ask(test.url, path, BY_APP)));
  });

  it.each([
    "gzip",
    "br",
    "gzip, deflate, br",
    "deflate",
    "gzip;q=0.5, br;q=0.1",
    "identity",
    "*",
    "gzip;q=0",
    "compress",
    "",
  ])("accepting %j: encoded as by the app, and the same when decoded", async (encoding) => {
    const accepting = { "accept-encoding": encoding };
    const [ours, app] = [
      await ask(test.url, "/posts.json", accepting),
      await ask(test.url, "/posts.json", { ...accepting, ...BY_APP }),
    ];
    expect(decoded(ours)).toBe(decoded(app));
    expect(decoded(ours)).toContain("ship_(vessel)");
    const told = ({ headers }: RawAnswer) => [headers["content-encoding"], headers.vary, headers.etag];
    expect(told(ours)).toEqual(told(app));
  });

  const SENT: Record<string, string>[] = [
    { "x-request-id": "given-1" },
    { "x-request-id": "no word" },
    { origin: "https://elsewhere.example" },
    { host: "board.example:8080" },
    { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https", "x-forwarded-host": "evil.example" },
    { accept: "text/html" },
    { "if-none-match": "*" },
    { "content-length": "0" },
    { authorization: "Basic bm9ib2R5Ondyb25n" },
    { authorization: "" },
  ];

  it.each(SENT)("with %j: as by the app", async (headers) => {
    const path = "/posts.json?limit=3";
    const ours = await ask(test.url, path, headers);
    const app = await ask(test.url, path, { ...headers, ...BY_APP });
    expect(steady(ours)).toEqual(steady(app));
  });

  it("keeps the id that a proxy gave it, where it is a plain word", async () => {
    const { headers } = await ask(test.url, "/posts.json", { "x-request-id": "given-1" });
    expect(headers["x-request-id"]).toBe("given-1");
  });

  it("is logged in a line as the app's, secrets left out", async () => {
    const path = `/posts/${postId}.json?limit=1&my_password=x`;
    await ask(test.url, path, { "x-request-id": "by-door" });
    await ask(test.url, path, { "x-request-id": "by-app", ...BY_APP });
    const lineOf = (id: string) => test.log.find((line) => (line.req as { id?: string } | undefined)?.id === id);
    await expect.poll(() => [lineOf("by-door"), lineOf("by-app")].every(Boolean)).toBe(true);
    const steadyLine = ({ time, responseTime, req, ...line }: Record<string, unknown> = {}) => ({
      ...line,
      req: { ...(req as object), id: "" },
      times: [typeof time, typeof responseTime],
    });
    expect(steadyLine(lineOf("by-door"))).toEqual(steadyLine(lineOf("by-app")));
    expect(JSON.stringify(lineOf("by-door"))).toContain("my_password=[redacted]");
  });
});

describe("what the door knows of the configuration", () => {
  const SETTINGS: Record<string, string>[] = [
    {},
    { PUBLIC_URL: "https://board.example" },
    { REQUIRE_LOGIN: "true" },
    { LIMIT_ANONYMOUS: "4" },
  ];

  it.each(SETTINGS)("behind a proxy, %j: as by the app", async (settings) => {
    await using board = await startBoard({ ...settings, TRUST_PROXY: "1" });
    const front = { "x-forwarded-proto": "https", "x-forwarded-host": "front.example" };
    const six = async (address: string, more: Record<string, string>) => {
      const answers = [];
      for (let count = 0; count < 6; count += 1)
        answers.push(await ask(board.url, "/posts.json", { ...front, "x-forwarded-for": address, ...more }));
      return answers;
    };
    if (settings.REQUIRE_LOGIN === undefined) await board.make.post("sea");
    const [ours, app] = [await six("203.0.113.8", {}), await six("203.0.113.9", BY_APP)];
    expect(ours.map(steady)).toEqual(app.map(steady));
    const remaining = (answers: RawAnswer[]) => answers.map(({ headers }) => headers["x-ratelimit-remaining"]);
    expect(remaining(ours)).toEqual(remaining(app));
  });
});

describe("an answer that was made before", () => {
  /** What a post's record takes from elsewhere, each changed where it is. */
  const CHANGES: [string, string][] = [
    ["the post", "UPDATE posts SET source = 'another', updated_at = now() WHERE id = $1"],
    [
      "its file",
      "UPDATE media_files SET has_sample = NOT has_sample WHERE id = (SELECT media_file_id FROM posts WHERE id = $1)",
    ],
    [
      "its uploader's name",
      "UPDATE users SET name = 'renamed_' || id WHERE id = (SELECT uploader_id FROM posts WHERE id = $1)",
    ],
    [
      "a tag's name",
      "UPDATE tags SET name = 'renamed_' || name WHERE id = (SELECT tag_ids[1] FROM posts WHERE id = $1)",
    ],
    ["a tag's category", "UPDATE tags SET category = 5 WHERE id = (SELECT tag_ids[1] FROM posts WHERE id = $1)"],
    ["its children", "UPDATE posts SET parent_id = $1 WHERE id = (SELECT max(id) FROM posts)"],
    [
      "a pool with it",
      "INSERT INTO pools (name, creator_id, post_ids, post_count, updated_at) SELECT 'of_it', uploader_id, ARRAY[id], 1, now() FROM posts WHERE id = $1",
    ],
    ["that pool without it", "UPDATE pools SET post_ids = '{}', post_count = 0 WHERE $1 = ANY(post_ids)"],
    ["who may see its file", "UPDATE posts SET is_banned = TRUE WHERE id = $1"],
  ];

  it.each(CHANGES)("is made anew after a change of %s", async (_name, change) => {
    const { board } = test;
    const path = "/posts.json?limit=100";
    const before = await ask(test.url, path);
    expect((await ask(test.url, path)).body.equals(before.body)).toBe(true);
    const changed = await board.pool.query(change, [postId]);
    expect(changed.rowCount).toBe(1);
    const after = await ask(test.url, path);
    expect(after.body.toString()).toBe((await ask(test.url, path, BY_APP)).body.toString());
    expect(after.headers.etag).not.toBe(before.headers.etag);
    const packed = await ask(test.url, path, { "accept-encoding": "gzip" });
    expect(decoded(packed)).toBe(after.body.toString());
  });

  it("is not another's: of another host, format or selection", async () => {
    for (const [path, headers] of [
      ["/posts.json", { host: "one.example" }],
      ["/posts.json", { host: "two.example" }],
      ["/posts.xml", {}],
      ["/posts.json?only=id", {}],
    ] as [string, Record<string, string>][]) {
      await ask(test.url, path, headers);
      expect(steady(await ask(test.url, path, headers))).toEqual(
        steady(await ask(test.url, path, { ...headers, ...BY_APP })),
      );
    }
  });
});

describe("visitors who ask the same at the same time", () => {
  it("are answered out of one reading that begins after they asked", async () => {
    const locker = new pg.Client(test.board.databaseUrl);
    await locker.connect();
    const waiting = async () => {
      const rows = await test.board.prisma.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return rows[0]?.count;
    };
    await locker.query("BEGIN; LOCK TABLE posts IN ACCESS EXCLUSIVE MODE");
    const first = ask(test.url, "/posts.json?limit=5");
    await expect.poll(waiting).toBe(1);
    const others = Array.from({ length: 12 }, () => ask(test.url, "/posts.json?limit=5"));
    const another = ask(test.url, "/posts.json?limit=4");
    await expect.poll(waiting).toBe(2);
    await locker.query("UPDATE posts SET source = 'changed meanwhile'; COMMIT");
    await locker.end();
    const answers = await Promise.all([first, ...others]);
    await another;
    const timed = answers.filter(({ headers }) => headers["server-timing"] !== "db;dur=0.000");
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 13 }, () => 200));
    expect(timed).toHaveLength(2);
    for (const { body } of answers.slice(1)) expect(body.toString()).toContain("changed meanwhile");
  });
});
