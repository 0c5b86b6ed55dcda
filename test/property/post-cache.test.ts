/**
 * Cached posts are never stale: after writes of every kind, by every way, two servers with caches respond like one
 * without.
 *
 * POST_CACHE_WRITES=100000 npx vitest run test/property/post-cache.test.ts    for longer; POST_CACHE_SEED for other draws.
 * With POST_CACHE_KILLS=true the servers read from a replica, one of them is a process of its own, and that process, the replica
 * and the primary are killed by turns.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { buildSchema } from "graphql";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client, Params } from "../support/client.js";
import { Folder } from "../support/folder.js";
import { RandomQueries } from "../support/random-queries.js";
import { type Ground, harshGround, plainGround } from "../support/memory-ground.js";
import { KINDS_OF_WRITES, PostWrites, seeded, type WriteStage } from "../support/post-writes.js";

const WRITES = Number(process.env.POST_CACHE_WRITES ?? 3_000);
/** Milliseconds after which the rest is left, unless their number was asked for. */
const PATIENCE = process.env.POST_CACHE_WRITES ? Infinity : 12_000;
const SEED = Number(process.env.POST_CACHE_SEED ?? 1);
/** Writes that go on at once, beside reads, between two comparisons; each fourth time connections are cut meanwhile. */
const AT_ONCE = 12;
const POSTS = 12;
/** Random queries that are compared with the same one interpreted, and how often each is run: interpreted, compiled, with posts in memory. */
const QUERIES = 90;
const TIMES = 3;

const KILLS = process.env.POST_CACHE_KILLS === "true";
/** Each so many rounds something is killed. */
const BETWEEN_KILLS = 8;

let ground: Ground;
let folder: Folder;
let sql: pg.Pool;
/** two that remember, one of them next to nothing, so that posts come and go; and one that does not */
let servers: TestBoard[];
let [gold, admin]: Client[] = [];
let stage: WriteStage;
let writes: PostWrites;
const [remembering, forgetful, anew] = [0, 1, 2];
/** those that remember; the last is the process of its own, if there is one */
const remembered = KILLS ? [remembering, forgetful, 3] : [remembering, forgetful];

