/**
 * While a backup copies files, none is removed: what its snapshot names must still be there when its turn comes. Those who
 * want to remove one ask first, and leave it to later when they may not.
 */
import type pg from "pg";
import { type Db, sql } from "./client.js";

/** Any number that nobody else locks. */
const FILES_LOCK = 72_707_371;

/** Holds all files in place until the connection ends; waits for those who are removing some, and for another backup. */
export async function holdFiles(client: pg.Client): Promise<void> {
  await client.query("SELECT pg_advisory_lock($1)", [FILES_LOCK]);
}

/** Whether files may be removed now. If so, no backup begins before the transaction ends. */
export async function mayRemoveFiles(db: Db): Promise<boolean> {
  const [answer] = await db.query<{ may: boolean }>(sql`
    SELECT pg_try_advisory_xact_lock_shared(${FILES_LOCK}::bigint) AS may`);
  return answer?.may === true;
}
