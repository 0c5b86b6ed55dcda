/**
 * A unit of work: one transaction on one connection, for statements and Prisma. BEGIN is sent in one packet with the first statements,
 * and COMMIT with the last one where that is known, since a packet costs more than most statements. Prisma joins when one of its tables is first used.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import type { PrismaClient } from "./__generated__/client.js";
import type { Sql, Tables } from "./client.js";
import { run } from "./database.js";
import type { StatementNames } from "./prepared.js";

/** Milliseconds that a transaction may take before it is rolled back. */
export const LONGEST_TRANSACTION = 30_000;

const ignore = (): void => undefined;

/** The error of Prisma for a closed transaction. */
const over = (): Error => Object.assign(new Error("the transaction is over"), { code: "P2028" });

const units = new AsyncLocalStorage<Unit>();

/** Whether the caller runs in a unit of work, whose statements are worth preparing: there are few distinct ones. */
export const isInTransaction = (): boolean => units.getStore() !== undefined;

/** Whether a connection is counted towards the client's limit: of a unit of work, only the first. */
export function takesConnection(): boolean {
  const unit = units.getStore();
  if (unit?.hasConnection) return false;
  if (unit) unit.hasConnection = true;
  return true;
}

/** The connection of the caller's unit of work if Prisma is about to join it; otherwise null. */
export const connectionToJoin = (): pg.PoolClient | null => units.getStore()?.connectionForPrisma() ?? null;

export class Unit {
  /** whether its connection has been requested */
  hasConnection = false;
  private connection: pg.PoolClient | null = null;
  private begun: Promise<unknown> | undefined;
  private ended: Promise<void> | undefined;
  private isCommitting = false;
  private timer: NodeJS.Timeout | undefined;
  private joined: Promise<Tables> | undefined;
  private isJoining = false;
  private leave: () => void = ignore;

  constructor(
    private readonly prisma: PrismaClient,
    private readonly names: StatementNames,
  ) {}

  within<T>(work: () => T): T {
    return units.run(this, work);
  }

  begin(connection: pg.PoolClient): void {
    this.connection = connection;
    const { stream } = connection.connection;
    stream.cork();
    process.nextTick(() => stream.uncork()); // by then the first statements are written
    this.begun = connection.query("BEGIN");
    this.begun.catch(ignore);
    this.timer = setTimeout(() => void this.rollback().finally(() => this.release()), LONGEST_TRANSACTION);
  }

  /** @throws the driver's errors, and `P2028` when the transaction is over */
  async run(statement: Sql): Promise<pg.QueryResult<object>> {
    const running = run(this.open(), statement, this.names.of(statement.text));
    const [result] = await Promise.all([running, this.begun]);
    return result;
  }

  /** Runs a statement and commits, in one round trip. @throws the statement's error; nothing is committed then */
  async runLast(statement: Sql): Promise<pg.QueryResult<object>> {
    const { stream } = this.open().connection;
    stream.cork();
    const both = Promise.all([this.run(statement), this.commit()]);
    stream.uncork();
    const [result] = await both;
    return result;
  }

  /** @throws Error when it can't be committed, or was rolled back meanwhile */
  async commit(): Promise<void> {
    if (!this.isCommitting) {
      this.open();
      this.isCommitting = true;
      this.end("COMMIT");
    }
    await this.ended;
  }

  /** Rolls back unless it is committed. Never fails. */
  async rollback(): Promise<void> {
    if (!this.ended) this.end("ROLLBACK");
    await this.ended?.catch(ignore);
  }

  release(): void {
    const { connection } = this;
    this.connection = null;
    connection?.release();
  }

  /** Prisma's tables; it joins the transaction at the first call. */
  tables(): Promise<Tables> {
    this.joined ??= new Promise((resolve, reject) => {
      this.isJoining = true;
      const left = new Promise<void>((leave) => (this.leave = leave));
      const stay = (tables: Tables) => {
        resolve(tables);
        return left;
      };
      this.prisma.$transaction(stay, { timeout: LONGEST_TRANSACTION }).catch(reject);
    });
    return this.joined;
  }

  /** Prisma's own BEGIN, COMMIT and ROLLBACK are not sent to the server. */
  connectionForPrisma(): pg.PoolClient | null {
    if (!this.isJoining) return null;
    this.isJoining = false;
    const query = (config: pg.QueryConfig) =>
      /^(BEGIN|COMMIT|ROLLBACK)$/.test(config.text)
        ? Promise.resolve({ rows: [], fields: [], rowCount: 0 })
        : this.open().query(config);
    return { query, on: ignore, removeListener: ignore, release: ignore } as unknown as pg.PoolClient;
  }

  private open(): pg.PoolClient {
    if (!this.connection || this.ended) throw over();
    return this.connection;
  }

  private end(command: "COMMIT" | "ROLLBACK"): void {
    clearTimeout(this.timer);
    this.ended = this.send(command);
    this.ended.catch(ignore);
    this.leave();
  }

  private async send(command: "COMMIT" | "ROLLBACK"): Promise<void> {
    const result = await this.connection?.query(command);
    // a statement had failed, and its caller ignored the error
    if (result?.command !== command) throw new Error("the transaction was rolled back");
  }
}
