/** Waits for transactions that may have read what another one has changed since. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Queryable, sql } from "./client.js";
import { APPLICATION } from "./statements.js";

/** Longer than edits and uploads take. */
const LONGEST_WRITE_MS = 60_000;
const POLL_MS = 50;

/**
 * Waits until the board's transactions that have written anything, and began before now, have ended.
 * @param stopping when it is aborted, it waits no longer
 * @returns false if it was stopped
 */
export async function olderWritersEnded(database: Queryable, stopping?: AbortSignal): Promise<boolean> {
  const [now] = await database.query<{ time: string }>(sql`SELECT clock_timestamp()::text AS time`);
  for (let waited = 0; waited < LONGEST_WRITE_MS; waited += POLL_MS) {
    const older = await database.query<object>(sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL
         AND application_name IN (${APPLICATION}, current_setting('application_name')) -- DATABASE_URL may have another
         AND xact_start < ${now?.time ?? ""}::timestamptz LIMIT 1`);
    if (older.length === 0) return true;
    if (stopping?.aborted) return false;
    await sleep(POLL_MS);
  }
  return true;
}
