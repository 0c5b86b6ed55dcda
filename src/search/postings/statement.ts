/**
 * Statements that read posting lists: block by block from the driver's list, looking up each block of the other lists by its
 * key. So they have the same plan for all tags, and stop as soon as a page is full. PostgreSQL never reorders the
 * outer side of such loops.
 */
import { idArray, join, type Sql, sql } from "../../database/client.js";
import { BLOCK, BLOCK_BITS } from "./lists.js";
import type { Listed, Postings } from "./plan.js";

/** A page of the matching posts. */
export interface Range {
  isAscending: boolean;
  /** range of ids, both ends included */
  from: number;
  to: number;
  fetch: number;
  skip: number;
}

type Bounds = Omit<Range, "fetch" | "skip">;

/** Bits of a word when bits are searched, as a power of two. */
const WORD_BITS = 7;
const WORD = 2 ** WORD_BITS;
/** Number of posts from which on blocks of bits are skipped by their counts. */
const FAR = 500;

const NO_BITS = sql`0::bit(8192)`;
const NO_IDS = sql`'{}'::int[]`;

/** A block of several lists of one kind; null if it contains none of the tags. */
function blockOf({ ids, kind }: Listed): Sql {
  const [only] = ids;
  const tags = ids.length === 1 ? sql`= ${only}::int` : sql`= ANY(${idArray(ids)})`;
  if (kind === "bits") {
    const bits = ids.length === 1 ? sql`l.bits` : sql`bit_or(l.bits)`;
    return sql`(SELECT ${bits} FROM posting_bits l WHERE l.tag_id ${tags} AND l.block = p.block)`;
  }
  if (ids.length === 1) return sql`(SELECT l.ids FROM posting_ids l WHERE l.tag_id ${tags} AND l.block = p.block)`;
  return sql`(SELECT uniq(sort(array_agg(id))) FROM posting_ids l CROSS JOIN unnest(l.ids) AS id
               WHERE l.tag_id ${tags} AND l.block = p.block)`;
}

/** Reads a block of lists: `blockOf`, or from a joined table. */
type Reading = (list: Listed) => Sql;

const ofKind = (lists: readonly Listed[], kind: Listed["kind"], read: Reading): Sql[] =>
  lists.filter((list) => list.kind === kind).map(read);

/** The bits that remain after all lists with bits; null if there are none. */
export function bitsSql({ driver, required, excluded }: Postings, read: Reading = blockOf): Sql | null {
  const sets = [...(driver.kind === "bits" ? [sql`p.bits`] : []), ...ofKind(required, "bits", read)];
  const out = ofKind(excluded, "bits", read).map((bits) => sql`~coalesce(${bits}, ${NO_BITS})`);
  const all = [...sets, ...out];
  return all.length === 0 ? null : join(all, " & ");
}

/** The ids that remain after all lists with ids. */
export const idsSql = ({ required, excluded }: Postings, read: Reading = blockOf): Sql => {
  const sets = ofKind(required, "ids", read).map((ids) => sql` & coalesce(${ids}, ${NO_IDS})`);
  const out = ofKind(excluded, "ids", read).map((ids) => sql` - coalesce(${ids}, ${NO_IDS})`);
  return sql`(p.ids${join([...sets, sql``], "")})${join([...out, sql``], "")}`;
};

const direction = ({ isAscending }: Pick<Range, "isAscending">): Sql => (isAscending ? sql`ASC` : sql`DESC`);

/** The driver's blocks with what remains of each. */
function blocks(postings: Postings, range: Bounds): Sql {
  const [tag] = postings.driver.ids;
  const table = postings.driver.kind === "bits" ? sql`posting_bits` : sql`posting_ids`;
  const left =
    postings.driver.kind === "bits"
      ? sql`${bitsSql(postings)} AS bits`
      : sql`${idsSql(postings)} AS ids, ${bitsSql(postings) ?? sql`NULL::bit(8192)`} AS bits`;
  return sql`SELECT p.block, ${left} FROM ${table} p
              WHERE p.tag_id = ${tag}::int AND p.block >= ${range.from >> BLOCK_BITS}::int AND p.block <= ${range.to >> BLOCK_BITS}::int
              ORDER BY p.block ${direction(range)}`;
}

