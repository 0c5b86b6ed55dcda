/**
 * The registry of live workers. A job whose worker was killed, or whose machine failed, is released for
 * other workers within a minute; the queue itself waits four hours.
 *
 * A worker is alive while it holds an advisory lock with its name, which PostgreSQL releases with the connection.
 */
import type pg from "pg";
import { LOCKS } from "../../database/lock.js";
import type { Logger } from "../telemetry/log.js";
import { getOrMake } from "../../lib/get-or-make.js";

const MINUTE = 60_000;
/** Milliseconds until a session that was lost, or could not be opened, is opened again. */
const RETRY_MS = 500;

/**
 * Releases the jobs of workers whose lock is free; the statement itself holds it only until its end. The end of a process is
 * not a failure of its job, so the attempt does not count: a long job survives any number of kills.
 */
const RELEASE_ORPHANED = `
  WITH dead AS MATERIALIZED (
    SELECT name FROM (SELECT DISTINCT locked_by AS name FROM graphile_worker.jobs WHERE locked_by IS NOT NULL) AS workers
     WHERE pg_try_advisory_xact_lock(${LOCKS.worker}, hashtext(name))),
  uncounted AS (
    UPDATE graphile_worker._private_jobs SET attempts = greatest(attempts - 1, 0), locked_by = NULL, locked_at = NULL,
           run_at = greatest(run_at, now())
     WHERE locked_by IN (SELECT name FROM dead))
  UPDATE graphile_worker._private_job_queues SET locked_at = NULL, locked_by = NULL
   WHERE locked_by IN (SELECT name FROM dead)`;

export class WorkerRegistry implements AsyncDisposable {
  /** the names of its pools of workers, and when they are locked */
  private readonly names = new Map<string, Promise<unknown>>();
  /** holds the locks; absent while the database is unreachable */
  private session: Promise<pg.PoolClient> | null = null;
  private current: pg.PoolClient | null = null;
  private timer: NodeJS.Timeout | undefined;
  private retry: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** @param pool one of its connections is held until this is disposed of */
  constructor(
    private readonly pool: pg.Pool,
    private readonly log: Logger,
  ) {}

  /** Registers a pool of workers of this process; each of its workers calls it. */
  async register(name: string): Promise<void> {
    await getOrMake(this.names, name, () => this.connected().then((session) => lockName(session, name)));
  }

  /** Releases the jobs of dead workers now and every minute. */
  async start(): Promise<void> {
    const onError = (error: unknown) => this.log.warn({ err: error }, "jobs of dead workers could not be released");
    const release = () => this.releaseOrphanedJobs().catch(onError);
    await release();
    this.timer = setInterval(() => void release(), MINUTE).unref();
  }

  private async releaseOrphanedJobs(): Promise<void> {
    const session = await this.connected();
    // the server may have forgotten it without a word, as in a failover, and with it the locks: this process's own jobs would be released
    await session.query("SELECT").catch((error: unknown) => {
      this.lose(session);
      throw error;
    });
    await this.pool.query(RELEASE_ORPHANED); // not on the session that holds the locks, to which they are free
  }

  private connected(): Promise<pg.PoolClient> {
    this.session ??= this.connect().catch((error: unknown) => {
      this.session = null;
      if (this.current) this.lose(this.current);
      this.lockAgain();
      throw error;
    });
    return this.session;
  }

  /** Locks the names of all workers of this process, again after the connection was lost. */
  private async connect(): Promise<pg.PoolClient> {
    const session = await this.pool.connect();
    this.current = session;
    session.once("end", () => {
      this.lose(session);
      this.lockAgain();
    });
    for (const name of this.names.keys()) await lockName(session, name);
    return session;
  }

  /** Locks the names soon, as other processes would release the jobs that run here. */
  private lockAgain(): void {
    clearTimeout(this.retry);
    if (this.isClosed) return;
    this.retry = setTimeout(() => void this.connected().catch(() => undefined), RETRY_MS).unref();
  }

  /** Closes a session, unless that was done; the next use connects again. */
  private lose(session: pg.PoolClient): void {
    if (this.current !== session) return;
    this.current = null;
    this.session = null;
    session.release(true);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    clearTimeout(this.retry);
    await this.session?.catch(() => null);
    if (this.current) this.lose(this.current);
  }
}

const lockName = (session: pg.PoolClient, name: string) =>
  session.query("SELECT pg_advisory_lock_shared($1, hashtext($2))", [LOCKS.worker, name]);
