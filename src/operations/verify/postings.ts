/** Invariants of posting lists, and of the upload times of their blocks. */
import { BLOCK, BLOCK_BITS, type PostingKind } from "../../search/postings/lists.js";
import { type Invariant, ofEachRow } from "./invariant.js";

interface Checked {
  kind: PostingKind;
  /** builds a block from the posts `r` with a tag */
  made: string;
  /** whether the block `p` has posts */
  isFilled: string;
}

const CHECKED: Checked[] = [
  {
    kind: "bits",
    made: `bit_or(set_bit(0::bit(${BLOCK}), r.id & ${BLOCK - 1}, 1))`,
    isFilled: "bit_count(p.bits) > 0",
  },
  { kind: "ids", made: "sort(array_agg(r.id))", isFilled: "p.ids <> '{}'" },
];

/** Checks the blocks whose first post is in the batch, of all lists in use. */
const LISTS: Invariant[] = CHECKED.map(({ kind, made, isFilled }) => ({
  name: `posting_${kind}.${kind}`,
  rule: "posting lists contain the posts with the tag",
  table: "posts",
  sql: `
    WITH blocks AS MATERIALIZED (
      SELECT block FROM generate_series($1::int >> ${BLOCK_BITS}, $2::int >> ${BLOCK_BITS}) AS block
       WHERE greatest(block << ${BLOCK_BITS}, 1) > $1 AND greatest(block << ${BLOCK_BITS}, 1) <= $2
    ), lists AS MATERIALIZED (
      SELECT tag_id FROM posting_lists WHERE kind = '${kind}' AND state <> 'building'
    ), due AS (
      SELECT lists.tag_id, blocks.block, ${made} AS posts
        FROM blocks JOIN posts r ON r.id >= block << ${BLOCK_BITS} AND r.id <= (block << ${BLOCK_BITS}) + ${BLOCK - 1}
       CROSS JOIN unnest(r.tag_ids) AS has(tag_id) JOIN lists ON lists.tag_id = has.tag_id GROUP BY 1, 2
    ), kept AS (
      SELECT p.tag_id, p.block, p.${kind} AS posts FROM posting_${kind} p
        JOIN lists ON lists.tag_id = p.tag_id JOIN blocks ON blocks.block = p.block WHERE ${isFilled}
    )
    SELECT coalesce(due.tag_id, kept.tag_id) AS id
      FROM due FULL JOIN kept ON kept.tag_id = due.tag_id AND kept.block = due.block
     WHERE due.posts IS DISTINCT FROM kept.posts`,
}));

/** Blocks after that of the last post. */
const BEYOND: Invariant[] = CHECKED.map(({ kind, isFilled }) => ({
  name: `posting_${kind}.beyond`,
  rule: "posting lists contain no posts after the last one",
  table: null,
  sql: `SELECT p.tag_id AS id FROM posting_${kind} p JOIN posting_lists l ON l.tag_id = p.tag_id
         WHERE l.kind = '${kind}' AND l.state <> 'building' AND ${isFilled}
           AND p.block > (SELECT COALESCE(max(id), 0) >> ${BLOCK_BITS} FROM posts)`,
}));

export const POSTINGS: Invariant[] = [
  ...LISTS,
  ...BEYOND,
  ofEachRow(
    "posts",
    "spans",
    "the upload times of posts are within the span of their block",
    `EXISTS (SELECT FROM post_spans WHERE block = 0) AND NOT EXISTS (
       SELECT FROM post_spans s WHERE s.block = r.id >> ${BLOCK_BITS} AND r.created_at BETWEEN s.first AND s.last)`,
  ),
];
