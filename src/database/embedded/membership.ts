/** A process's membership in a running cluster: a session that holds the locks, from `join` to `leave`. */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, escapeIdentifier } from "pg";
import { codeOf } from "../../lib/error-code.js";
import { EmbeddedError, reasonOf } from "./error.js";
import { NAME } from "./folder.js";
import { type Cluster, findPostmaster, startPostmaster, stopPostmaster } from "./postmaster.js";

const JOIN_TIMEOUT_MS = 30_000;
const RETRY_MS = 50;
const REJOIN_MS = 500;

/** The advisory lock in the database `postgres` that every member holds shared. */
const NAMESPACE = 0x67726170;
const MEMBER = 2;

/** Errors of a server that is starting or stopping, or that closed the connection. */
const TRANSIENT = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "57P01", "57P02", "57P03", "53300"]);
const isTransient = (error: unknown): boolean =>
  TRANSIENT.has(codeOf(error)) ||
  (error instanceof Error && /Connection terminated|not queryable|timeout/i.test(error.message));

async function lock(session: Client, call: string): Promise<boolean> {
  const { rows } = await session.query<{ done: unknown }>(`SELECT ${call}($1, $2) AS done`, [NAMESPACE, MEMBER]);
  return rows[0]?.done !== false;
}

/** @param isTrouble whether operators should see it */
export type EmbeddedLog = (message: string, isTrouble?: boolean) => void;

export class Membership {
  #session: Client | undefined;
  #port = 0;
  #leaving = false;
  #rejoining: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly cluster: Cluster,
    private readonly password: string,
    private readonly settings: Record<string, string>,
    private readonly log: EmbeddedLog,
  ) {}

  /** Connection string of the board's database. `sslmode` overrides PGSSLMODE in the environment. */
  get url(): string {
    return this.#urlOf(NAME);
  }

  #urlOf(database: string): string {
    return `postgresql://${NAME}:${this.password}@127.0.0.1:${this.#port}/${database}?sslmode=disable`;
  }

  /** Joins the running cluster, or starts it; waits while it is starting or stopping. @throws EmbeddedError */
  async join(): Promise<void> {
    let reason = "";
    for (const end = performance.now() + JOIN_TIMEOUT_MS; performance.now() < end; await sleep(RETRY_MS)) {
      try {
        if (!(await findPostmaster(this.cluster.folder))) {
          if (!reason) this.log("starting the database");
          const failure = (await startPostmaster(this.cluster, this.settings)) ?? reason;
          if (failure !== reason) this.log(`waiting: ${failure}`);
          reason = failure;
        }
        if (!(await this.#enter())) continue;
        return await this.#createDatabase();
      } catch (error) {
        if (error instanceof EmbeddedError || !isTransient(error)) throw this.#explained(error);
        reason = reasonOf(error);
      }
    }
    throw new EmbeddedError(
      `The database in ${this.cluster.folder} could not be reached in ${JOIN_TIMEOUT_MS / 1000} seconds: ${reason || "the server does not respond"}.`,
    );
  }

  #explained(error: unknown): Error {
    if (error instanceof EmbeddedError) return error;
    const folder = this.cluster.folder;
    if (codeOf(error) !== "28P01")
      return new EmbeddedError(`The database in ${folder} refuses the connection: ${reasonOf(error)}.`);
    return new EmbeddedError(`The password in ${folder}/graphbooru.json is not that of the database in this folder.`);
  }

  /** Connects to a running server and takes the lock, waiting for a member that is stopping it; false if there is no server. */
  async #enter(): Promise<boolean> {
    const running = await findPostmaster(this.cluster.folder);
    if (!running?.port) return false;
    this.#port = running.port;
    const session = new Client({
      connectionString: this.#urlOf("postgres"),
      application_name: `${NAME} membership`,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    session.on("error", () => undefined); // "end" follows
    try {
      await session.connect();
      await lock(session, "pg_advisory_lock_shared");
    } catch (error) {
      void session.end().catch(() => undefined);
      throw error;
    }
    this.#session = session;
    session.once("end", () => this.#lost(session));
    return true;
  }

  async #createDatabase(): Promise<void> {
    const { rowCount } = await this.#query("SELECT FROM pg_database WHERE datname = $1", [NAME]);
    if (rowCount) return;
    try {
      await this.#query(`CREATE DATABASE ${escapeIdentifier(NAME)}`);
    } catch (error) {
      // 42P04, 23505: another process has created it; 55006: another process is creating it
      if (codeOf(error) === "55006") return sleep(RETRY_MS).then(() => this.#createDatabase());
      if (!["42P04", "23505"].includes(codeOf(error))) throw error;
    }
  }

  #query(text: string, values: unknown[] = []) {
    if (!this.#session) throw new EmbeddedError("The database has closed the connection.");
    return this.#session.query(text, values);
  }

  /** The session ended unexpectedly; without its lock, another member could stop the server. */
  #lost(session: Client): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    if (this.#leaving) return;
    this.log("lost the connection that keeps the database running", true);
    this.#rejoin();
  }

  #rejoin(): void {
    const attempt = () => {
      if (this.#leaving || this.#session) return;
      this.#rejoining = this.#restart().then(
        (entered) => entered || this.#rejoin(),
        (error: unknown) => {
          this.log(reasonOf(error), true);
          this.#rejoin();
        },
      );
    };
    setTimeout(attempt, REJOIN_MS).unref();
  }

  /** Restarts a server that was killed or stopped, on the same port, to which its clients reconnect. */
  async #restart(): Promise<boolean> {
    const { folder } = this.cluster;
    if (existsSync(folder) && !(await findPostmaster(folder))) {
      this.log("the database is not running; restarting it");
      const failure = await startPostmaster(this.cluster, this.settings, this.#port);
      if (failure) throw new EmbeddedError(`The database could not be restarted: ${failure}.`);
    }
    return this.#enter();
  }

  /** Releases the shared lock. A process that then gets it exclusively was the last one, and stops the server; new members wait meanwhile. */
  async leave(): Promise<void> {
    this.#leaving = true;
    await this.#rejoining; // which may be starting the server
    try {
      if (!this.#session && !(await this.#enter())) return;
      const session = this.#session;
      if (!session) return;
      await lock(session, "pg_advisory_unlock_shared");
      if (await lock(session, "pg_try_advisory_lock")) {
        this.log("stopping the database");
        return await stopPostmaster(this.cluster.folder);
      }
      await session.end();
    } catch (error) {
      if (!isTransient(error)) throw error; // it has stopped already
    }
  }
}
