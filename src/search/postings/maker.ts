/**
 * Builds the posting lists of tags with many posts, and removes those of tags with few. Triggers keep a list up to date
 * as soon as `posting_lists` names it; the maker adds the existing posts, block by block, while the board
 * is written to. Readers may cache for a minute which lists there are, so a list is retired before it is removed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Executor, type Sql, sql } from "../../database/client.js";
import { BLOCK, BLOCK_BITS, POSTING_LIMITS, type PostingKind, type PostingLimits } from "./lists.js";

interface List {
  tagId: number;
  kind: PostingKind;
}

/** Lists being built. */
interface Build {
  lists: List[];
  /** all blocks before it are complete */
  block: number;
  begunAt: string;
}

/** How long a retired list is kept: longer than any process caches which lists there are. */
const RETIRED_FOR = sql`interval '10 minutes'`;
/** Pause after a block, relative to its duration, for the writers that waited for it. */
const PAUSE = 0.5;
const POLL_MS = 20;

/** Runs statements in one transaction on the primary, and again after a deadlock. */
export type Transact = <T>(work: (db: Executor) => Promise<T>) => Promise<T>;

export class PostingMaker {
  /** @param pause after a block, relative to its duration; 0 if nobody else writes */
  constructor(
    private readonly transact: Transact,
    private readonly pause = PAUSE,
  ) {}

  /**
   * Updates the lists to the tags' numbers of posts. If interrupted anywhere, it resumes at the last block when it is
   * run again.
   * @param stopping aborted to stop early
   */
  async maintain(stopping?: AbortSignal, limits: PostingLimits = POSTING_LIMITS): Promise<void> {
    await this.transact(removeRetired);
    if (await this.transact(isBegun)) await this.make(stopping);
    if (stopping?.aborted) return;
    await this.transact((db) => begin(db, limits));
    await this.make(stopping);
    if (!stopping?.aborted) await this.transact((db) => db.execute(retired(limits)));
  }

  /** Builds the started lists. */
  private async make(stopping?: AbortSignal): Promise<void> {
    const build = await this.transact(readBuild);
    if (!build || build.lists.length === 0) return;
    await this.waitForWriters(stopping);
    const last = await this.transact(newestPost);
    for (let block = build.block; block <= last >> BLOCK_BITS; block += 1) {
      if (stopping?.aborted) return;
      const started = performance.now();
      await this.transact((db) => makeBlock(db, block, build));
      await sleep((performance.now() - started) * this.pause);
    }
    await this.transact((db) => db.execute(finished(build.lists)));
  }

