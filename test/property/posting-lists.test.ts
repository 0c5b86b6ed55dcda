/** Posting lists contain the posts that have each tag, whatever is written, by concurrent writers, and while they are built. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import { heldLists, wrongLists } from "../support/postings.js";
import { PostWrites, seeded, type WriteStage } from "../support/post-writes.js";

const ROUNDS = Number(process.env.POSTING_ROUNDS ?? 20);
const SEED = Number(process.env.POSTING_SEED ?? 1);
const AT_ONCE = 8;
const POSTS = 12;
/** Of eight tags on twelve posts: lists of ids and of bits, lists that change their kind, and lists that come and go. */
const LIMITS = [
  { least: 1, common: 0.3 },
  { least: 1, common: 0.9 },
  { least: 5, common: 0.3 },
];

let test: TestBoard;
let sql: pg.Pool;
let writes: PostWrites;
let stage: WriteStage;

beforeAll(async () => {
  test = await startBoard();
  sql = new pg.Pool({ connectionString: test.board.databaseUrl, max: 4 });
  sql.on("error", () => undefined); // when the database is dropped
  const keeper = await test.make.user("Admin");
  const uploader = await test.make.user("Contributor");
  const posts: number[] = [];
  for (let count = 0; count < POSTS; count += 1)
    posts.push((await test.make.post("sea artist:painter", { parent_id: posts[0] }, uploader)).id);
  const made = async (path: string, params: Params) => (await keeper.client.post(path, params)).json.id as number;
  const pool = await made("/pools.json", {
    pool: { name: "pool_1", description: "of posts", post_ids: posts.join(" ") },
  });
  const artist = await made("/artists.json", { artist: { name: "painter" } });
  stage = {
    boards: [test],
    sql,
    admin: keeper,
    uploader: uploader.id,
    posts,
    pools: [pool],
    artist,
    random: seeded(SEED),
  };
  writes = new PostWrites(stage);
});
afterAll(async () => {
  await sql?.end();
  await test?.[Symbol.asyncDispose]();
});

describe("posting lists", () => {
  it(
    "are correct after concurrent writes of every kind, while they are built, converted and removed",
    async () => {
      const seen = new Set<string>();
      for (let round = 0; round < ROUNDS; round += 1) {
        const done = Array.from({ length: AT_ONCE }, () => writes.next().catch(() => undefined));
        const limits = LIMITS[round % LIMITS.length];
        const kept = test.board.postings.maintain(undefined, limits);
        expect([round, SEED, await wrongLists(sql)]).toEqual([round, SEED, []]); // in the middle of all
        await Promise.all([...done, kept]);
        expect([round, SEED, await wrongLists(sql)]).toEqual([round, SEED, []]);
        for (const { kind, state, listed } of await heldLists(sql)) if (listed.length > 0) seen.add(`${kind} ${state}`);
        await sql.query("UPDATE posting_lists SET changed_at = now() - interval '1 hour' WHERE state = 'retired'");
      }
      expect([...seen].sort()).toEqual(["bits ready", "bits retired", "ids ready", "ids retired"]);
    },
    30_000 + ROUNDS * 4_000,
  );

  it("are dropped with all posts", async () => {
    await test.board.postings.maintain(undefined, LIMITS[0]);
    expect((await heldLists(sql)).length).toBeGreaterThan(2);
    await sql.query("TRUNCATE posts CASCADE");
    const { rows } = await sql.query(
      "SELECT (SELECT count(*)::int FROM posting_lists) AS lists, (SELECT count(*)::int FROM posting_bits) AS bits, (SELECT count(*)::int FROM posting_ids) AS ids",
    );
    expect(rows).toEqual([{ lists: 0, bits: 0, ids: 0 }]);
  });
});
