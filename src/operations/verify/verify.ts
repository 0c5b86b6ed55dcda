/**
 * Checks the consistency of a board's rows: redundant data, and rules that foreign keys and check constraints can't express.
 * All is read in one snapshot, so that concurrent writes don't matter; nothing is locked.
 */
import type pg from "pg";
import { withSession } from "../../database/session.js";
import type { Progress } from "../../lib/progress.js";
import { COUNTS } from "./counts.js";
import type { Invariant } from "./invariant.js";
import { POSTINGS } from "./postings.js";
import { RELATIONS } from "./relations.js";
import { VERSIONS } from "./versions.js";

/** All invariants, in the order in which they are checked. */
export const INVARIANTS: readonly Invariant[] = [...COUNTS, ...VERSIONS, ...RELATIONS, ...POSTINGS];

export interface Fault {
  name: string;
  rule: string;
  count: number;
  /** ids of the first ones */
  ids: number[];
}

const IDS_MAX = 20;

export interface VerifyOptions {
  onProgress?: Progress;
  /** rows per statement */
  batch?: number;
}

/**
 * Finds rows that violate an invariant.
 * @param databaseUrl of a board with all migrations applied
 * @returns the violated invariants
 */
export async function verifyRows(databaseUrl: string, options: VerifyOptions = {}): Promise<Fault[]> {
  return withSession(databaseUrl, "verify", async (client) => {
    // compiling short statements would take longer than running them
    await client.query("SET jit = off; SET work_mem = '64MB'");
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const faults: Fault[] = [];
    for (const invariant of INVARIANTS) {
      const { name, rule } = invariant;
      const fault: Fault = { name, rule, count: 0, ids: [] };
      await check(client, invariant, fault, options);
      if (fault.count > 0) faults.push(fault);
    }
    return [...faults, ...(await sequencesBehind(client))];
  });
}

async function check(client: pg.Client, invariant: Invariant, fault: Fault, options: VerifyOptions): Promise<void> {
  const { name, table, sql, isWrong } = invariant;
  const { onProgress, batch = 20_000 } = options;
  onProgress?.(name, 0, 1);
  if (table === null) return collect(client, fault, sql, []);
  const { rows } = await client.query<{ last: number | null }>(`SELECT max(id) AS last FROM ${table}`);
  const last = rows[0]?.last ?? 0;
  for (let after = 0; after < last; after += batch) {
    if (isWrong) await collectWrong(client, fault, sql, [after, after + batch], isWrong);
    else await collect(client, fault, sql, [after, after + batch]);
    onProgress?.(name, Math.min(after + batch, last), last);
  }
}

/** Reads the number of violations, and only the first ids. */
async function collect(client: pg.Client, fault: Fault, sql: string, values: (number | string)[]): Promise<void> {
  const { rows } = await client.query<{ count: number; ids: number[] | null }>(
    `SELECT count(*)::int AS count, (array_agg(id ORDER BY id))[1:${IDS_MAX}] AS ids FROM (${sql}) AS offenders`,
    values,
  );
  fault.count += rows[0]?.count ?? 0;
  fault.ids = [...fault.ids, ...(rows[0]?.ids ?? [])].slice(0, IDS_MAX);
}

/** Reads rows, and counts the violations among them. */
async function collectWrong(
  client: pg.Client,
  fault: Fault,
  sql: string,
  values: number[],
  isWrong: NonNullable<Invariant["isWrong"]>,
): Promise<void> {
  const { rows } = await client.query<{ id: number }>(`${sql} ORDER BY r.id`, values);
  const ids = rows.filter(isWrong).map(({ id }) => id);
  fault.count += ids.length;
  fault.ids = [...fault.ids, ...ids].slice(0, IDS_MAX);
}

/** Tables whose sequence is behind the highest id, so that inserts would fail. */
async function sequencesBehind(client: pg.Client): Promise<Fault[]> {
  const { rows: tables } = await client.query<{ name: string; sequence: string }>(
    `SELECT t.relname AS name, s.oid::regclass::text AS sequence FROM pg_class s
       JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype = 'a'
       JOIN pg_class t ON t.oid = d.refobjid
      WHERE s.relkind = 'S' AND t.relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const faults: Fault[] = [];
  for (const { name, sequence } of tables) {
    const fault = { name: `${name}.id`, rule: "the sequence is not behind the highest id", count: 0, ids: [] };
    const behind = `SELECT max(id) AS id FROM "${name}" HAVING max(id) > COALESCE(pg_sequence_last_value($1::regclass), 0)`;
    await collect(client, fault, behind, [sequence]);
    if (fault.count > 0) faults.push(fault);
  }
  return faults;
}
