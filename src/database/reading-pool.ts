/** A pool that asks the replica which the current request reads from, and the primary where there is none. */
import pg from "pg";
import type { Pools, Replica } from "./replica.js";
import { readFrom, sourceOf } from "./statements.js";

/** Errors that are the statement's own, and not its server's: it has taken too long, or was prepared before a migration. */
function isItsOwn(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (code === "57014" && !String(message).includes("recovery")) || code === "0A000";
}

/**
 * For Prisma and the direct reader, in the primary's place. Transactions are the primary's, and with the first one a request
 * reads from there alone. So it does after anything that a replica fails at (it has died, is catching up with a migration, gave
 * the statement up for the sake of replaying, must not write): the statement is asked of the primary instead, and nobody
 * hears of it. What only took too long would take as long there.
 */
export class ReadingPool extends pg.Pool {
  /** @param kind which of a server's pools this one stands for */
  constructor(
    private readonly primary: pg.Pool,
    private readonly kind: keyof Pools,
  ) {
    super({ max: 1 }); // its own connections are never asked for
  }

  override connect(...args: never[]): never {
    readFrom(null);
    const connect = this.primary.connect.bind(this.primary) as (...all: unknown[]) => unknown;
    return connect(...args) as never;
  }

  override query(...args: never[]): never {
    const source = sourceOf();
    if (!source) return ask(this.primary, args) as never;
    return this.readFrom(source, args) as never;
  }

  private async readFrom(replica: Replica, args: unknown[]): Promise<unknown> {
    try {
      return await replica.read((pools) => ask(pools[this.kind], args));
    } catch (error) {
      if (isItsOwn(error)) throw error;
      replica.suspect(error);
      readFrom(null);
      return ask(this.primary, args);
    }
  }
}

/** The driver has many overloads; here they all answer with promises. */
function ask(pool: pg.Pool, args: unknown[]): Promise<unknown> {
  const query = pool.query.bind(pool) as (...all: unknown[]) => Promise<unknown>;
  return query(...args);
}
