/** The two ways to run SQL: Prisma for rows of one table by key, and statements of the `sql` tag, whose values are parameters, for everything else. */
import { Prisma, type PrismaClient } from "./__generated__/client.js";

export { Prisma };
export type Sql = Prisma.Sql;
export const { sql, join } = Prisma;

const NAME = /^[a-z_]\w*$/i;

/** Quotes the name of a table, column or alias. @throws TypeError for an invalid name */
export function identifier(name: string): Sql {
  if (!NAME.test(name)) throw new TypeError(`not the name of a table or column: ${name}`);
  return Prisma.raw(`"${name}"`);
}

/** A word as a constant of a statement's text, not a parameter, for plans that depend on it. @throws TypeError for an invalid word */
export function constant(word: string): Sql {
  if (!NAME.test(word)) throw new TypeError(`not a word: ${word}`);
  return Prisma.raw(`'${word}'`);
}

/** An array of ids as one parameter, however many there are. */
export const idArray = (ids: readonly number[]): Sql => sql`${`{${ids.join(",")}}`}::int[]`;

/** Prisma's delegates, one per table. */
export type Tables = Omit<PrismaClient, `$${string}` | symbol>;

/** Runs statements that only read: the database, or a transaction. */
export interface Queryable {
  /** @returns the rows @throws the driver's errors, see `faults.ts` */
  query<T extends object>(statement: Sql): Promise<T[]>;
}

/** Runs any statement: the database (each in its own transaction), or a transaction. */
export interface Executor extends Queryable {
  /** @returns the number of changed rows @throws the driver's errors, see `faults.ts` */
  execute(statement: Sql): Promise<number>;
}

/** Tables and statements: of the database, or of a running transaction. */
export interface Db extends Tables, Executor {}

export interface Transaction extends Db {
  /**
   * Runs the last statement and commits, in one round trip, so that locks are released as early as possible.
   * @returns its rows
   * @throws the driver's errors, see `faults.ts`; nothing is committed then
   */
  commitWith<T extends object>(statement: Sql): Promise<T[]>;
}

/** Tables and statements, outside of transactions. */
export interface Database extends Db {
  /** Runs reads as prepared statements, those used last: for searches whose best plan doesn't depend on the values. */
  readonly prepared: Queryable;
  /**
   * As `prepared`, for reads by keys that take PostgreSQL a millisecond or less. Reads of few rows use the shared connection.
   * @param most maximum number of rows
   */
  byKeys(most: number): Queryable;
}
