/** Counts the SQL statements of each request, for the log and for the tests that hold listings to their budget. */
import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";

const counter = new AsyncLocalStorage<{ statements: number }>();

/** Runs the work of one request; the count is to be read from the object given. */
export const countStatements = <T>(count: { statements: number }, work: () => T): T => counter.run(count, work);

/** A client that counts. `pg` has many overloads of `query`; all of them end here. */
class CountingClient extends pg.Client {
  override query(...args: never[]): never {
    const count = counter.getStore();
    if (count) count.statements += 1;
    return (super.query as (...all: never[]) => never)(...args);
  }
}

export interface PoolOptions {
  url: string;
  connections: number;
  /** milliseconds after which PostgreSQL gives a statement up */
  statementTimeout: number;
}

/** The pool that Prisma and everything else of a process share. */
export const createPool = ({ url, connections, statementTimeout }: PoolOptions): pg.Pool =>
  new pg.Pool({
    connectionString: url,
    max: connections,
    Client: CountingClient,
    application_name: "graphbooru",
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeout,
  });
