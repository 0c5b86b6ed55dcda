/** Metrics of the job queue in the database: the number of jobs of each task, and how long the oldest has been due. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Queryable, sql } from "../../database/client.js";
import type { Families } from "./metrics.js";

const STATES = ["waiting", "running", "retrying", "parked"] as const;

/** Maximum number of rows that are read. */
const MOST = 10_000;
/** Timeout in milliseconds, after which the database counts as unavailable. */
const TIMEOUT_MS = 3_000;

const READ = sql`
  SELECT t.identifier AS task, j.state, count(*)::int AS jobs, COALESCE(max(j.due_for), 0)::float8 AS "dueFor"
    FROM (SELECT task_id,
                 CASE WHEN locked_at IS NOT NULL THEN 'running' WHEN attempts >= max_attempts THEN 'parked'
                      WHEN attempts > 0 THEN 'retrying' ELSE 'waiting' END AS state,
                 CASE WHEN locked_at IS NULL AND attempts < max_attempts THEN extract(epoch FROM now() - run_at) END AS due_for
            FROM graphile_worker._private_jobs LIMIT ${MOST}) AS j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id
   GROUP BY 1, 2`;

interface Row {
  task: string;
  state: (typeof STATES)[number];
  jobs: number;
  /** seconds; negative for jobs that are due later */
  dueFor: number;
}

/** @param tasks names of all tasks, which are reported even without jobs */
export async function readQueue(database: Queryable, families: Families, tasks: readonly string[]): Promise<void> {
  const { databaseUp, queuedJobs, queueLag } = families;
  const answer = database.query<Row>(READ).catch(() => null);
  const rows = await Promise.race([answer, sleep(TIMEOUT_MS, null, { ref: false })]);
  databaseUp.set(rows ? 1 : 0);
  queuedJobs.reset();
  if (!rows) return queueLag.remove(); // unknown values are not reported
  queueLag.set(Math.max(0, ...rows.map(({ dueFor }) => dueFor)));
  for (const task of tasks) for (const state of STATES) queuedJobs.set({ task, state }, 0);
  for (const { task, state, jobs } of rows) if (tasks.includes(task)) queuedJobs.set({ task, state }, jobs);
}
