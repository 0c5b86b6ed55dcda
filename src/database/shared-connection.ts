/**
 * One connection for the small reads of all requests. The statements of one turn of the event loop are sent in one packet, and PostgreSQL
 * runs them one after the other: a packet and a connection for each would take Node longer than the rest of the statement.
 *
 * As each statement delays those behind it, only quick ones may be read here. If the connection breaks or doesn't answer soon, it is not
 * used until it works again, and the statements that it left unanswered are repeated by a pool, which decides on waits and errors.
 */
import pg from "pg";
import type { Sql } from "./client.js";
import { endConnection } from "./pool.js";
import { CountingClient, type OnStatement } from "./statements.js";
import { types } from "./types.js";

/** Milliseconds without an answer after which further statements go to a pool. */
const SLOW = 100;
/** Milliseconds that a statement may take. */
const STATEMENT_TIMEOUT = 1_000;
/** Milliseconds without an answer after which the connection is given up. */
const SILENCE = 2_000;
/** Maximum number of statements in progress; further ones go to a pool. */
const MAX_IN_PROGRESS = 200;
/** Milliseconds after which a connection that was given up is opened again. */
const PAUSE = 1_000;

/** query_canceled (by the timeout), and "cached plan must not change result type" after a migration: a new connection works again. */
const GIVEN_UP_FOR = new Set(["57014", "0A000"]);

export class SharedConnection implements AsyncDisposable {
  private client: CountingClient | null = null;
  private isConnected = false;
  private isCorked = false;
  private inProgress = 0;
  /** when the last answer came, or the first of the statements in progress was sent */
  private lastProgress = 0;
  private nextOpening = 0;
  /** as a pool says it, for the metrics */
  readonly options = { max: 1 };
  readonly waitingCount = 0;

  constructor(private readonly config: pg.ClientConfig & { onStatement?: OnStatement }) {}

  /** open connections: one, or none */
  get totalCount(): number {
    return this.isConnected ? 1 : 0;
  }

  /** open connections without a statement in progress */
  get idleCount(): number {
    return this.inProgress === 0 ? this.totalCount : 0;
  }

  /** Runs a read, prepared under this name. @returns the rows; null if a pool has to run it */
  query<T extends object>({ text, values }: Pick<Sql, "text" | "values">, name: string): Promise<T[]> | null {
    const client = this.usable();
    if (!client) return null;
    this.cork(client);
    if (this.inProgress === 0) this.lastProgress = performance.now();
    this.inProgress += 1;
    return new Promise((resolve, reject) => {
      const answered = (error: Error | undefined, result: pg.QueryResult<T>) => {
        this.inProgress -= 1;
        this.lastProgress = performance.now();
        if (!error) return resolve(result.rows);
        if (!(error instanceof pg.DatabaseError) || GIVEN_UP_FOR.has(error.code ?? "")) this.giveUp(client);
        reject(error);
      };
      const query = Object.assign(new pg.Query<T>(text, values), { name });
      client.query(query as never, answered as never);
    });
  }

  /** The connection if it is expected to answer soon. */
  private usable(): CountingClient | null {
    const now = performance.now();
    if (!this.client && now >= this.nextOpening) this.open();
    if (!this.isConnected || this.inProgress >= MAX_IN_PROGRESS) return null;
    return this.inProgress > 0 && now - this.lastProgress > SLOW ? null : this.client;
  }

  /** Holds statements back until the turn of the event loop ends. */
  private cork(client: CountingClient): void {
    if (this.isCorked) return;
    this.isCorked = true;
    const { stream } = client.connection;
    stream.cork();
    setImmediate(() => {
      this.isCorked = false;
      stream.uncork();
    });
  }

  private open(): void {
    const client = new CountingClient({
      ...this.config,
      types,
      pipeline: true,
      connectionTimeoutMillis: SILENCE,
      statement_timeout: STATEMENT_TIMEOUT,
    });
    this.client = client;
    this.watch(client);
    const giveUp = () => this.giveUp(client);
    client.on("error", giveUp);
    client.on("end", giveUp);
    client.connect().then(() => (this.isConnected = this.client === client), giveUp);
  }

  /** One timer for all statements: one for each would take longer than sending the statement. */
  private watch(client: CountingClient): void {
    const check = () => {
      if (this.client !== client) clearInterval(timer);
      else if (this.inProgress > 0 && performance.now() - this.lastProgress > SILENCE) this.giveUp(client);
    };
    const timer = setInterval(check, SILENCE / 4).unref();
  }

  private giveUp(client: CountingClient): void {
    if (this.client !== client) return;
    this.client = null;
    this.isConnected = false;
    this.nextOpening = performance.now() + PAUSE;
    client.connection.stream.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { client } = this;
    this.client = null;
    this.isConnected = false;
    this.nextOpening = Number.POSITIVE_INFINITY;
    if (client) await endConnection(client);
  }
}
