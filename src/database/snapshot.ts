/** Compares the snapshots of statements, to find out whether anything was committed between them. */
import { sql } from "./client.js";

/**
 * Statements with equal snapshots see the same data: a commit in between would change the list of finished
 * transactions. It includes the start time of the server, since a failover may reuse the ids of lost transactions.
 * NULL if it proves nothing: on a standby, whose snapshots don't list unfinished transactions, and in a transaction that has written.
 */
export const SNAPSHOT = sql`(
  SELECT pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text
   WHERE NOT pg_is_in_recovery() AND pg_current_xact_id_if_assigned() IS NULL)`;

/** Caches the records of one snapshot, and drops them when a newer one is read. */
export class SnapshotCache<T extends { id: number }> {
  private snapshot: string | null = null;
  private readonly records = new Map<number, T>();

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
