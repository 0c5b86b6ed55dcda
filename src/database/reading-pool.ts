/** A pool that reads from the replica chosen for the current request, or else from the primary. */
import pg from "pg";
import type { Pools, Replica } from "./replica.js";
import { currentScope, readFrom, sourceOf } from "./request-scope.js";
import { ClientBusyError } from "./statements.js";
import { connectionToJoin } from "./unit.js";

/** Whether a retry on the primary would not help: the statement took too long, or was prepared before a migration, or its client has too many connections. */
function isOwnFault(error: unknown): boolean {
  if (error instanceof ClientBusyError) return true;
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (code === "57014" && !String(message).includes("recovery")) || code === "0A000";
}

/**
 * Replaces the primary's pool for Prisma and statements. Transactions run on the primary, and after its first one a
 * request reads only from there. The same holds after any failure of a replica (it is down, behind a migration, cancelled the
 * statement in favour of replay, or refused a write): the statement is repeated on the primary.
 * One that only took too long is not repeated, nor one that waited too long for the client's other statements, nor for a connection
 * of the replica if all of the primary's are in use too.
 */
export class ReadingPool extends pg.Pool {
  /** @param kind which of a server's pools it replaces */
  constructor(
    private readonly primary: pg.Pool,
    private readonly kind: keyof Pools,
  ) {
    super({ max: 1 }); // never opens connections of its own
  }

  /** Called by Prisma for a transaction, which may join a unit of work. */
  override connect(): never {
    const joined = connectionToJoin();
    if (joined) return Promise.resolve(joined) as never;
    readFrom(null);
    return this.primary.connect() as never;
  }

  override query(...args: never[]): never {
    const source = sourceOf();
    if (!source) return queryPrimary(this.primary, args) as never;
    return this.readFrom(source, args) as never;
  }

  private async readFrom(replica: Replica, args: unknown[]): Promise<unknown> {
    try {
      return await replica.read((pools) => query(pools[this.kind], args));
    } catch (error) {
      if (isOwnFault(error) || (isRefusal(error) && !hasRoom(this.primary))) throw error;
      if (!isRefusal(error)) replica.reportError(error);
      readFrom(null);
      return queryPrimary(this.primary, args);
    }
  }
}

/** Whether a connection is free or may be opened: a read that has waited for one of a replica's must not wait again. */
const hasRoom = ({ idleCount, totalCount, waitingCount, options }: pg.Pool): boolean =>
  waitingCount === 0 && (idleCount > 0 || totalCount < options.max);

/** Milliseconds that a request with a committed write waits for connections. */
const LONGEST_WAIT = 30_000;

/** Thrown by the driver and `ClientConnections` when all connections stay in use. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && error.message === "timeout exceeded when trying to connect";

/** Thrown by the driver when one takes too long to open. */
const isUnopened = (error: unknown): boolean =>
  error instanceof Error && error.message === "Connection terminated due to connection timeout";

/**
 * Reads from the primary. A request with a committed write waits for a connection instead of being refused: its client would think that
 * the write had failed, and repeat it.
 */
export async function queryPrimary(pool: pg.Pool, args: unknown[]): Promise<unknown> {
  const start = performance.now();
  for (;;) {
    try {
      return await query(pool, args);
    } catch (error) {
      const isResponse = currentScope()?.hasCommitted === true && performance.now() - start < LONGEST_WAIT;
      if (!isResponse || !(isRefusal(error) || isUnopened(error))) throw error;
    }
  }
}

/** The driver's `query` has many overloads; those used here return promises. */
function query(pool: pg.Pool, args: unknown[]): Promise<unknown> {
  const run = pool.query.bind(pool) as (...all: unknown[]) => Promise<unknown>;
  return run(...args);
}
