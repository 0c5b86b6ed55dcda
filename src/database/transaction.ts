/** Runs a unit of work in one transaction, again when PostgreSQL gave it up for the sake of another (deadlock). */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Db, PrismaClient } from "./client.js";
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

const running = new AsyncLocalStorage<{ hasConnection: boolean }>();

/** Whether the caller is part of a unit of work: its statements are few, each of one shape, and worth preparing. */
export const isInTransaction = (): boolean => running.getStore() !== undefined;

/** Whether the connection that is asked for is the caller's first one: of a unit of work the one that it runs in. */
export function takesConnection(): boolean {
  const transaction = running.getStore();
  if (transaction?.hasConnection) return false;
  if (transaction) transaction.hasConnection = true;
  return true;
}

export type Transact = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** Who tells of a transaction's events after its commit. */
export interface Herald<T> {
  /** Where the events of this transaction come together. */
  collect(db: Db): T;
  /** Never fails: the transaction is committed. */
  tell(db: Db, collected: T): Promise<void>;
}

/** The work must have no effects outside the database, or undo them when it throws: it may run several times. */
export const transactor =
  <E>(prisma: PrismaClient, herald?: Herald<E>, prepared?: StatementNames): Transact =>
  async (work) => {
    const attempt = () =>
      prisma.$transaction(
        async (db) => {
          const events = herald?.collect(db);
          return { result: await work(db), tell: () => events !== undefined && herald?.tell(prisma, events) };
        },
        { maxWait: 10_000, timeout: 30_000 },
      );
    const { result, tell } = await withRetries(() => running.run({ hasConnection: false }, attempt), prepared);
    await tell();
    return result;
  };

async function withRetries<T>(attempt: () => Promise<T>, prepared?: StatementNames): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts >= ATTEMPTS || !isRetryable(error)) throw error;
      if (STALE.test(messageOf(error))) prepared?.forget();
    }
  }
}
