/**
 * The durable queue: graphile-worker, whose tables are in the board's own database, so that a job is enqueued by the
 * transaction that needs it (`graphile_worker.add_job`) and is as durable as the data.
 */
import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger as WorkerLogger, run, runMigrations, type Runner, type TaskList } from "graphile-worker";
import type pg from "pg";
import { isOutage } from "../../database/faults.js";
import { KEPT_ALIVE, Pool } from "../../database/pool.js";
import type { Logger } from "../telemetry/log.js";
import { WorkerRegistry } from "./worker-registry.js";
import type { Tasks } from "../../operations/tasks.js";

/** Two relations, thumbnails and posting lists may each take hours; short jobs run beside them. */
const CONCURRENCY = 5;
/** Milliseconds without an answer to a statement of the queue, all of which are short, after which its connection counts as lost. */
const SILENCE_MS = 30_000;
/** Milliseconds until a queue that has ended is started again. */
const RESTART_MS = 1_000;

/** Maps the queue's log levels to ours; its routine messages are debug output. */
const LEVELS = { error: "error", warning: "warn", info: "debug", debug: "debug" } as const;

const toPino = (log: Logger): WorkerLogger =>
  new WorkerLogger(() => (level, message, meta) => {
    log[LEVELS[level]]({ job: meta?.jobId }, message);
  });

/** Migrates the queue's tables; quick if there is nothing to do. */
export const migrateQueue = (url: string, log: Logger): Promise<void> =>
  runMigrations({ connectionString: url, logger: toPino(log) });

/**
 * Runs jobs in this process until disposed. Running jobs are finished first, unless the task handles the
 * signal and leaves the rest to the next process.
 */
export async function startJobs(url: string, tasks: Tasks, log: Logger): Promise<AsyncDisposable> {
  // A pool of its own: jobs may take longer than the statements of requests.
  const pgPool = new Pool({
    connectionString: url,
    max: CONCURRENCY + 3,
    application_name: "graphbooru jobs",
    query_timeout: SILENCE_MS,
    ...KEPT_ALIVE, // one connection only listens
    pipeline: true, // only then the driver closes a connection that does not answer; the pool would give it to the next statement
  });
  const onError = (error: Error) => log.warn({ err: error }, "job connection lost");
  pgPool.on("error", onError);
  pgPool.on("connect", (client) => client.on("error", onError));
  const stopping = new AbortController();
  const start = () => startRunner({ pgPool, tasks, log, stopping: stopping.signal });
  const first = await start();
  const ended = keepRunning(first, start, stopping.signal, log);
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await ended;
      await pgPool.end();
    },
  };
}

type JobRunner = Awaited<ReturnType<typeof startRunner>>;

interface RunnerParts {
  pgPool: pg.Pool;
  tasks: Tasks;
  log: Logger;
  stopping: AbortSignal;
}

/** Starts a run. `ended` settles when it has stopped: on the signal, or by itself, as when the result of a job can't be written. */
async function startRunner({ pgPool, tasks, log, stopping }: RunnerParts) {
  const registry = new WorkerRegistry(pgPool, log);
  // workers before they take their first job
  const registering: GraphileConfig.Plugin = {
    name: "GraphbooruRegistry",
    worker: { hooks: { startWorker: (_context, { worker }) => registry.register(worker.workerPool.id) } },
  };
  const events = new EventEmitter();
  const ended = once(events, "pool:release"); // not the runner's promise, which waits until its schedule, after errors, is tried again
  try {
    const runner = await run({
      pgPool,
      events,
      concurrency: CONCURRENCY,
      crontab: SCHEDULE,
      noHandleSignals: true,
      logger: toPino(log),
      taskList: taskList(tasks, stopping),
      // When the worker stops, it waits only for results written in batches; so batches have no delay.
      preset: { plugins: [registering], worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
    await registry.start();
    return { ended: endOf(runner, ended, registry, stopping) };
  } catch (error) {
    await registry[Symbol.asyncDispose]();
    throw error;
  }
}

/** Stops a run on the signal, and waits until its workers have ended. */
async function endOf(runner: Runner, ended: Promise<unknown>, registry: WorkerRegistry, stopping: AbortSignal) {
  const stop = () => void runner.stop().catch(() => undefined); // it refuses if it has stopped by itself
  if (stopping.aborted) stop();
  else stopping.addEventListener("abort", stop, { once: true });
  await ended;
  stopping.removeEventListener("abort", stop);
  await registry[Symbol.asyncDispose]();
}

/** Starts another run whenever one has ended by itself, until the signal. */
async function keepRunning(
  first: JobRunner,
  start: () => Promise<JobRunner>,
  stopping: AbortSignal,
  log: Logger,
): Promise<void> {
  let current: JobRunner | null = first;
  for (;;) {
    await current?.ended;
    if (stopping.aborted) return;
    if (current) log.error("the job queue ended; it is restarted");
    await sleep(RESTART_MS, undefined, { signal: stopping }).catch(() => undefined);
    if (stopping.aborted) return;
    current = await start().catch((error: unknown) => {
      log.warn({ err: error }, "the job queue could not be started");
      return null;
    });
  }
}

/** An attempt that failed since the database or the storage can't be used does not count; the next one is in a minute. */
const UNCOUNT = `UPDATE graphile_worker._private_jobs SET attempts = attempts - 1, run_at = now() + interval '1 minute' WHERE id = $1`;

const taskList = (tasks: Tasks, stopping: AbortSignal): TaskList =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      async (payload, helpers) => {
        const { attempts, max_attempts: maxAttempts, id } = helpers.job;
        try {
          await task(payload, { attempts, maxAttempts, stopping });
        } catch (error) {
          if (isOutage(error)) await helpers.query(UNCOUNT, [id]);
          throw error;
        }
      },
    ]),
  );

/**
 * The schedule of recurring tasks, as graphile-worker's crontab, in UTC. `fill` makes up for a run missed within that
 * time while no server was running; a task that is still queued is not queued twice, and one with a
 * queue of its own runs once at a time, however long it takes.
 */
export const SCHEDULE = `
0 * * * * expire_posts ?fill=1h&jobKey=expire_posts
5 * * * * lift_bans ?fill=1h&jobKey=lift_bans
10 * * * * sweep_limits ?jobKey=sweep_limits
*/10 * * * * make_thumbnails ?queue=make_thumbnails&jobKey=make_thumbnails
*/10 * * * * make_postings ?queue=make_postings&jobKey=make_postings
15 3 * * * sweep_sessions ?fill=1d&jobKey=sweep_sessions
`;
