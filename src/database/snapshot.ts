/** What a statement sees of the database, to know whether anything was committed since another statement. */
import { sql } from "./client.js";

/**
 * Statements for which this text is the same see the same data: a commit in between would be missing from the one's list of finished
 * transactions. The start of the server is part of it, since after a failover the numbers of lost transactions are used again.
 * NULL if nothing follows from it: on a standby, whose lists do not name unfinished transactions, and in a transaction that has written.
 */
export const SNAPSHOT = sql`(
  SELECT pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text
   WHERE NOT pg_is_in_recovery() AND pg_current_xact_id_if_assigned() IS NULL)`;

/** Caches records as of one snapshot, and drops them when there is another one. */
export class SnapshotCache<T extends { id: number }> {
  private snapshot: string | null = null;
  private readonly records = new Map<number, T>();

  /** @param max number of records */
  constructor(private readonly max: number) {}

  /** The records of these ids, in their order; undefined unless all are cached for the snapshot. */
  get(snapshot: string | null, ids: readonly number[]): T[] | undefined {
    if (snapshot === null || snapshot !== this.snapshot) return undefined;
    const found = ids.flatMap((id) => this.records.get(id) ?? []);
    return found.length === ids.length ? found : undefined;
  }

  /** Stores records. @param snapshot of the statement that read them */
  set(snapshot: string | null, records: Iterable<T>): void {
    if (snapshot === null) return;
    if (snapshot !== this.snapshot || this.records.size >= this.max) this.records.clear();
    this.snapshot = snapshot;
    for (const record of records) this.records.set(record.id, record);
  }
}
