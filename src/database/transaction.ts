/** Runs a unit of work in one transaction, with retries after deadlocks and serialization failures. */
import type pg from "pg";
import { BoardError } from "../errors.js";
import { hasCode } from "../lib/error-code.js";
import type { BoardEvents } from "../runtime/events/events.js";
import type { PrismaClient } from "./__generated__/client.js";
import type { Sql, Tables, Transaction } from "./client.js";
import { withStatements } from "./database.js";
import type { StatementNames } from "./prepared.js";
import { currentScope, readFrom } from "./request-scope.js";
import { Unit } from "./unit.js";

const ATTEMPTS = 4;
/** deadlock_detected, serialization_failure, Prisma's code for both, and a prepared statement outdated by a migration */
const RETRYABLE = /^(40P01|40001|P2034|0A000)$/;
const STALE = /^0A000$/;

/** To be thrown in a transaction that has to begin anew, because another one was faster. */
export const conflict = (): Error => Object.assign(new Error("another transaction was faster"), { code: "40001" });

export type Transact = <T>(work: (db: Transaction) => Promise<T>) => Promise<T>;

export interface TransactionParts {
  /** of the primary */
  pool: pg.Pool;
  prisma: PrismaClient;
  names: StatementNames;
  /** those of a transaction are published after its commit, which never fails */
  events: Pick<BoardEvents, "collect" | "publish">;
}

/** The work may run several times, so it must have no effects outside the database, or undo them when it throws. */
export const transactor =
  ({ pool, prisma, names, events }: TransactionParts): Transact =>
  async (work) => {
    const attempt = async (unit: Unit) => {
      readFrom(null);
      unit.begin(await pool.connect());
      try {
        const db = transactionOf(unit);
        const collected = events.collect(db);
        const result = await work(db);
        await unit.commit();
        const scope = currentScope();
        if (scope) scope.hasCommitted = true;
        return { result, collected };
      } catch (error) {
        await unit.rollback();
        throw error;
      } finally {
        unit.release();
      }
    };
    const { result, collected } = await withRetries(() => {
      const unit = new Unit(prisma, names);
      return unit.within(() => attempt(unit));
    }, names);
    await events.publish(collected);
    return result;
  };

const transactionOf = (unit: Unit): Transaction =>
  withStatements(tablesOf(unit), {
    query: async <T>(statement: Sql) => (await unit.run(statement)).rows as T[],
    execute: async (statement: Sql) => (await unit.run(statement)).rowCount ?? 0,
    commitWith: async <T>(statement: Sql) => (await unit.runLast(statement)).rows as T[],
  });

type Table = Record<string, (args: unknown) => Promise<unknown>>;

/** Prisma's tables; it joins the transaction when one is first used. */
function tablesOf(unit: Unit): Tables {
  const table = (name: string): Table =>
    new Proxy<Table>(
      {},
      {
        get: (_, method: string) => async (args: unknown) =>
          ((await unit.tables()) as unknown as Record<string, Table>)[name]?.[method]?.(args),
      },
    );
  return new Proxy({}, { get: (_, name) => (typeof name === "string" ? table(name) : undefined) }) as Tables;
}

async function withRetries<T>(attempt: () => Promise<T>, names: StatementNames): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isRefusal = error instanceof BoardError; // which may have such an error as its cause
      if (attempts >= ATTEMPTS || isRefusal || !hasCode(error, RETRYABLE)) throw error;
      if (hasCode(error, STALE)) names.forget();
    }
  }
}
