/**
 * Statements that go to the pool without Prisma, which takes longer over a page of posts than PostgreSQL does. For reads
 * that every visitor makes; everything else goes through Prisma.
 */
import pg from "pg";
import { type Sql, sql } from "./client.js";
import { StatementNames } from "./prepared.js";

/** Whatever statements can be read by: the pool, the whole client of Prisma or the client of a transaction. */
export interface Queryable {
  $queryRaw<T = unknown>(query: TemplateStringsArray | Sql, ...values: unknown[]): Promise<T>;
}

/** int4[] in PostgreSQL's catalogue */
const INT_ARRAY = 1007;
const { TIMESTAMPTZ } = pg.types.builtins;

/** The driver's own parser of arrays goes letter by letter, for strings that hold commas. */
const readIds = (text: string): number[] => (text === "{}" ? [] : text.slice(1, -1).split(",").map(Number));

const parseTime = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => unknown;
/** `2026-01-31 12:00:00.123+00`: what a connection in UTC writes for every time from the year 1000 on. */
const UTC_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,3})?\+00$/;

/** The driver's own parser of times takes several times as long, since it reads every form that there is. */
const readTime = (text: string): unknown =>
  UTC_TIME.test(text) ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseTime(text);

const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    const type: number = oid;
    if (type === INT_ARRAY) return readIds;
    return oid === TIMESTAMPTZ ? readTime : (pg.types.getTypeParser(oid, format) as unknown);
  },
};

const MAX_PREPARED = 100;

/** "cached plan must not change result type": a migration has changed a column that the statement was prepared with. */
const isStale = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === "0A000";

/**
 * The pools as something to read by: one for statements that PostgreSQL plans for their values, the other for prepared ones,
 * whose plan it makes once. It would make it anew each time otherwise, for as long as it takes the values to promise it less
 * work, and that takes longer than most pages.
 */
export class DirectReader implements Queryable {
  private readonly names = new StatementNames("graphbooru", MAX_PREPARED);
  /** The same, with each statement prepared once a connection: for texts of which there are few, whose plan is always the same. */
  readonly prepared: Queryable = { $queryRaw: (query, ...values) => this.run(query, values, true) };

  constructor(
    private readonly pool: pg.Pool,
    private readonly preparing: pg.Pool,
  ) {}

  /** Runs a statement, planned for its values. @throws the driver's errors, see `faults.ts` */
  $queryRaw<T>(query: TemplateStringsArray | Sql, ...values: unknown[]): Promise<T> {
    return this.run(query, values, false);
  }

  private async run<T>(query: TemplateStringsArray | Sql, values: unknown[], isPrepared: boolean): Promise<T> {
    const statement = Array.isArray(query) ? sql(query, ...values) : (query as Sql);
    const { text } = statement;
    const name = isPrepared ? this.names.of(text) : undefined;
    const pool = name === undefined ? this.pool : this.preparing;
    const run = (at: pg.Pool, named?: string) => at.query({ name: named, text, values: statement.values, types });
    try {
      return (await run(pool, name)).rows as T;
    } catch (error) {
      if (name === undefined || !isStale(error)) throw error;
      if (this.names.of(text) === name) this.names.forget(text);
      return (await run(this.pool)).rows as T;
    }
  }
}
