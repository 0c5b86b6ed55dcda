/** Locks that serialize changes: of a row, or an advisory lock by key where no row exists. */
import type pg from "pg";
import { type Db, identifier, type Sql, sql } from "./client.js";

type Table = "artists" | "comments" | "dmails" | "forum_posts" | "users";

/** Locks a row until the transaction ends. @returns whether it exists */
export async function lockRow(db: Db, table: Table, id: number): Promise<boolean> {
  const rows = await db.query<object>(sql`SELECT 1 FROM ${identifier(table)} WHERE id = ${id} FOR NO KEY UPDATE`);
  return rows.length > 0;
}

/** The first halves of the keys of advisory locks: arbitrary numbers, the same in every version of the board. */
export const LOCKS = {
  /** parents of posts: two concurrent changes could create a cycle */
  families: 7_301,
  /** a file, by its md5 */
  file: 7_302,
  /** a user's quotas, by the user */
  quotas: 7_303,
  /** tag aliases, implications and bans of artists: two concurrent changes could create a cycle, or leave posts of two artists banned, or free */
  tagRelations: 7_304,
  /** a user's comments, by the user */
  comments: 7_305,
  /** held by a running worker, by its name */
  worker: 7_306,
  poolName: 7_310,
  /** a record of an import, by source, kind and id */
  importRecord: 7_320,
  migration: 72_707_370,
  /** Prisma's own, held by the connection that applies migrations */
  prisma: 72_707_369,
  /** the removal of files, while a backup copies them or a restore stores them */
  files: 72_707_371,
} as const;

/** Locks a key until the transaction ends. @param of the second half of the key, an integer */
export const lockKey = (db: Db, lock: keyof typeof LOCKS, of?: Sql): Promise<number> =>
  db.execute(
    of
      ? sql`SELECT pg_advisory_xact_lock(${LOCKS[lock]}::int, ${of}::int)`
      : sql`SELECT pg_advisory_xact_lock(${LOCKS[lock]}::bigint)`,
  );

/**
 * Prevents the removal of files until the connection ends, while a backup copies them, because its snapshot may contain their rows; waits for
 * running removals and other backups.
 */
export async function holdFiles(client: pg.Client): Promise<void> {
  await client.query("SELECT pg_advisory_lock($1)", [LOCKS.files]);
}

/** Whether files may be removed now; otherwise the removal is deferred. If so, no backup starts before the transaction ends. */
export async function mayRemoveFiles(db: Db): Promise<boolean> {
  const [row] = await db.query<{ locked: boolean }>(sql`
    SELECT pg_try_advisory_xact_lock_shared(${LOCKS.files}::bigint) AS locked`);
  return row?.locked === true;
}
