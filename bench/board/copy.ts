/** Writes rows to tables by COPY, with back-pressure. */
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";

export type Value = string | number | boolean | null | readonly number[];

/** Rows by column names, the same in each row. */
export type Rows = Iterable<Readonly<Record<string, Value>>>;

/** Characters that are sent at a time. */
const CHUNK = 65_536;

/**
 * Writes rows, which are generated while the database processes earlier ones.
 * @returns their number
 */
export async function copyRows(client: pg.Client, table: string, rows: Rows): Promise<number> {
  const iterator = rows[Symbol.iterator]();
  const first = iterator.next();
  if (first.done) return 0;
  const columns = Object.keys(first.value).join(", ");
  const target = client.query(copyFrom(`COPY ${table} (${columns}) FROM STDIN`));
  await pipeline(chunks(first.value, iterator), target);
  return target.rowCount;
}

/** Waits while the connection's buffer is full. */
async function* chunks(first: Readonly<Record<string, Value>>, rest: Iterator<Readonly<Record<string, Value>>>) {
  let text = line(first);
  for (let next = rest.next(); !next.done; next = rest.next()) {
    text += line(next.value);
    if (text.length < CHUNK) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}

const line = (row: Readonly<Record<string, Value>>): string => `${Object.values(row).map(field).join("\t")}\n`;

/** A value in COPY's text format. */
function field(value: Value): string {
  if (value === null) return "\\N";
  if (typeof value === "string") return /[\\\t\n\r]/.test(value) ? escape(value) : value;
  if (typeof value === "boolean") return value ? "t" : "f";
  return typeof value === "number" ? String(value) : `{${value.join(",")}}`;
}

const NAMES: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
const escape = (text: string): string => text.replace(/[\\\t\n\r]/g, (character) => NAMES[character] ?? "");