/** Steps of a sequence from 0 to `last`, in the direction of a range. */
const steps = ({ isAscending }: Pick<Range, "isAscending">, last: number): Sql =>
  isAscending ? sql`generate_series(0, ${last}::int)` : sql`generate_series(${last}::int, 0, -1)`;

/** The words of the block `b`, in order, each with its first id; those without ids of the range may be missing. */
const words = (range: Bounds): Sql => sql`
  SELECT place.first, substring(b.bits FROM (place.number << ${WORD_BITS}::int) + 1 FOR ${WORD}::int) AS bits
    FROM (SELECT number, (b.block << ${BLOCK_BITS}::int) + (number << ${WORD_BITS}::int) AS first
            FROM ${steps(range, BLOCK / WORD - 1)} AS number OFFSET 0) place
   WHERE place.first <= ${range.to}::int AND place.first >= ${range.from - WORD + 1}::int OFFSET 0`;

/** The ids of the word `word`, in order. */
const idsOfWord = (range: Bounds): Sql => sql`
  SELECT word.first + bit AS id FROM ${steps(range, WORD - 1)} AS bit WHERE get_bit(word.bits, bit) = 1 OFFSET 0`;

/** The posts of blocks, in order, each as `found.id`. */
function posts(postings: Postings, from: Sql, range: Bounds): Sql {
  const bounds = sql`found.id >= ${range.from}::int AND found.id <= ${range.to}::int`;
  if (postings.driver.kind === "ids") {
    const isLeft = bitsSql(postings) ? sql`get_bit(b.bits, id & ${BLOCK - 1}::int) = 1` : sql`TRUE`;
    return sql`${from} b CROSS JOIN LATERAL (
      SELECT id FROM unnest(b.ids) AS id WHERE ${isLeft} ORDER BY id ${direction(range)}) found WHERE ${bounds}`;
  }
  return sql`${from} b CROSS JOIN LATERAL (${words(range)}) word CROSS JOIN LATERAL (${idsOfWord(range)}) found
    WHERE bit_count(b.bits) > 0 AND bit_count(word.bits) > 0 AND ${bounds}`;
}

/**
 * A page far from the first one, if lists with bits cover the whole search: blocks and then words are skipped by their counts, and
 * nothing is read after the end of the page.
 */
function farPage(from: Sql, range: Range): Sql {
  const { skip, fetch } = range;
  const upTo = (before: Sql, column: Sql) =>
    sql`${before} + sum(bit_count(bits)::int) OVER (ORDER BY ${column} ${direction(range)})`;
  return sql`
    SELECT found.id
      FROM (SELECT block, bits, ${upTo(sql`0`, sql`block`)} AS upto FROM ${from} b) b
     CROSS JOIN LATERAL (SELECT first, bits, ${upTo(sql`b.upto - bit_count(b.bits)`, sql`first`)} AS upto FROM (${words(range)}) each) word
     CROSS JOIN LATERAL (SELECT id, row_number() OVER () AS nth FROM (${idsOfWord(range)}) each) found
     WHERE b.upto > ${skip}::int AND word.upto > ${skip}::int AND word.upto - bit_count(word.bits) + found.nth > ${skip}::int
     LIMIT ${fetch}::int`;
}

/**
 * The ids of a page as a statement.
 * @param test the condition on `posts` that the lists don't cover; null if they cover everything
 */
export function postingsStatement(postings: Postings, range: Range, test: Sql | null): Sql {
  const inOrder = sql`(${blocks(postings, range)})`;
  const limits = sql`LIMIT ${range.fetch}::int OFFSET ${range.skip}::int`;
  if (test !== null) {
    return sql`SELECT found.id FROM ${posts(postings, inOrder, range)}
                  AND EXISTS (SELECT 1 FROM posts WHERE posts.id = found.id AND ${test} OFFSET 0) ${limits}`;
  }
  if (postings.driver.kind === "ids" || range.skip < FAR)
    return sql`SELECT found.id FROM ${posts(postings, inOrder, range)} ${limits}`;
  return farPage(inOrder, range);
}
