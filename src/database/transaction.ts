/** Runs a unit of work in one transaction, again when PostgreSQL gave it up for the sake of another (deadlock). */
import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import type { PrismaClient } from "./__generated__/client.js";
import type { Db, Executor, Sql } from "./client.js";
import { run, withStatements } from "./database.js";
import type { StatementNames } from "./prepared.js";

const ATTEMPTS = 4;
/** deadlock_detected, serialization_failure, and Prisma's name for both; and a prepared statement that fits its tables no more */
const RETRYABLE = /\b(40P01|40001|P2034|0A000)\b/;
const STALE = /\b0A000\b/;

const messageOf = (error: unknown): string => {
  const fault = error as { code?: unknown; message?: unknown; meta?: unknown };
  return `${String(fault.code)} ${String(fault.message)} ${JSON.stringify(fault.meta ?? {})}`;
};

/** True for errors after which the same transaction may well succeed. */
export const isRetryable = (error: unknown): boolean => RETRYABLE.test(messageOf(error));

/** Milliseconds that a transaction may take, and that it waits for its connection. */
const LIMITS = { maxWait: 10_000, timeout: 30_000 };

/** One transaction: Prisma begins and ends it, and both ways to the database use its connection. */
class Unit {
  /** whether the connection has been asked for */
  hasConnection = false;
  private connection: pg.ClientBase | null = null;
  /** by `performance.now()`: Prisma rolls back soon after, and the connection is somebody else's then */
  private until = 0;

  begin(connection: pg.ClientBase): void {
    if (this.connection) return;
    this.connection = connection;
    this.until = performance.now() + LIMITS.timeout;
  }

  end(): void {
    this.connection = null;
  }

  /** @throws Error when the transaction is over, as Prisma says it */
  run(statement: Sql, names: StatementNames): Promise<pg.QueryResult<object>> {
    if (this.connection && performance.now() < this.until)
      return run(this.connection, statement, names.of(statement.text));
    return Promise.reject(Object.assign(new Error("the transaction is over"), { code: "P2028" }));
  }
}

const units = new AsyncLocalStorage<Unit>();

/** Whether the caller is part of a unit of work: its statements are few, each of one shape, and worth preparing. */
export const isInTransaction = (): boolean => units.getStore() !== undefined;

/** Whether the connection that is asked for is the caller's first one: of a unit of work the one that it runs in. */
export function takesConnection(): boolean {
  const unit = units.getStore();
  if (unit?.hasConnection) return false;
  if (unit) unit.hasConnection = true;
  return true;
}

/** Takes the connection as that of the unit of work whose Prisma asked for it. */
export function beginUnit(connection: pg.ClientBase): void {
  units.getStore()?.begin(connection);
}

export type Transact = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** Who tells of a transaction's events after its commit. */
export interface Herald<T> {
  /** Where the events of this transaction come together. */
  collect(db: Executor): T;
  /** Never fails: the transaction is committed. */
  tell(collected: T): Promise<void>;
}

/** The work must have no effects outside the database, or undo them when it throws: it may run several times. */
export const transactor =
  <E>(prisma: PrismaClient, names: StatementNames, herald: Herald<E>): Transact =>
  async (work) => {
    const attempt = (unit: Unit) =>
      prisma.$transaction(async (tables) => {
        const db = withStatements(tables, {
          query: async <T>(statement: Sql) => (await unit.run(statement, names)).rows as T[],
          execute: async (statement) => (await unit.run(statement, names)).rowCount ?? 0,
        });
        const events = herald.collect(db);
        // Prisma commits or rolls back when this is settled: nothing may be run behind that
        const result = await work(db).finally(() => unit.end());
        return { result, events };
      }, LIMITS);
    const { result, events } = await withRetries(() => {
      const unit = new Unit();
      return units.run(unit, () => attempt(unit));
    }, names);
    await herald.tell(events);
    return result;
  };

async function withRetries<T>(attempt: () => Promise<T>, names: StatementNames): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts >= ATTEMPTS || !isRetryable(error)) throw error;
      if (STALE.test(messageOf(error))) names.forget();
    }
  }
}
