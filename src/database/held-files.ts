/**
 * While a backup copies files, none are removed, because its snapshot may contain their rows. Code that removes
 * files checks `mayRemoveFiles`, and otherwise defers the removal.
 */
import type pg from "pg";
import { type Db, sql } from "./client.js";
import { LOCKS } from "./lock.js";

/** Prevents the removal of files until the connection ends; waits for running removals and other backups. */
export async function holdFiles(client: pg.Client): Promise<void> {
  await client.query("SELECT pg_advisory_lock($1)", [LOCKS.files]);
}

/** Whether files may be removed now. If so, no backup starts before the transaction ends. */
export async function mayRemoveFiles(db: Db): Promise<boolean> {
  const [row] = await db.query<{ locked: boolean }>(sql`
    SELECT pg_try_advisory_xact_lock_shared(${LOCKS.files}::bigint) AS locked`);
  return row?.locked === true;
}
