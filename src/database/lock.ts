/** Row locks: what is changed is locked first, so that edits of one record follow each other. */
import { type Db, identifier, sql } from "./client.js";

/** Tables whose records are edited under a lock. */
type Table =
  | "artists"
  | "artist_commentaries"
  | "comments"
  | "dmails"
  | "forum_posts"
  | "forum_topics"
  | "notes"
  | "pools"
  | "tag_aliases"
  | "tag_implications"
  | "users"
  | "wiki_pages";

/** Locks a record until the transaction ends. @returns whether there is such a record */
export async function lockRow(db: Db, table: Table, id: number): Promise<boolean> {
  const rows = await db.query<object>(sql`SELECT 1 FROM ${identifier(table)} WHERE id = ${id} FOR NO KEY UPDATE`);
  return rows.length > 0;
}
