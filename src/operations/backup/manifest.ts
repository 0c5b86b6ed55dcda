/**
 * The contents of a backup: its first entry, which describes its tables and version; the rows of all tables, their sequences, and
 * unfinished jobs.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type pg from "pg";
import { OperatorError } from "../../errors.js";

export const MANIFEST = "manifest.json";
/** The second entry: the checksum of the first, in the format of sha256sum. */
export const MANIFEST_SUM = "manifest.sha256";
/** incremented by changes that older versions of the board can't restore */
const FORMAT = 1;

const table = z.object({ name: z.string(), columns: z.array(z.string()) });

const manifest = z.object({
  format: z.literal(FORMAT),
  takenAt: z.string(),
  /** names of the applied migrations, oldest first */
  migrations: z.array(z.string()),
  tables: z.array(table),
  sequences: z.record(z.string(), z.string()),
});

export type Manifest = z.infer<typeof manifest>;

export const writeManifest = (content: Omit<Manifest, "format">): Buffer =>
  Buffer.from(`${JSON.stringify({ format: FORMAT, ...content }, null, 2)}\n`);

/** The content of the second entry. */
export const sumOf = (content: Buffer): Buffer =>
  Buffer.from(`${createHash("sha256").update(content).digest("hex")}  ${MANIFEST}\n`);

/** @throws OperatorError if this version of the board can't read it */
export function readManifest(content: Buffer): Manifest {
  try {
    return manifest.parse(JSON.parse(content.toString()));
  } catch {
    throw new OperatorError("The file was written by another version of the board, or is not a backup.");
  }
}

type Table = z.infer<typeof table>;

/**
 * Excluded: Prisma's migrations, which are in the manifest; rate limits; positions in the write-ahead log;
 * sessions and recoveries, because revoked ones must not become valid again: all users sign in again; posting lists, which a job
 * rebuilds.
 */
const EXCLUDED = [
  "_prisma_migrations",
  "account_recoveries",
  "posting_bits",
  "posting_builds",
  "posting_ids",
  "posting_lists",
  "rate_limits",
  "user_sessions",
  "viewer_writes",
];

/** The tables in a backup, without generated columns. */
export async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> ALL($1)
        AND a.attgenerated = '' AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = c.oid AND deptype = 'e')
      GROUP BY c.oid ORDER BY c.relname`,
    [EXCLUDED],
  );
  return rows;
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A table with its columns, for COPY. */
export const columnsOf = ({ name, columns }: Table): string => `${quoted(name)} (${columns.map(quoted).join(", ")})`;

/** The last value of each sequence that has been used. */
export async function readSequences(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences
      WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

export async function writeSequences(client: pg.Client, sequences: Record<string, string>): Promise<void> {
  for (const [name, last] of Object.entries(sequences)) {
    await client.query("SELECT setval($1::regclass, $2::bigint)", [`public.${quoted(name)}`, last]);
  }
}

/** Columns of the jobs in a backup, as `graphile_worker.add_job` takes them. */
const JOB =
  "identifier text, payload json, queue_name text, run_at timestamptz, max_attempts int, key text, priority int, flags text[]";

/** Unfinished jobs, including running ones: every task can safely run twice. */
export const JOBS = `SELECT t.identifier, j.payload, q.queue_name, j.run_at, j.max_attempts, j.key, j.priority,
    ARRAY(SELECT jsonb_object_keys(j.flags))
  FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  LEFT JOIN graphile_worker._private_job_queues q ON q.id = j.job_queue_id ORDER BY j.id`;

/** A temporary table, from which the jobs are queued. */
export const MAKE_JOBS = `CREATE TEMPORARY TABLE restored_jobs (position serial, ${JOB}) ON COMMIT DROP`;

export const COPY_JOBS =
  "COPY restored_jobs (identifier, payload, queue_name, run_at, max_attempts, key, priority, flags) FROM STDIN";

/** Queues the jobs, without their previous attempts. */
export const QUEUE_JOBS = `SELECT count(graphile_worker.add_job(identifier, payload, queue_name, run_at, max_attempts, key,
    priority, flags)) FROM (SELECT * FROM restored_jobs ORDER BY position) AS jobs`;
