/** Failed jobs, to be listed and retried. */
import { type Database, sql } from "../../database/client.js";

/** A job that has failed at least once. */
export interface FailedJob {
  id: number;
  task: string;
  payload: unknown;
  attempts: number;
  max_attempts: number;
  last_error: string;
  /** the time of the next attempt; meaningless for parked jobs */
  run_at: Date;
  /** true if it has used up its attempts, and waits for `jobs retry` */
  is_parked: boolean;
}

/** All of them, oldest first. */
export const failedJobs = (database: Database): Promise<FailedJob[]> =>
  database.query<FailedJob>(sql`
  SELECT j.id::float8 AS id, t.identifier AS task, j.payload, j.attempts::int, j.max_attempts::int, j.last_error, j.run_at,
         j.attempts >= j.max_attempts AS is_parked
    FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
   WHERE j.last_error IS NOT NULL ORDER BY j.id`);

/** Retries jobs now, with all their attempts, unless they are running. @returns their number */
export async function retryJobs(database: Database, ids: readonly number[]): Promise<number> {
  const rows = await database.query<object>(sql`
    SELECT id::float8 FROM graphile_worker.reschedule_jobs(${ids}::bigint[], run_at => now(), attempts => 0)`);
  return rows.length;
}
