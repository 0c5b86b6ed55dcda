/**
 * Writes the statements that read posting lists: block by block from the driver's list, each block of the other lists by its
 * key. So they have one plan whatever the tags are, and end as soon as a page is full. PostgreSQL never changes the order of the
 * outer side of such loops.
 */
import { join, type Sql, sql } from "../../database/client.js";
import { BLOCK, BLOCK_BITS } from "./lists.js";
import type { Listed, Postings } from "./plan.js";

/** Which of the posts, from which end. */
export interface Range {
  isAscending: boolean;
  /** ids that are asked for, both ends included */
  from: number;
  to: number;
  fetch: number;
  skip: number;
}

/** Bits are looked into by words of so many: a power of two. */
const WORD_BITS = 7;
const WORD = 2 ** WORD_BITS;
/** From so many posts on, blocks of bits are skipped by their counts. */
const FAR = 500;

const NO_BITS = sql`0::bit(8192)`;
const NO_IDS = sql`'{}'::int[]`;

/** What lists of a kind say of a block: null when none of the tags is in it. */
function blockOf({ ids, kind }: Listed): Sql {
  const [only] = ids;
  const tags = ids.length === 1 ? sql`= ${only}::int` : sql`= ANY(${`{${ids.join(",")}}`}::int[])`;
  if (kind === "bits") {
    const bits = ids.length === 1 ? sql`l.bits` : sql`bit_or(l.bits)`;
    return sql`(SELECT ${bits} FROM posting_bits l WHERE l.tag_id ${tags} AND l.block = p.block)`;
  }
  if (ids.length === 1) return sql`(SELECT l.ids FROM posting_ids l WHERE l.tag_id ${tags} AND l.block = p.block)`;
  return sql`(SELECT uniq(sort(array_agg(id))) FROM posting_ids l CROSS JOIN unnest(l.ids) AS id
               WHERE l.tag_id ${tags} AND l.block = p.block)`;
}

const ofKind = (lists: readonly Listed[], kind: Listed["kind"]): Sql[] =>
  lists.filter((list) => list.kind === kind).map(blockOf);

/** The bits that all of the lists in bits leave over; null when there is none of them. */
function bitsSql({ required, excluded }: Pick<Postings, "required" | "excluded">, first: readonly Sql[]): Sql | null {
  const sets = [...first, ...ofKind(required, "bits")];
  const out = ofKind(excluded, "bits").map((bits) => sql`~coalesce(${bits}, ${NO_BITS})`);
  const all = [...sets, ...out];
  return all.length === 0 ? null : join(all, " & ");
}

/** The ids that all of the lists in ids leave over. */
const idsSql = ({ required, excluded }: Postings): Sql => {
  const sets = ofKind(required, "ids").map((ids) => sql` & coalesce(${ids}, ${NO_IDS})`);
  const out = ofKind(excluded, "ids").map((ids) => sql` - coalesce(${ids}, ${NO_IDS})`);
  return sql`(p.ids${join([...sets, sql``], "")})${join([...out, sql``], "")}`;
};

const direction = ({ isAscending }: Pick<Range, "isAscending">): Sql => (isAscending ? sql`ASC` : sql`DESC`);

/** The driver's blocks with what the lists leave over of each. */
function blocks(postings: Postings, range: Pick<Range, "isAscending" | "from" | "to">): Sql {
  const [tag] = postings.driver.ids;
  const table = postings.driver.kind === "bits" ? sql`posting_bits` : sql`posting_ids`;
  const left =
    postings.driver.kind === "bits"
      ? sql`${bitsSql(postings, [sql`p.bits`])} AS bits`
      : sql`${idsSql(postings)} AS ids, ${bitsSql(postings, []) ?? sql`NULL::bit(8192)`} AS bits`;
  return sql`SELECT p.block, ${left} FROM ${table} p
              WHERE p.tag_id = ${tag}::int AND p.block >= ${range.from >> BLOCK_BITS}::int AND p.block <= ${range.to >> BLOCK_BITS}::int
              ORDER BY p.block ${direction(range)}`;
}

/** The posts of blocks, in order, each as `found.id`. */
function posts(postings: Postings, from: Sql, range: Pick<Range, "isAscending" | "from" | "to">): Sql {
  const bounds = sql`found.id >= ${range.from}::int AND found.id <= ${range.to}::int`;
  if (postings.driver.kind === "ids") {
    const isLeft = bitsSql(postings, []) ? sql`get_bit(b.bits, id & ${BLOCK - 1}::int) = 1` : sql`TRUE`;
    return sql`${from} b CROSS JOIN LATERAL (
      SELECT id FROM unnest(b.ids) AS id WHERE ${isLeft} ORDER BY id ${direction(range)}) found WHERE ${bounds}`;
  }
  const steps = (last: number) =>
    range.isAscending ? sql`generate_series(0, ${last}::int)` : sql`generate_series(${last}::int, 0, -1)`;
  return sql`${from} b
    CROSS JOIN LATERAL (SELECT place, substring(b.bits FROM (place << ${WORD_BITS}::int) + 1 FOR ${WORD}::int) AS bits
                          FROM ${steps(BLOCK / WORD - 1)} AS place OFFSET 0) word
    CROSS JOIN LATERAL (SELECT (b.block << ${BLOCK_BITS}::int) + (word.place << ${WORD_BITS}::int) + bit AS id
                          FROM ${steps(WORD - 1)} AS bit WHERE get_bit(word.bits, bit) = 1 OFFSET 0) found
    WHERE bit_count(b.bits) > 0 AND bit_count(word.bits) > 0 AND ${bounds}`;
}

/**
 * The ids of a page as a statement.
 * @param test the condition on `posts` that the lists know nothing of; null when they know everything
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
  return sql`
    WITH counted AS MATERIALIZED (
      SELECT block, bits, sum(bit_count(bits)) OVER (ORDER BY block ${direction(range)}) AS upto FROM ${inOrder} b),
    page AS MATERIALIZED (
      SELECT block, bits, upto - bit_count(bits) AS before FROM counted
       WHERE upto > ${range.skip}::int AND upto - bit_count(bits) < ${range.skip + range.fetch}::bigint ORDER BY block ${direction(range)})
    SELECT found.id FROM ${posts(postings, sql`page`, range)}
     LIMIT ${range.fetch}::int OFFSET (SELECT greatest(${range.skip}::int - min(before), 0) FROM page)`;
}

const ALL = { isAscending: false, from: 0, to: 2_147_483_647 };

/** How many posts lists leave over, as `count`. */
export function postingsCount(postings: Postings): Sql {
  const all = sql`(${blocks(postings, ALL)})`;
  return postings.driver.kind === "bits"
    ? sql`SELECT coalesce(sum(bit_count(b.bits)), 0)::int AS count FROM ${all} b`
    : sql`SELECT count(*)::int AS count FROM ${posts(postings, all, ALL)}`;
}
