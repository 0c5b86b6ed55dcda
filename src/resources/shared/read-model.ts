/** Reads the records of one kind, with the same columns and joins for lists and single records. */
import { type Db, type Queryable, type Sql, sql } from "../../database/client.js";
import { requireFound } from "../../errors.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import { type Page, runListing } from "../../search/listing.js";
import { type Column, selected } from "./columns.js";
import { clampLimit, type PageRequest, selectPage } from "./paging.js";
import type { ServiceParts } from "./service.js";

export type ListParts = Pick<ServiceParts, "database" | "config">;

export interface ListOptions {
  where: Sql[];
  /** absent: newest first, by id */
  orderBy?: Sql | undefined;
  /** as in `ListingQuery` */
  head?: Sql | undefined;
}

export class ReadModel<T extends { id: number }> {
  private readonly columns: Sql;

  /**
   * @param columns the columns of a record by the names of its fields, one of them `id`
   * @param from joined tables; the records' own is `t`. Those that have a row for each record are joined by LEFT JOIN: PostgreSQL leaves out what
   *   a statement does not read, such as that of a far page's ids
   */
  constructor(
    columns: { readonly [Name in keyof T]: Column<T[Name]> },
    private readonly from: Sql,
  ) {
    this.columns = selected(columns);
  }

  /** One page. @throws BoardError 424 for a page number that is too deep */
  list({ database, config }: ListParts, { where, orderBy, head }: ListOptions, request: PageRequest): Promise<Page<T>> {
    return runListing<T>(database, {
      select: this.columns,
      from: this.from,
      where,
      orderBy,
      head,
      page: selectPage(request, config, config.MAX_PER_PAGE),
      limit: clampLimit(request.first, config.MAX_PER_PAGE),
    });
  }

  /** The records of these ids for which the condition holds, by id; others are absent. */
  async byIds(db: Queryable, ids: readonly number[], condition?: Sql): Promise<Map<number, T>> {
    const named = sql`t.id = ANY(${[...ids]}::int[])`;
    const rows = await this.where(db, condition ? sql`${named} AND ${condition}` : named);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The record of this id, or null. */
  async byId(db: Queryable, id: number): Promise<T | null> {
    return (await this.byIds(db, [id])).get(id) ?? null;
  }

  /** The record of this id. @throws BoardError 404 */
  async get(db: Queryable, id: number): Promise<T> {
    return requireFound(await this.byId(db, id));
  }

  /** The first record for which the condition holds, or null. */
  async find(db: Db, condition: Sql): Promise<T | null> {
    const [row] = await this.where(db, condition);
    return row ?? null;
  }

  /** All records for which the condition holds, newest first. */
  async all(db: Queryable, condition: Sql): Promise<T[]> {
    return (await this.where(db, condition)).sort((a, b) => b.id - a.id);
  }

  /**
   * The newest records of each parent for which the condition holds, newest first, in one statement.
   * @param parent the column of `t` with the id of the parent
   * @param limit maximum number for one parent
   */
  newestOfEach(db: Queryable, parent: Sql, ids: readonly number[], limit: number, condition = sql`TRUE`): Promise<T[]> {
    return this.all(db, this.ofEach(sql`${parent} = parent.id AND ${condition} ORDER BY t.id DESC`, ids, limit));
  }

  /** As `newestOfEach`, but the oldest ones, oldest first. */
  async oldestOfEach(db: Db, parent: Sql, ids: readonly number[], limit: number, condition = sql`TRUE`): Promise<T[]> {
    const oldest = this.ofEach(sql`${parent} = parent.id AND ${condition} ORDER BY t.id`, ids, limit);
    return (await this.all(db, oldest)).toReversed();
  }

  /** The condition that a record is among the first ones of its parent. @param which and in which order */
  private ofEach(which: Sql, ids: readonly number[], limit: number): Sql {
    return sql`t.id IN (SELECT kept.id FROM unnest(${[...ids]}::int[]) AS parent(id) CROSS JOIN LATERAL (
      SELECT t.id FROM ${this.from} WHERE ${which} LIMIT ${limit}) AS kept)`;
  }

  private where(db: Queryable, condition: Sql): Promise<T[]> {
    return db.query<T>(sql`SELECT ${this.columns} FROM ${this.from} WHERE ${condition}`);
  }
}

/** The base of services of records. @param visible the condition for those that a viewer may read; by default all */
export const reading = <T extends { id: number }>(model: ReadModel<T>, visible?: (viewer: Viewer) => Sql) =>
  class {
    constructor(protected readonly parts: ServiceParts) {}

    /** Those of the records of these ids that the viewer may read, by id. */
    byIds(ids: readonly number[], viewer: Viewer): Promise<Map<number, T>> {
      return model.byIds(this.parts.database, ids, visible?.(viewer));
    }
  };
