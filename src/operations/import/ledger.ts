/** Imported records and read positions of a source: the tables `import_records` and `import_cursors`. */
import { type Database, type Db, sql } from "../../database/client.js";
import { lockKey } from "../../database/lock.js";
import type { Kind } from "./source.js";

export interface Entry {
  /** its id on this board; null if it was not imported */
  localId: number | null;
  /** why it was not imported, or not completely */
  problem: string | null;
  /** of a post: the parent's id at the source, until the parent is imported */
  parentId: number | null;
  /** when it was imported, or more of it */
  importedAt: Date;
}

/** A post whose parent was imported after it. Its `id` is the source's, the others are this board's. */
export interface Orphan {
  id: number;
  postId: number;
  parentId: number;
}

const REASON_MAX = 500;

/** Shortens a reason, and removes what PostgreSQL can't store: it may contain text of the record. */
const storable = (reason: string): string => Buffer.from(reason.slice(0, REASON_MAX).replaceAll("\0", "")).toString();

export class Ledger {
  constructor(
    private readonly database: Database,
    private readonly source: string,
  ) {}

  /** Those of the ids that earlier runs tried -> whether they are completely imported. */
  async known(kind: Kind, ids: readonly number[]): Promise<Map<number, boolean>> {
    const rows = await this.database.query<{ id: number; isDone: boolean }>(sql`
      SELECT source_id AS id, problem IS NULL AS "isDone" FROM import_records
       WHERE source = ${this.source} AND kind = ${kind} AND source_id = ANY(${[...ids]}::int[])`);
    return new Map(rows.map((row) => [row.id, row.isDone]));
  }

  /** Ids of failed and incomplete records, in ascending order. */
  failed(kind: Kind, after: number, limit: number): Promise<{ id: number }[]> {
    return this.database.query(sql`
      SELECT source_id AS id FROM import_records
       WHERE source = ${this.source} AND kind = ${kind} AND source_id > ${after} AND problem IS NOT NULL
       ORDER BY source_id LIMIT ${limit}`);
  }

  /**
   * The source's ids -> this board's, of imported posts that still exist.
   * @param until when they were imported at the latest
   */
  async postIds(db: Db, ids: readonly number[], until: Date | null = null): Promise<Map<number, number>> {
    const rows = await db.query<{ id: number; localId: number }>(sql`
      SELECT r.source_id AS id, p.id AS "localId" FROM import_records r JOIN posts p ON p.id = r.local_id
       WHERE r.source = ${this.source} AND r.kind = 'posts' AND r.source_id = ANY(${[...ids]}::int[])
         AND (${until}::timestamptz IS NULL OR r.imported_at <= ${until})`);
    return new Map(rows.map((row) => [row.id, row.localId]));
  }

  /** The entry of a record, locked until the transaction ends; null if there is none. */
  async lock(db: Db, kind: Kind, id: number): Promise<Entry | null> {
    const key = `${this.source} ${kind} ${id}`;
    await lockKey(db, "importRecord", sql`hashtext(${key})`);
    const [row] = await db.query<Entry>(sql`
      SELECT local_id AS "localId", problem, parent_id AS "parentId", imported_at AS "importedAt" FROM import_records
       WHERE source = ${this.source} AND kind = ${kind} AND source_id = ${id}`);
    return row ?? null;
  }

  /** To be called in the transaction that imports the record. */
  async save(db: Db, kind: Kind, id: number, { localId, problem, parentId }: Omit<Entry, "importedAt">): Promise<void> {
    await db.execute(sql`
      INSERT INTO import_records (source, kind, source_id, local_id, problem, parent_id)
      VALUES (${this.source}, ${kind}, ${id}, ${localId}::int, ${problem === null ? null : storable(problem)}, ${parentId}::int)
      ON CONFLICT (source, kind, source_id) DO UPDATE
        SET local_id = excluded.local_id, problem = excluded.problem, parent_id = excluded.parent_id,
            imported_at = excluded.imported_at
        WHERE (import_records.local_id, import_records.problem) IS DISTINCT FROM (excluded.local_id, excluded.problem)`);
  }

  /** Saves why a record could not be imported, unless it has been imported. */
  async saveProblem(kind: Kind, id: number, problem: string): Promise<void> {
    await this.database.execute(sql`
      INSERT INTO import_records (source, kind, source_id, problem)
      VALUES (${this.source}, ${kind}, ${id}, ${storable(problem)})
      ON CONFLICT (source, kind, source_id) DO UPDATE SET problem = excluded.problem
        WHERE import_records.problem IS NOT NULL`);
  }

  /** Posts whose parents were imported after them, in ascending order. */
  orphans(after: number, limit: number): Promise<Orphan[]> {
    return this.database.query<Orphan>(sql`
      SELECT r.source_id AS id, r.local_id AS "postId", parent.local_id AS "parentId"
        FROM import_records r
        JOIN import_records parent
          ON parent.source = r.source AND parent.kind = 'posts' AND parent.source_id = r.parent_id
       WHERE r.source = ${this.source} AND r.kind = 'posts' AND r.parent_id IS NOT NULL
         AND r.local_id IS NOT NULL AND parent.local_id IS NOT NULL AND r.source_id > ${after}
       ORDER BY r.source_id LIMIT ${limit}`);
  }

  /** The number of posts whose parents have not been imported. */
  async orphanCount(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM import_records
       WHERE source = ${this.source} AND kind = 'posts' AND parent_id IS NOT NULL`);
    return row?.count ?? 0;
  }

  /** Marks a post as linked to its parent. */
  async settle(db: Db, id: number): Promise<void> {
    await db.execute(sql`
      UPDATE import_records SET parent_id = NULL
       WHERE source = ${this.source} AND kind = 'posts' AND source_id = ${id}`);
  }

  /** The highest id that was read; 0 initially. */
  async cursor(kind: Kind): Promise<number> {
    const [row] = await this.database.query<{ position: number }>(sql`
      SELECT position FROM import_cursors WHERE source = ${this.source} AND kind = ${kind}`);
    return row?.position ?? 0;
  }

  async advance(kind: Kind, position: number): Promise<void> {
    await this.database.execute(sql`
      INSERT INTO import_cursors (source, kind, position) VALUES (${this.source}, ${kind}, ${position})
      ON CONFLICT (source, kind) DO UPDATE SET position = greatest(import_cursors.position, excluded.position)`);
  }
}
