/** SQL of rows in INSERT and UPDATE. Columns are the fields in snake_case; a value can be an expression. */
import { toSnake } from "../lib/case.js";
import { identifier, join, Prisma, type Sql, sql } from "./client.js";

const columnsOf = (row: object): Sql[] => Object.keys(row).map((name) => identifier(toSnake(name)));
const valuesOf = (row: object): Sql[] =>
  Object.values(row).map((value: unknown) => (value instanceof Prisma.Sql ? value : sql`${value}`));

/** The columns and values of an INSERT of one row or several alike: `(a, b) VALUES (1, 2), (3, 4)`. */
export const inserted = (...rows: readonly object[]): Sql =>
  sql`(${join(columnsOf(rows[0] ?? {}))}) VALUES ${join(rows.map((row) => sql`(${join(valuesOf(row))})`))}`;

/** The assignments of an UPDATE: `a = 1, b = 2`. */
export function assignments(row: object): Sql {
  const values = valuesOf(row);
  return join(columnsOf(row).map((column, index) => sql`${column} = ${values[index] as Sql}`));
}
