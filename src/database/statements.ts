/** Counts and times the SQL statements of each request, for the log, `Server-Timing` and the tests that hold listings to budgets. */
import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import { DeadlineClient, DeadlinePool } from "./deadline.js";

export interface StatementCount {
  statements: number;
  /** from each statement's start until its rows were read, all statements together */
  milliseconds: number;
  /** milliseconds that each statement may take; as its connection has it while the viewer is not known yet */
  deadline?: number;
}

const counter = new AsyncLocalStorage<StatementCount>();

/** Runs the work of one request; the count is to be read from the object given. */
export const countStatements = <T>(count: StatementCount, work: () => T): T => counter.run(count, work);

/** From now on each statement of this request is cancelled after so many milliseconds. */
export function limitStatements(deadline: number): void {
  const count = counter.getStore();
  if (count) count.deadline = deadline;
}

type Callback = (...results: unknown[]) => unknown;

/** A client that counts. `pg` has many overloads of `query`; all of them end here, with a callback as the last or a promise. */
class CountingClient extends DeadlineClient {
  override query(...args: never[]): never {
    const query = super.query.bind(this) as (...all: unknown[]) => unknown;
    const count = counter.getStore();
    if (!count) return query(...args) as never;
    count.statements += 1;
    const started = performance.now();
    const finish = () => void (count.milliseconds += performance.now() - started);
    const last: unknown = args.at(-1);
    if (typeof last === "function") {
      const callback: Callback = (...results) => {
        finish();
        return (last as Callback)(...results);
      };
      return query(...args.slice(0, -1), callback) as never;
    }
    const result = query(...args);
    if (result instanceof Promise) result.then(finish, finish);
    return result as never;
  }
}

/** Milliseconds; of a transaction that its process has forgotten, or whose machine is gone, the locks are given back. */
const IDLE_IN_TRANSACTION = 60_000;

export interface PoolOptions {
  url: string;
  connections: number;
  /** milliseconds that anybody waits for a connection before it is refused */
  wait: number;
  /** milliseconds after which nobody waits for an answer any more: of a database that has fallen silent, since others cancel */
  silence: number;
  /** milliseconds after which PostgreSQL gives a statement up, unless `limitStatements` says otherwise */
  statementTimeout: number;
  /** plan each prepared statement once, for any values: for statements that leave PostgreSQL no choice */
  genericPlans?: boolean;
}

/** The pool that Prisma and everything else of a process share. */
export const createPool = ({ url, connections, wait, silence, statementTimeout, genericPlans }: PoolOptions): pg.Pool =>
  new DeadlinePool({
    ...(genericPlans ? { options: "-c plan_cache_mode=force_generic_plan" } : {}),
    connectionString: url,
    max: connections,
    Client: CountingClient,
    application_name: "graphbooru",
    connectionTimeoutMillis: wait,
    idleTimeoutMillis: 30_000,
    query_timeout: silence,
    keepAlive: true,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION,
    statement_timeout: statementTimeout,
    deadline: () => (counter.getStore() ?? { deadline: statementTimeout }).deadline,
  });
