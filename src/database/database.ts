import type pg from "pg";
import { codeOf } from "../lib/error-code.js";
import type { PrismaClient } from "./__generated__/client.js";
import type { Database, Executor, Sql, Tables } from "./client.js";
import { type Names, SearchNames, StatementNames } from "./prepared.js";
import type { Pools } from "./replica.js";
import { currentScope, readFrom, sourceOf } from "./request-scope.js";
import type { SharedConnection } from "./shared-connection.js";
import { types } from "./types.js";

/** Maximum number of names of the program's own statements, and of searches. */
const MAX_PREPARED = 100;
/** Maximum number of rows of a read on the shared connection, where it delays the statements behind it. */
const FEW_ROWS = 400;

/**
 * Reads go to the server chosen for the request (`replicas.ts`), writes to the primary. Prepared statements use generic plans
 * (`withGenericPlans`), because planning a search for its values takes PostgreSQL longer than most pages take to read.
 * @param primary pool of the primary
 * @param reading pools for reads
 * @param shared connection to the primary for small reads; null if there are too few connections for one
 */
export function databaseOf(
  prisma: PrismaClient,
  primary: pg.Pool,
  reading: Pools,
  shared: SharedConnection | null = null,
): Database {
  const own = new StatementNames("graphbooru", MAX_PREPARED);
  const searches = new SearchNames("search", MAX_PREPARED); // apart, so that no number of searches takes the names of the others
  const query = async <T>(statement: Sql) => (await run(reading.pool, statement)).rows as T[];
  const prepared = async <T extends object>(statement: Sql, names: Names) => {
    const { text } = statement;
    const name = names.of(text);
    if (name === undefined) return query<T>(statement);
    try {
      return (await run(reading.preparing, statement, name)).rows as T[];
    } catch (error) {
      if (codeOf(error) !== "0A000") throw error; // otherwise a migration has changed a column of the statement
      if (names.of(text) === name) names.forget(text);
      return query<T>(statement);
    }
  };
  const onShared = <T extends object>(statement: Sql) => {
    const { text, values } = statement; // the text is put together each time
    const name = sourceOf() ? undefined : own.of(text);
    const rows = name === undefined ? null : shared?.query<T>({ text, values }, name);
    if (!rows) return prepared<T>(statement, own);
    return rows.catch(() => {
      const scope = currentScope();
      if (scope) scope.statements -= 1; // it is run again, but counted once
      return prepared<T>(statement, own);
    });
  };
  const toShared = { query: onShared };
  const onPool = (names: Names) => ({ query: <T extends object>(statement: Sql) => prepared<T>(statement, names) });
  const toPool = onPool(own);
  const byKeys = (most: number) => (most <= FEW_ROWS ? toShared : toPool);
  const execute = async (statement: Sql) => {
    readFrom(null);
    return (await run(primary, statement)).rowCount ?? 0;
  };
  return withStatements(prisma, { query, execute, prepared: onPool(searches), byKeys });
}

/** Prisma's tables together with methods that run statements. By inheritance, since Prisma's proxies would intercept an assignment. */
export const withStatements = <T extends Executor>(tables: Tables, statements: T): Tables & T =>
  Object.create(tables, Object.getOwnPropertyDescriptors(statements)) as Tables & T;

/** Runs a statement on a pool or connection, prepared if it has a name. */
export const run = (
  at: Pick<pg.ClientBase, "query">,
  { text, values }: Sql,
  name?: string,
): Promise<pg.QueryResult<object>> =>
  at.query<object>({ ...(name === undefined ? {} : { name }), text, values, types });
