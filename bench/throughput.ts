/**
 * Requests a second where no question is asked twice: what a server does for each, and not what it remembers of the last.
 *
 *   npm run bench:throughput -- [--posts 50000] [--data DIR] [--release DIR] [--seconds 5] [--only pages]
 *
 * With --data the board is made there once and used again; --release is the folder of another build than this checkout's.
 */
import { randomBytes } from "node:crypto";
import { chmod } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { openEmbedded } from "../src/database/embedded.js";
import { migrate } from "../src/database/migrate.js";
import { Folder } from "../test/support/folder.js";
import { ServerProcess } from "../test/support/server-process.js";
import { generateBoard } from "./generate.js";
import { SETTINGS } from "./search/server.js";
import { Connection, type Reply } from "./search/load/connection.js";
import { percentile } from "./search/statistics.js";

const CONNECTIONS = 16;
const PER_PAGE = 20;
/** Pages of the newest 20,000 posts. */
const PAGES = 1000;
const WARM_UP_MS = 2000;

const { values: options } = parseArgs({
  options: {
    posts: { type: "string", default: "50000" },
    data: { type: "string" },
    release: { type: "string", default: "." },
    seconds: { type: "string", default: "5" },
    only: { type: "string", default: "" },
  },
});

const MEMBER = { name: "throughput", key: `$2b$12$${"a".repeat(53)}` };
const GALLERY = `query Gallery($tags: String, $page: String) { posts(tags: $tags, page: $page, first: ${PER_PAGE}) { nodes {
  id createdAt rating score favCount uploaderName tagString previewFileUrl fileUrl } } }`;

/** A question that is another one for each number. */
type Question = (index: number) => string;

const head = (method: string, target: string, more = ""): string =>
  `${method} ${target} HTTP/1.1\r\nHost: board.example\r\nAccept: application/json\r\n${more}\r\n`;

/** Walks over all numbers below a bound in an order that is none. */
const scattered = (index: number, bound: number): number => (index * 7919) % bound;

function questionsOn(tags: readonly string[]): Record<string, Question> {
  const page = (index: number) => 1 + scattered(index, PAGES);
  const tag = (index: number) => tags[scattered(index, tags.length)] ?? "";
  const basic = `Authorization: Basic ${Buffer.from(`${MEMBER.name}:${MEMBER.key}`).toString("base64")}\r\n`;
  const graphql = (variables: object) => {
    const body = JSON.stringify({ query: GALLERY, variables });
    const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    return head("POST", "/graphql", headers) + body;
  };
  return {
    "pages, visitor": (index) => head("GET", `/posts.json?limit=${PER_PAGE}&page=${page(index)}`),
    "pages, member by key": (index) => head("GET", `/posts.json?limit=${PER_PAGE}&page=${page(index)}`, basic),
    "tags, visitor": (index) => head("GET", `/posts.json?limit=${PER_PAGE}&tags=${encodeURIComponent(tag(index))}`),
    "one post, visitor": (index) => head("GET", `/posts/${1 + scattered(index, 20_000)}.json`),
    "GraphQL gallery, pages": (index) => graphql({ page: String(page(index)) }),
    "GraphQL gallery, tags": (index) => graphql({ tags: tag(index) }),
  };
}

/** Asks for so long on all connections. */
async function ask(url: URL, question: Question, milliseconds: number, first: number): Promise<Reply[]> {
  const replies: Reply[] = [];
  let index = first;
  const end = performance.now() + milliseconds;
  const one = async () => {
    const connection = await Connection.open(url.hostname, Number(url.port));
    while (performance.now() < end) replies.push(await connection.send(question((index += 1))));
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  return replies;
}

async function measure(url: URL, name: string, question: Question): Promise<void> {
  const first = randomBytes(3).readUIntBE(0, 3);
  await ask(url, question, WARM_UP_MS, first);
  const seconds = Number(options.seconds);
  const replies = await ask(url, question, seconds * 1000, first + 100_000);
  const failed = replies.filter(({ status }) => status !== 200).length;
  const p50 = percentile(
    replies.map(({ milliseconds }) => milliseconds),
    0.5,
  );
  const told = [
    (replies.length / seconds).toFixed(0).padStart(6),
    p50.toFixed(1).padStart(6),
    String(failed).padStart(4),
  ];
  process.stdout.write(`${name.padEnd(24)} ${told.join("  ")}\n`);
}

/** An account with a key, and the commonest tags. */
async function prepare(url: string, posts: number): Promise<string[]> {
  await migrate(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: made } = await client.query<{ any: boolean }>("SELECT EXISTS (SELECT FROM posts) AS any");
    if (!made[0]?.any) await generateBoard(url, { posts });
    await client.query(`INSERT INTO users (name, password_hash, level) VALUES ($1, $2, 20) ON CONFLICT DO NOTHING`, [
      MEMBER.name,
      MEMBER.key,
    ]);
    const { rows } = await client.query<{ name: string }>("SELECT name FROM tags ORDER BY post_count DESC LIMIT 2000");
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

async function main(): Promise<void> {
  await using folder = await Folder.make();
  const data = options.data ?? folder.path;
  if (options.data === undefined) await chmod(data, 0o711); // the database's user has to enter it
  const embedded = await openEmbedded({ dataDir: data });
  try {
    const tags = await prepare(embedded.url, Number(options.posts));
    const settings = {
      ...SETTINGS,
      LIMIT_ADDRESS: "1000000000",
      MAX_REQUESTS_PER_ADDRESS: "64",
      DATABASE_CONNECTIONS_PER_CLIENT: "16",
    };
    const server = await ServerProcess.start(
      path.join(data, "served"),
      { ...settings, DATABASE_URL: embedded.url },
      options.release,
    );
    try {
      process.stdout.write(`${"".padEnd(24)}  req/s  p50 ms  failed\n`);
      for (const [name, question] of Object.entries(questionsOn(tags)))
        if (name.includes(options.only)) await measure(new URL(server.url), name, question);
    } finally {
      await server.end();
    }
  } finally {
    await embedded.close();
  }
}

await main();
process.exit();
