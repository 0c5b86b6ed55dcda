/** A pool that asks the replica which the current request reads from, and the primary where there is none. */
import pg from "pg";
import type { Pools, Replica } from "./replica.js";
import { currentScope, readFrom, sourceOf } from "./request-scope.js";
import { connectionToJoin } from "./unit.js";

/** Whether an error is the statement's fault and not the server's: it took too long, or was prepared before a migration. */
function isStatementError(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (code === "57014" && !String(message).includes("recovery")) || code === "0A000";
}

/**
 * Stands in for the primary's pool, for Prisma and statements. Transactions run at the primary, and from the first one on a
 * request reads there alone. The same holds after any failure of a replica (it is down, behind a migration, cancelled the
 * statement in favour of replay, or refused a write): the statement is run at the primary instead, unseen by the caller.
 * One that only took too long is not retried.
 */
export class ReadingPool extends pg.Pool {
  /** @param kind which of a server's pools this one stands for */
  constructor(
    private readonly primary: pg.Pool,
    private readonly kind: keyof Pools,
  ) {
    super({ max: 1 }); // its own connections are never asked for
  }

  /** For a transaction of Prisma's, which may be one that it joins. */
  override connect(): never {
    const joined = connectionToJoin();
    if (joined) return Promise.resolve(joined) as never;
    readFrom(null);
    return this.primary.connect() as never;
  }

  override query(...args: never[]): never {
    const source = sourceOf();
    if (!source) return askPrimary(this.primary, args) as never;
    return this.readFrom(source, args) as never;
  }

  private async readFrom(replica: Replica, args: unknown[]): Promise<unknown> {
    try {
      return await replica.read((pools) => ask(pools[this.kind], args));
    } catch (error) {
      if (isStatementError(error)) throw error;
      replica.reportError(error);
      readFrom(null);
      return askPrimary(this.primary, args);
    }
  }
}

/** Milliseconds that a response of a committed write waits for its connections. */
const LONGEST_WAIT = 30_000;

/** What the driver and `ClientTurns` throw: nothing was sent to the server yet. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && error.message === "timeout exceeded when trying to connect";

/**
 * Reads from the primary. A request whose write is committed is not refused for want of a connection, but waits for the next one:
 * the client would take the refusal for a write that failed, and write again.
 */
async function askPrimary(pool: pg.Pool, args: unknown[]): Promise<unknown> {
  const began = performance.now();
  for (;;) {
    try {
      return await ask(pool, args);
    } catch (error) {
      const isResponse = currentScope()?.hasCommitted === true && performance.now() - began < LONGEST_WAIT;
      if (!isResponse || !isRefusal(error)) throw error;
    }
  }
}

/** The driver has many overloads; here they all answer with promises. */
function ask(pool: pg.Pool, args: unknown[]): Promise<unknown> {
  const query = pool.query.bind(pool) as (...all: unknown[]) => Promise<unknown>;
  return query(...args);
}