beforeAll(async () => {
  folder = await Folder.make();
  ground = KILLS ? await harshGround(folder) : await plainGround();
  sql = new pg.Pool({ connectionString: ground.url, max: 4 });
  sql.on("error", () => undefined); // when the database is dropped
  const settings = { DATABASE_URL: ground.url, DATA_DIR: folder.at("data"), PUBLIC_URL: "http://board.example" };
  const start = (bytes: number, more: Record<string, string> = ground.settings) =>
    startBoard({ ...settings, ...more, POST_CACHE_BYTES: String(bytes) });
  servers = [await start(64_000_000), await start(700_000), await start(0, {})];
  await ground.serve({ ...settings, ...ground.settings, LIMIT_ANONYMOUS: "1000000000", LIMIT_ADDRESS: "1000000000" });
  const { make } = at(remembering);
  const keeper = await make.user("Admin");
  const uploader = await make.user("Contributor");
  [admin, gold] = [keeper.client, (await make.user("Gold")).client];
  const posts: number[] = [];
  for (let count = 0; count < POSTS; count += 1)
    posts.push((await make.post("sea artist:painter", { parent_id: posts[0] }, uploader)).id);
  const made = async (path: string, params: Params) => (await keeper.client.post(path, params)).json.id as number;
  const pools = [1, 2, 3].map((number) =>
    made("/pools.json", { pool: { name: `pool_${number}`, description: "of posts", post_ids: posts.join(" ") } }),
  );
  const artist = await made("/artists.json", { artist: { name: "painter" } });
  const boards = [at(remembering), at(forgetful)];
  stage = {
    boards,
    sql,
    admin: keeper,
    uploader: uploader.id,
    posts,
    pools: await Promise.all(pools),
    artist,
    random: seeded(SEED),
  };
  writes = new PostWrites(stage);
});
afterAll(async () => {
  await sql?.end();
  for (const server of servers ?? []) await server[Symbol.asyncDispose]();
  await ground?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

const at = (index: number): TestBoard => servers[index] as TestBoard;
const urlOf = (index: number): string => servers[index]?.url ?? ground.address() ?? "";
const there = (client: Client, index: number): Client =>
  Object.assign(Object.create(client) as Client, { url: urlOf(index) });
const visitor = (index: number): Client => there(at(anew).anonymous, index);

const FIELDS =
  "id source tagString md5 fileUrl uploaderName poolString childIds hasVisibleChildren mediaFile { variants { url } }";

/** What posts are shown by, as each kind of viewer. */
const READS: Record<string, (index: number) => Promise<string>> = {
  "a page": async (index) => (await visitor(index).get("/posts.json", { limit: 100 })).text,
  "a page, as XML": async (index) => (await visitor(index).get("/posts.xml", { limit: 100 })).text,
  "a page for Gold": async (index) => (await there(gold as Client, index).get("/posts.json", { limit: 100 })).text,
  "a search": async (index) => (await visitor(index).get("/posts.json", { tags: "sea order:score" })).text,
  "some fields": async (index) => (await visitor(index).get("/posts.json", { only: "id,tag_string,score" })).text,
  "one post": async (index) => (await visitor(index).get(`/posts/${stage.posts[0]}.json`)).text,
  "GraphQL: a page": async (index) =>
    (
      await visitor(index).graphql(
        `{ posts(first: 100) { edges { cursor node { ${FIELDS} } } pageInfo { endCursor } } }`,
      )
    ).text,
  "GraphQL: without tags, for the administrator": async (index) =>
    (
      await there(admin as Client, index).graphql(
        "{ posts(first: 100) { tags { pagePostCount tag { name } } nodes { id md5 score favCount isFlagged parent { id tagString } children { id source } } } }",
      )
    ).text,
};

const readAll = (index: number): Promise<[string, string][]> =>
  Promise.all(Object.entries(READS).map(async ([name, read]) => [name, await read(index)] as [string, string]));

/** Ends what the servers' connections are in the middle of, some of them. */
const cut = () =>
  sql.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'graphbooru' AND state <> 'idle' AND pid <> pg_backend_pid()`,
  );

/** Writes at once, and reads that remember what they see of them. */
async function writeAtOnce(round: number): Promise<void> {
  const done = Array.from({ length: AT_ONCE }, () => writes.next().catch(() => undefined));
  const reads = remembered.map((index) => readAll(index).catch(() => []));
  if (round % 4 === 0) await cut();
  const isKilled = KILLS && round % BETWEEN_KILLS === BETWEEN_KILLS - 1;
  if (isKilled) await ground.kill(Math.floor(round / BETWEEN_KILLS));
  await Promise.all([...done, ...reads]);
  if (isKilled) await untilUp();
}

/** Waits until all servers answer, after a database that they had connections to was killed. */
async function untilUp(): Promise<void> {
  const answers = await Promise.all(
    [anew, ...remembered].flatMap((index) => [visitor(index).get("/readyz"), visitor(index).get("/posts.json")]),
  );
  if (answers.every(({ status }) => status === 200)) return;
  await sleep(50);
  await untilUp();
}

/** Of what state posts are: the same before and after what nobody has written beside. */
async function marks(): Promise<unknown> {
  const { rows } = await sql.query(
    "SELECT string_agg(concat(id, ':', revision), ' ' ORDER BY id) AS posts, (SELECT value FROM tag_generation) AS tags FROM posts",
  );
  return rows;
}

/** All remembering servers answer everything as the one that makes it anew. */
async function compare(after: string): Promise<void> {
  const before = await marks();
  await ground.settle();
  const answers = new Map<number, [string, string][]>();
  for (const index of [anew, ...remembered]) answers.set(index, await readAll(index));
  const wanted = answers.get(anew);
  const isEqual = remembered.every((index) => isDeepStrictEqual(answers.get(index), wanted));
  // a job that was cut off, and began again meanwhile: some answers are of before it
  if (!isEqual && !isDeepStrictEqual(await marks(), before)) return compare(after);
  for (const index of remembered) expect([after, index, answers.get(index)]).toEqual([after, index, wanted]);
}

const schema = buildSchema(readFileSync(new URL("../../graphql/schema.graphql", import.meta.url), "utf8"));

const VIEWERS: readonly ((index: number) => Client)[] = [
  visitor,
  (index) => there(gold as Client, index),
  (index) => there(admin as Client, index),
];

let serial = 0;

/**
 * All servers that remember answer a query as the one that makes it anew, each time and for each viewer.
 * @returns whether it had data, and no errors
 */
async function compareQuery(query: string): Promise<boolean> {
  const before = await marks();
  // a document that came before would be compiled
  const asNew = () => `${query} # ${(serial += 1)}`;
  const wanted = await Promise.all(VIEWERS.map(async (viewer) => (await viewer(anew).graphql(asNew())).text));
  const answers: string[][] = [];
  for (const index of remembered)
    for (let time = 0; time < TIMES; time += 1)
      answers.push(await Promise.all(VIEWERS.map(async (viewer) => (await viewer(index).graphql(query)).text)));
  if (!isDeepStrictEqual(await marks(), before)) return compareQuery(query);
  for (const each of answers) expect([query, each]).toEqual([query, wanted]);
  expect(wanted.join()).not.toContain("INTERNAL");
  return wanted.every((text) => text.startsWith('{"data":{') && !text.includes('"errors"'));
}

describe("two servers with a post cache, and one without, return the same", () => {
  it.each(KINDS_OF_WRITES)("after %s", async (kind) => {
    await compare("before it"); // whatever it changes was remembered
    await compare("before it, once more");
    await writes.certainly(kind);
    await compare(kind);
  });

  it("to random queries, after any writes", async () => {
    const queries = new RandomQueries(schema, seeded(SEED));
    let answered = 0;
    for (let drawn = 0; drawn < QUERIES; drawn += 1) {
      if (drawn % 3 === 0) await writes.next().catch(() => undefined);
      if (await compareQuery(queries.next())) answered += 1;
    }
    expect(answered).toBeGreaterThan(QUERIES / 3);
  });

  it(
    "after writes of every kind at once, beside reads, with connections that are cut",
    async () => {
      const end = performance.now() + PATIENCE;
      for (let round = 0; round * AT_ONCE < WRITES && performance.now() < end; round += 1) {
        await writeAtOnce(round);
        await compare(`round ${round} of seed ${SEED}`);
      }
      expect(at(remembering).board.postCache.reads.hits).toBeGreaterThan(1_000);
    },
    60_000 + WRITES * 100,
  );
});
