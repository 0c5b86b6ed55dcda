/**
 * The two ways to the database. Prisma is for what is one table's row or rows by a key; everything else is a statement that the
 * `sql` tag makes, whose values are its parameters and never part of its text.
 */
import { Prisma, type PrismaClient } from "./__generated__/client.js";

export { Prisma };
export type Sql = Prisma.Sql;
export const { sql, join } = Prisma;

const NAME = /^[a-z_]\w*$/i;

/** A name of the code's own, quoted: of a table, of a column, of what is selected. @throws TypeError for what can be no name */
export function identifier(name: string): Sql {
  if (!NAME.test(name)) throw new TypeError(`no name of a table or column: ${name}`);
  return Prisma.raw(`"${name}"`);
}

/** The tables, one by one. */
export type Tables = Omit<PrismaClient, `$${string}` | symbol>;

/** What runs statements that only read: the database, or a transaction. */
export interface Queryable {
  /** @returns the rows @throws the driver's errors, see `faults.ts` */
  query<T extends object>(statement: Sql): Promise<T[]>;
}

/** What runs any statement: the database, each in a transaction of its own, or a transaction. */
export interface Executor extends Queryable {
  /** @returns how many rows were changed @throws the driver's errors, see `faults.ts` */
  execute(statement: Sql): Promise<number>;
}

/** Tables and statements: of the database, or of a running transaction. */
export interface Db extends Tables, Executor {}

/** Tables and statements of a running transaction. */
export interface Transaction extends Db {
  /**
   * Runs the last statement and commits, in one round trip: locks are held no longer than the statement takes.
   * @returns its rows
   * @throws the driver's errors, see `faults.ts`; nothing is committed then
   */
  commitWith<T extends object>(statement: Sql): Promise<T[]>;
}

/** Tables and statements, outside of transactions. */
export interface Database extends Db {
  /** Reads with each statement prepared once a connection: for texts of which there are few, whose plan is always the same. */
  readonly prepared: Queryable;
  /**
   * As `prepared`, for reads by keys, which take PostgreSQL a millisecond or less: few rows are read on the connection that all requests share.
   * @param most rows at most
   */
  byKeys(most: number): Queryable;
}
