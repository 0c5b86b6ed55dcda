/** Compares posting lists with the posts, independently of the board's own code. */
import type pg from "pg";

const BLOCK = 8192;

interface Row {
  tag_id: number;
  block: number;
  bits: string | null;
  ids: number[] | null;
}

/** Each list that is read or kept, with the posts in it, and those that have the tag; in one snapshot. */
export interface HeldList {
  tag: number;
  kind: "bits" | "ids";
  state: "ready" | "retired";
  listed: number[];
  tagged: number[];
}

const postsOf = ({ block, bits, ids }: Row): number[] =>
  ids ?? Array.from(bits ?? "").flatMap((bit, place) => (bit === "1" ? [block * BLOCK + place] : []));

function listOf(lists: Map<number, number[]>, tag: number): number[] {
  const list = lists.get(tag) ?? [];
  lists.set(tag, list);
  return list;
}

/** The posts of rows that are in the order of their blocks. */
function byTag(rows: readonly Row[]): Map<number, number[]> {
  const lists = new Map<number, number[]>();
  for (const row of rows) listOf(lists, row.tag_id).push(...postsOf(row));
  return lists;
}

/** All lists but those that are being made. */
export async function heldLists(pool: pg.Pool): Promise<HeldList[]> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const posts = await client.query<{ id: number; tag_ids: number[] }>("SELECT id, tag_ids FROM posts ORDER BY id");
    const lists = await client.query<{ tag: number; kind: "bits" | "ids"; state: "ready" | "retired" }>(
      "SELECT tag_id AS tag, kind, state FROM posting_lists WHERE state <> 'building' ORDER BY 1, 2",
    );
    const rows = {
      bits: (await client.query<Row>("SELECT tag_id, block, bits::text, NULL AS ids FROM posting_bits ORDER BY 1, 2"))
        .rows,
      ids: (await client.query<Row>("SELECT tag_id, block, NULL AS bits, ids FROM posting_ids ORDER BY 1, 2")).rows,
    };
    const listed = { bits: byTag(rows.bits), ids: byTag(rows.ids) };
    const tagged = new Map<number, number[]>();
    for (const { id, tag_ids: tags } of posts.rows) for (const tag of tags) listOf(tagged, tag).push(id);
    return lists.rows.map((list) => ({
      ...list,
      listed: listed[list.kind].get(list.tag) ?? [],
      tagged: tagged.get(list.tag) ?? [],
    }));
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

/** The lists that are wrong. */
export const wrongLists = async (pool: pg.Pool): Promise<HeldList[]> =>
  (await heldLists(pool)).filter(({ listed, tagged }) => listed.join() !== tagged.join());
