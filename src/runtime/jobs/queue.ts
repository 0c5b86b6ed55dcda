/**
 * The durable queue: graphile-worker, whose tables are in the board's own database, so that a job is enqueued by the
 * transaction that needs it (`graphile_worker.add_job`) and is as durable as the data.
 */
import { Logger as WorkerLogger, run, runMigrations, type Runner, type TaskList } from "graphile-worker";
import pg from "pg";
import type { Logger } from "../telemetry/log.js";
import { WorkerRegistry } from "./worker-registry.js";
import { SCHEDULE } from "./schedule.js";
import type { Tasks } from "../../operations/tasks.js";

const CONCURRENCY = 2;

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
  const pgPool = new pg.Pool({ connectionString: url, max: CONCURRENCY + 3, application_name: "graphbooru jobs" });
  const onError = (error: Error) => log.warn({ err: error }, "job connection lost");
  pgPool.on("error", onError);
  pgPool.on("connect", (client) => client.on("error", onError));
  const stopping = new AbortController();
  const registry = new WorkerRegistry(pgPool, log);
  const runner: Runner = await run({
    pgPool,
    concurrency: CONCURRENCY,
    crontab: SCHEDULE,
    noHandleSignals: true,
    logger: toPino(log),
    taskList: taskList(tasks, stopping.signal),
    // When the worker stops, it waits only for results written in batches; so batches have no delay.
    preset: { plugins: [registering(registry)], worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  });
  await registry.start();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await runner.stop();
      await registry[Symbol.asyncDispose]();
      await pgPool.end();
    },
  };
}

const taskList = (tasks: Tasks, stopping: AbortSignal): TaskList =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (payload, { job }) => task(payload, { attempts: job.attempts, maxAttempts: job.max_attempts, stopping }),
    ]),
  );

/** Registers workers before they take their first job. */
const registering = (registry: WorkerRegistry): GraphileConfig.Plugin => ({
  name: "GraphbooruRoll",
  worker: { hooks: { startWorker: (_context, { worker }) => registry.register(worker.workerPool.id) } },
});
