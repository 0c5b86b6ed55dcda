/** One process's share in a running cluster: a session of its own that holds the locks, from `join` to `leave`. */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, escapeIdentifier } from "pg";
import { codeOf, EmbeddedError, reasonOf } from "./error.js";
import { NAME } from "./folder.js";
import { type Cluster, findPostmaster, startPostmaster, stopPostmaster } from "./postmaster.js";

const PATIENCE_MS = 30_000;
const PAUSE_MS = 50;
const REJOIN_MS = 500;

/** Advisory locks, in the database `postgres`: every member holds MEMBER shared, the first one holds OWNER too. */
const SPACE = 0x67726170;
const OWNER = 1;
const MEMBER = 2;

/** Errors of a server that is going down or coming up, or of a connection that it has cut. */
const PASSING = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "57P01", "57P02", "57P03", "53300"]);
const passes = (error: unknown): boolean =>
  PASSING.has(codeOf(error)) || (error instanceof Error && /Connection terminated|timeout/i.test(error.message));

async function lock(session: Client, call: string, key: number): Promise<boolean> {
  const { rows } = await session.query<{ done: unknown }>(`SELECT ${call}($1, $2) AS done`, [SPACE, key]);
  return rows[0]?.done !== false;
}

export class Membership {
  isOwner = false;
  #session: Client | undefined;
  #port = 0;
  #leaving = false;
  #returning: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly cluster: Cluster,
    private readonly password: string,
    private readonly settings: Record<string, string>,
    private readonly log: (message: string) => void,
  ) {}

  /** Connection string of the board's database. `sslmode` is there because PGSSLMODE in the environment would be heeded otherwise. */
  get url(): string {
    return this.#urlOf(NAME);
  }

  #urlOf(database: string): string {
    return `postgresql://${NAME}:${this.password}@127.0.0.1:${this.#port}/${database}?sslmode=disable`;
  }

  /** Joins the running cluster, or starts it; waits for one that is just going down or coming up. */
  async join(): Promise<void> {
    let reason = "the server does not answer";
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(PAUSE_MS)) {
      try {
        if (!(await findPostmaster(this.cluster.folder))) {
          this.log("starting the database");
          reason = (await startPostmaster(this.cluster, this.settings)) ?? reason;
        }
        if (!(await this.#enter())) continue;
        return await this.#createDatabase();
      } catch (error) {
        if (error instanceof EmbeddedError || !passes(error)) throw this.#explained(error);
        reason = reasonOf(error);
      }
    }
    throw new EmbeddedError(
      `The database in ${this.cluster.folder} could not be reached in ${PATIENCE_MS / 1000} seconds: ${reason}.`,
    );
  }

  #explained(error: unknown): Error {
    if (error instanceof EmbeddedError) return error;
    const folder = this.cluster.folder;
    if (codeOf(error) !== "28P01")
      return new EmbeddedError(`The database in ${folder} refuses the board: ${reasonOf(error)}.`);
    return new EmbeddedError(`The password in ${folder}/graphbooru.json is not that of the database in this folder.`);
  }

  /** Connects to a running server and takes the locks; false when there is none. A member that is just stopping it makes us wait. */
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
      await lock(session, "pg_advisory_lock_shared", MEMBER);
      this.isOwner = await lock(session, "pg_try_advisory_lock", OWNER);
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
      // 42P04, 23505: another process has just done the same; 55006: it is at it, so look again
      if (codeOf(error) === "55006") return sleep(PAUSE_MS).then(() => this.#createDatabase());
      if (!["42P04", "23505"].includes(codeOf(error))) throw error;
    }
  }

  #query(text: string, values: unknown[] = []) {
    if (!this.#session) throw new EmbeddedError("The database has closed the connection.");
    return this.#session.query(text, values);
  }

  /** The session ended although nobody asked for it; without its lock another member would stop the server under us. */
  #lost(session: Client): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    if (this.#leaving) return;
    this.log("the database closed the connection that marks it as used");
    this.#rejoin();
  }

  #rejoin(): void {
    const attempt = () => {
      if (this.#leaving || this.#session) return;
      this.#returning = this.#return().then(
        (entered) => entered || this.#rejoin(),
        () => this.#rejoin(),
      );
    };
    setTimeout(attempt, REJOIN_MS).unref();
  }

  /** A server that is gone was killed, or stopped by somebody who did not know of us: it is started where its clients look for it. */
  async #return(): Promise<boolean> {
    const { folder } = this.cluster;
    if (existsSync(folder) && !(await findPostmaster(folder))) {
      this.log("the database is gone; starting it again");
      await startPostmaster(this.cluster, this.settings, this.#port);
    }
    return this.#enter();
  }

  /** Releases the shared lock. The process that then gets it exclusively was the last one; new members wait until the server has stopped. */
  async leave(): Promise<void> {
    this.#leaving = true;
    await this.#returning; // what is just being started is to be stopped
    try {
      if (!this.#session && !(await this.#enter())) return;
      const session = this.#session;
      if (!session) return;
      await lock(session, "pg_advisory_unlock_shared", MEMBER);
      if (await lock(session, "pg_try_advisory_lock", MEMBER)) {
        this.log("stopping the database");
        return await stopPostmaster(this.cluster.folder);
      }
      await session.end();
    } catch (error) {
      if (!passes(error)) throw error; // it went down without us
    }
  }
}