  /** Waits for the end of all transactions that have written posts without seeing the current lists. */
  private async waitForWriters(stopping?: AbortSignal): Promise<void> {
    const writing = sql`
      SELECT DISTINCT virtualtransaction AS id FROM pg_locks
       WHERE locktype = 'relation' AND relation = 'posts'::regclass AND mode = 'RowExclusiveLock' AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    const running = () => this.transact((db) => db.query<{ id: string }>(writing));
    let left = await running();
    while (left.length > 0) {
      if (stopping?.aborted) return;
      await sleep(POLL_MS);
      const now = new Set((await running()).map((row) => row.id));
      left = left.filter(({ id }) => now.has(id));
    }
  }
}

/** Whether all unfinished lists were started together, so that their next block is known. */
async function isBegun(db: Executor): Promise<boolean> {
  const [row] = await db.query<{ isBegun: boolean }>(sql`
    SELECT EXISTS (SELECT FROM posting_lists WHERE state = 'building') AND NOT EXISTS (
             SELECT FROM posting_lists l WHERE l.state = 'building'
                AND NOT EXISTS (SELECT FROM posting_builds b WHERE l.changed_at <= b.begun_at)) AS "isBegun"`);
  return row?.isBegun ?? false;
}

/** Starts all lists that are needed, and restarts those whose next block is unknown. */
async function begin(db: Executor, limits: PostingLimits): Promise<void> {
  await db.execute(begun(limits));
  await db.execute(sql`
    INSERT INTO posting_builds AS kept (block) VALUES (0)
    ON CONFLICT (id) DO UPDATE SET block = EXCLUDED.block, begun_at = EXCLUDED.begun_at`);
}

async function readBuild(db: Executor): Promise<Build | null> {
  const [row] = await db.query<Omit<Build, "lists">>(
    sql`SELECT block, begun_at::text AS "begunAt" FROM posting_builds`,
  );
  if (!row) return null;
  const lists = await db.query<List>(sql`SELECT tag_id AS "tagId", kind FROM posting_lists WHERE state = 'building'`);
  return { ...row, lists };
}

async function newestPost(db: Executor): Promise<number> {
  const [row] = await db.query<{ last: number }>(sql`SELECT coalesce(max(id), 0) AS last FROM posts`);
  return row?.last ?? 0;
}

/** The kind of list that each tag should have; between the thresholds, its current kind. */
const wanted = ({ least, common }: PostingLimits): Sql => sql`
  SELECT t.id AS tag_id, CASE WHEN t.post_count >= board.common THEN 'bits' WHEN t.post_count * 2 < board.common THEN 'ids'
                              ELSE coalesce(has.kind, 'ids') END AS kind
    FROM (SELECT greatest(${least}::float8, coalesce(max(id), 0) * ${common}::float8) AS common FROM posts) AS board
   CROSS JOIN tags t
    LEFT JOIN (SELECT tag_id, min(kind) AS kind FROM posting_lists WHERE state <> 'retired' GROUP BY tag_id) AS has
      ON has.tag_id = t.id
   WHERE t.post_count >= ${Math.ceil(least / 2)}::int AND (t.post_count >= ${least}::int OR has.tag_id IS NOT NULL)`;

/** A retired list was kept up to date all the time. */
const begun = (limits: PostingLimits): Sql => sql`
  INSERT INTO posting_lists (tag_id, kind) SELECT tag_id, kind FROM (${wanted(limits)}) AS wanted
  ON CONFLICT (tag_id, kind) DO UPDATE SET state = 'ready', changed_at = now() WHERE posting_lists.state = 'retired'`;

const finished = (lists: readonly List[]): Sql => sql`
  UPDATE posting_lists SET state = 'ready', changed_at = now()
    FROM unnest(${lists.map((list) => list.tagId)}::int[], ${lists.map((list) => list.kind)}::text[]) AS made(tag_id, kind)
   WHERE posting_lists.tag_id = made.tag_id AND posting_lists.kind = made.kind AND state = 'building'`;

/** The list of the right kind is ready, or no list is needed. */
const retired = (limits: PostingLimits): Sql => sql`
  UPDATE posting_lists SET state = 'retired', changed_at = now()
   WHERE state = 'ready' AND (tag_id, kind) NOT IN (SELECT tag_id, kind FROM (${wanted(limits)}) AS wanted)`;

async function removeRetired(db: Executor): Promise<void> {
  const lists = await db.query<List>(sql`
    DELETE FROM posting_lists WHERE state = 'retired' AND changed_at < now() - ${RETIRED_FOR}
    RETURNING tag_id AS "tagId", kind`);
  const { bits, ids } = byKind(lists);
  if (bits.length > 0) await db.execute(sql`DELETE FROM posting_bits WHERE tag_id = ANY(${bits}::int[])`);
  if (ids.length > 0) await db.execute(sql`DELETE FROM posting_ids WHERE tag_id = ANY(${ids}::int[])`);
}

/**
 * Writes one block of the lists. It waits for current writers of its posts, and blocks new ones: changes that are not committed
 * yet are applied afterwards, to the rows written here.
 */
async function makeBlock(db: Executor, block: number, { lists, begunAt }: Build): Promise<void> {
  const { bits, ids } = byKind(lists);
  await db.query(sql`SELECT 1 AS locked FROM pg_advisory_xact_lock(hashtext('postings'), ${block}::int)`);
  // another maker may have started other lists meanwhile
  await db.execute(sql`UPDATE posting_builds SET block = ${block + 1}::int WHERE begun_at = ${begunAt}::timestamptz`);
  if (bits.length > 0) {
    await db.execute(sql`DELETE FROM posting_bits WHERE block = ${block}::int AND tag_id = ANY(${bits}::int[])`);
    await db.execute(sql`
      INSERT INTO posting_bits (tag_id, block, bits)
      SELECT tag_id, ${block}::int, bit_or(set_bit(0::bit(8192), id & ${BLOCK - 1}::int, 1)) FROM (${pairs(block, bits)}) AS pairs
       GROUP BY tag_id`);
  }
  if (ids.length === 0) return;
  await db.execute(sql`DELETE FROM posting_ids WHERE block = ${block}::int AND tag_id = ANY(${ids}::int[])`);
  await db.execute(sql`
    INSERT INTO posting_ids (tag_id, block, ids)
    SELECT tag_id, ${block}::int, sort(array_agg(id)) FROM (${pairs(block, ids)}) AS pairs GROUP BY tag_id`);
}

const byKind = (lists: readonly List[]): Record<PostingKind, number[]> => ({
  bits: lists.filter((list) => list.kind === "bits").map((list) => list.tagId),
  ids: lists.filter((list) => list.kind === "ids").map((list) => list.tagId),
});

/** The posts of a block with those of the tags that they have. */
const pairs = (block: number, tagIds: readonly number[]): Sql => sql`
  SELECT posts.id, asked.tag_id FROM posts CROSS JOIN unnest(posts.tag_ids) AS has(tag_id)
    JOIN unnest(${[...tagIds]}::int[]) AS asked(tag_id) ON asked.tag_id = has.tag_id
   WHERE posts.id >= ${block * BLOCK}::int AND posts.id <= ${block * BLOCK + BLOCK - 1}::int`;
