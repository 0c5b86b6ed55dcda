/** Runs a unit of work in one transaction, again when PostgreSQL gave it up for the sake of another (deadlock). */
import type { Db, PrismaClient } from "./client.js";

const ATTEMPTS = 4;
/** deadlock_detected, serialization_failure, and Prisma's name for both */
const RETRYABLE = /\b(40P01|40001|P2034)\b/;

const messageOf = (error: unknown): string => {
  const fault = error as { code?: unknown; message?: unknown; meta?: unknown };
  return `${String(fault.code)} ${String(fault.message)} ${JSON.stringify(fault.meta ?? {})}`;
};

/** True for errors after which the same transaction may well succeed. */
export const isRetryable = (error: unknown): boolean => RETRYABLE.test(messageOf(error));

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
  <E>(prisma: PrismaClient, herald?: Herald<E>): Transact =>
  async (work) => {
    const { result, tell } = await withRetries(() =>
      prisma.$transaction(
        async (db) => {
          const events = herald?.collect(db);
          return { result: await work(db), tell: () => events !== undefined && herald?.tell(prisma, events) };
        },
        { maxWait: 10_000, timeout: 30_000 },
      ),
    );
    await tell();
    return result;
  };

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts >= ATTEMPTS || !isRetryable(error)) throw error;
    }
  }
}
