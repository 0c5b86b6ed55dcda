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

/** The work must have no effects outside the database, or undo them when it throws: it may run several times. */
export const transactor =
  (prisma: PrismaClient): Transact =>
  async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await prisma.$transaction(work, { maxWait: 10_000, timeout: 30_000 });
      } catch (error) {
        if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
      }
    }
  };
