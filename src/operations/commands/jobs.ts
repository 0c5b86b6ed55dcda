import { type Command, InvalidArgumentError } from "commander";
import { loadConfig } from "../../config.js";
import { sql } from "../../database/client.js";
import { listenForSignals } from "../../lib/signals.js";
import { print, requireBoard, withBoard } from "./command.js";

/** Runs jobs until a signal, and logs like the server. */
async function runJobs(): Promise<void> {
  const stop = listenForSignals();
  const config = loadConfig();
  if (!config.DATABASE_URL) await requireBoard(config); // that of a URL may be created at the same time by a server
  const { openBoard } = await import("../../board.js");
  // JOBS is for server processes only
  await using board = await openBoard(Object.freeze({ ...config, JOBS: true }));
  board.log.info("running jobs");
  await stop.wait();
  board.log.info("stopping");
}

/**
 * Prints the jobs that have failed at least once, oldest first. `run_at` is the time of the next attempt; a job that `is_parked` has used up
 * its attempts, and waits for `jobs retry`.
 */
const list = (): Promise<void> =>
  withBoard(async ({ database }) =>
    print(
      await database.query<object>(sql`
        SELECT j.id::float8 AS id, t.identifier AS task, j.payload, j.attempts::int, j.max_attempts::int, j.last_error, j.run_at,
               j.attempts >= j.max_attempts AS is_parked
          FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
         WHERE j.last_error IS NOT NULL ORDER BY j.id`),
    ),
  );

/** Retries jobs now, with all their attempts, unless they are running. */
const retry = (ids: number[]): Promise<void> =>
  withBoard(async ({ database }) => {
    const rows = await database.query<{ id: number }>(sql`
      SELECT id::float8 AS id FROM graphile_worker.reschedule_jobs(${ids}::bigint[], run_at => now(), attempts => 0)`);
    print({ retried: rows.length });
    const retried = new Set(rows.map(({ id }) => id));
    const others = ids.filter((id) => !retried.has(id));
    if (others.length === 0) return;
    process.stderr.write(`Not retried, since they don't exist or are running: ${others.join(", ")}.\n`);
    process.exitCode = 1;
  });

function jobIds(text: string, earlier: number[] = []): number[] {
  if (/^\d{1,15}$/.test(text)) return [...earlier, Number(text)];
  throw new InvalidArgumentError("must be the id of a job.");
}

export function register(program: Command): void {
  const jobs = program.command("jobs").description("background jobs");
  jobs
    .command("run")
    .description("run background jobs until stopped, in any number of processes, for servers with JOBS=false")
    .action(runJobs);
  jobs
    .command("list")
    .description("list failed jobs with their errors: those that will be retried, and parked ones")
    .action(list);
  jobs
    .command("retry")
    .description("retry jobs now, with the number of attempts of new ones")
    .argument("<id...>", "ids from `jobs list`", jobIds)
    .action(retry);
}
