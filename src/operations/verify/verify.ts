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
      const fault = await check(client, invariant, options);
      if (fault.count > 0) faults.push(fault);
    }
    return [...faults, ...(await sequencesBehind(client))];
  });
}

async function check(client: pg.Client, invariant: Invariant, options: VerifyOptions): Promise<Fault> {
  const { name, rule, table } = invariant;
  const { onProgress, batch = 20_000 } = options;
  onProgress?.(name, 0, 1);
  if (table === null) return { name, rule, ...(await violations(client, invariant, [])) };
  const fault: Fault = { name, rule, count: 0, ids: [] };
  const { rows } = await client.query<{ last: number | null }>(`SELECT max(id) AS last FROM ${table}`);
  const last = rows[0]?.last ?? 0;
  for (let after = 0; after < last; after += batch) {
    const { count, ids } = await violations(client, invariant, [after, after + batch]);
    fault.count += count;
    fault.ids = [...fault.ids, ...ids].slice(0, IDS_MAX);
    onProgress?.(name, Math.min(after + batch, last), last);
  }
  return fault;
}

/** The number of violations, and the ids of the first ones at least. */
async function violations(
  client: pg.Client,
  { sql, isWrong }: Pick<Invariant, "sql" | "isWrong">,
  values: (number | string)[],
): Promise<Pick<Fault, "count" | "ids">> {
  if (isWrong) {
    const { rows } = await client.query<{ id: number }>(`${sql} ORDER BY r.id`, values);
    const ids = rows.filter(isWrong).map(({ id }) => id);
    return { count: ids.length, ids };
  }
  const { rows } = await client.query<{ count: number; ids: number[] | null }>(
    `SELECT count(*)::int AS count, (array_agg(id ORDER BY id))[1:${IDS_MAX}] AS ids FROM (${sql}) AS offenders`,
    values,
  );
  return { count: rows[0]?.count ?? 0, ids: rows[0]?.ids ?? [] };
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
    const sql = `SELECT max(id) AS id FROM "${name}" HAVING max(id) > COALESCE(pg_sequence_last_value($1::regclass), 0)`;
    const behind = await violations(client, { sql }, [sequence]);
    const rule = "the sequence is not behind the highest id";
    if (behind.count > 0) faults.push({ name: `${name}.id`, rule, ...behind });
  }
  return faults;
}
