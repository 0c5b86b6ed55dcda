/**
 * The roll of those who work. A job whose worker is not on it any more, because its process was killed or its machine is
 * gone, is free for others at once; left to itself the queue waits four hours for the worker to come back.
 *
 * On the roll is who holds an advisory lock in its name, which PostgreSQL takes away with the connection.
 */
import type pg from "pg";
import type { Logger } from "../telemetry/log.js";

/** First key of the advisory locks; the second is taken from the worker's name. */
const WORKER_LOCK = 7_306;
const MINUTE = 60_000;

/**
 * Sets the jobs free of those whose lock is to be had; it is given back with the end of the statement. That its process ended
 * is no failure of the job, so the try does not count: a job that takes long outlives any number of kills.
 */
const FREE_ABANDONED = `
  WITH dead AS MATERIALIZED (
    SELECT name FROM (SELECT DISTINCT locked_by AS name FROM graphile_worker.jobs WHERE locked_by IS NOT NULL) AS workers
     WHERE pg_try_advisory_xact_lock(${WORKER_LOCK}, hashtext(name))),
  uncounted AS (
    UPDATE graphile_worker._private_jobs SET attempts = greatest(attempts - 1, 0), locked_by = NULL, locked_at = NULL,
           run_at = greatest(run_at, now())
     WHERE locked_by IN (SELECT name FROM dead))
  UPDATE graphile_worker._private_job_queues SET locked_at = NULL, locked_by = NULL
   WHERE locked_by IN (SELECT name FROM dead)`;

export class Roll implements AsyncDisposable {
  private readonly names = new Set<string>();
  /** holds the locks; absent while the database can't be reached */
  private session: Promise<pg.PoolClient> | null = null;
  private timer: NodeJS.Timeout | undefined;

  /** @param pool one connection of which is kept until the roll is disposed of */
  constructor(
    private readonly pool: pg.Pool,
    private readonly log: Logger,
  ) {}

  /** Puts a worker of this process on the roll. */
  async enrol(name: string): Promise<void> {
    this.names.add(name);
    await answer(await this.connected(), name);
  }

  /** Calls the roll now and every minute: the jobs of workers who don't answer are free. */
  async begin(): Promise<void> {
    const onError = (error: unknown) => this.log.warn({ err: error }, "roll of workers not called");
    const call = () => this.call().catch(onError);
    await call();
    this.timer = setInterval(() => void call(), MINUTE).unref();
  }

  private async call(): Promise<void> {
    await this.connected();
    await this.pool.query(FREE_ABANDONED); // another session than the one with the locks, to which they would not be locked
  }

  private connected(): Promise<pg.PoolClient> {
    this.session ??= this.connect().catch((error: unknown) => {
      this.session = null;
      throw error;
    });
    return this.session;
  }

  /** Answers for those who are on the roll already, should their connection have been lost. */
  private async connect(): Promise<pg.PoolClient> {
    const session = await this.pool.connect();
    session.once("end", () => {
      this.session = null;
      session.release(true);
    });
    for (const name of this.names) await answer(session, name);
    return session;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.timer);
    const session = await this.session?.catch(() => null);
    session?.removeAllListeners("end");
    session?.release(true);
  }
}

const answer = (session: pg.PoolClient, name: string) =>
  session.query("SELECT pg_advisory_lock_shared($1, hashtext($2))", [WORKER_LOCK, name]);
