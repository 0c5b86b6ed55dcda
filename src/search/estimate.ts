/** Numbers of records that are estimated, since counting them would take too long. */
import { join, type Queryable, type Sql, sql } from "../database/client.js";
import { isSlow } from "./indexed.js";

/** Maximum cost of exact counting, in posts of a walk: about 35 milliseconds, enough for any two tags of ten million posts. */
export const AFFORDABLE = 70_000;
/** Posts of a walk by id in the time of PostgreSQL's unit of cost, which is 4 µs when it reads an index alone, otherwise 10 µs. */
export const COST_UNIT = 14;
/** A sample consists of ranges of ids: their number, and their length. */
const SLICES = 100;
const SLICE = 300;
/** With fewer matches in a sample, the estimate is too inaccurate, but there are few enough to count. */
const TELLING = 100;

/** Above this number, counting each record of a list takes more than some ten milliseconds. */
const MANY = 50_000;

/** A number of records. */
export interface Total {
  count: number;
  /** whether it is estimated, since counting every record would take too long */
  isEstimate: boolean;
}

/** Records of a table, and of those joined to it. */
export interface Records {
  from: Sql;
  /** the column of their ids */
  id: Sql;
  where: readonly Sql[];
  /** conditions on the ids, which those of all records fulfil: lower bounds, and upper ones */
  bounds?: { lower: readonly Sql[]; upper: readonly Sql[] };
}

/** An estimated number, rounded to two digits. */
export const about = (count: number): Total => ({ count: Number(count.toPrecision(2)), isEstimate: true });

/** The condition of a statement. */
export const whereOf = (conditions: readonly Sql[]): Sql =>
  conditions.length > 0 ? sql`WHERE ${join([...conditions], " AND ")}` : sql``;

/** PostgreSQL's estimate of the number of records, and of what reading these columns of them costs, in its own unit. */
export async function expected(
  db: Queryable,
  { from, where }: Records,
  columns: Sql = sql`1`,
): Promise<{ rows: number; cost: number }> {
  const [row] = await db.query<{ "QUERY PLAN": { Plan: { "Plan Rows": number; "Total Cost": number } }[] }>(
    sql`EXPLAIN (FORMAT JSON) SELECT ${columns} FROM ${from} ${whereOf(where)}`,
  );
  const plan = row?.["QUERY PLAN"][0]?.Plan;
  return { rows: plan?.["Plan Rows"] ?? 0, cost: plan?.["Total Cost"] ?? 0 };
}

/**
 * About how many records there are, by those in ranges of ids that are evenly distributed (with 100 matches, the error is below 10% two times in
 * three); null if there are no more ids than that, or the sample has too few matches.
 */
export async function sampled(db: Queryable, { from, id, where, bounds }: Records): Promise<number | null> {
  const matching = join([sql`TRUE`, ...where], " AND ");
  const first = sql`SELECT ${id} FROM ${from} ${whereOf(bounds?.lower ?? [])} ORDER BY ${id} LIMIT 1`;
  const last = sql`SELECT ${id}::bigint FROM ${from} ${whereOf(bounds?.upper ?? [])} ORDER BY ${id} DESC LIMIT 1`;
  const start = sql`ids.first - 1 + slice * (ids.number - ${SLICE}::int) / (${SLICES}::int - 1)`;
  // without the limit, which no range reaches beyond, PostgreSQL expects a third of all records in each, and reads all of a joined table
  const [row] = await db.query<{ matching: number; number: number }>(sql`
    WITH ends AS MATERIALIZED (SELECT (${first}) AS first, (${last}) AS last),
         ids AS (SELECT first, last + 1 - first AS number FROM ends)
    SELECT count(*) FILTER (WHERE near.is_matching)::int AS matching, max(ids.number)::float8 AS number
      FROM ids, generate_series(0, ${SLICES}::int - 1) AS slice,
           LATERAL (SELECT ${matching} AS is_matching FROM ${from} WHERE ${id} > ${start} AND ${id} <= ${start} + ${SLICE}::int
                     LIMIT ${SLICE}::int) near
     WHERE ids.number > ${SLICES * SLICE}::int`);
  return row && row.matching >= TELLING ? row.number * (row.matching / (SLICES * SLICE)) : null;
}

/**
 * The number of records: exact if there are few, otherwise PostgreSQL's number of all of them, or that of a sample. The sample comes first if each record
 * takes long to test.
 */
export async function countRecords(db: Queryable, records: Records): Promise<Total> {
  const counted = async (most: Sql): Promise<number> => {
    const [row] = await db.query<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM (SELECT FROM ${records.from} ${whereOf(records.where)} ${most}) found`);
    return row?.count ?? 0;
  };
  const likely = records.where.some(isSlow) ? await sampled(db, records) : null;
  if (likely !== null) return about(likely);
  const count = await counted(sql`LIMIT ${MANY + 1}`);
  if (count <= MANY) return { count, isEstimate: false };
  const number = records.where.length === 0 ? (await expected(db, records)).rows : await sampled(db, records);
  return number === null ? { count: await counted(sql``), isEstimate: false } : about(number);
}
