/**
 * The history of records: every edit that changes something is a row with the whole state after it, numbered from 1 without gaps,
 * written by the statement that writes the record, under the record's lock. A history is described by one map of columns, from which
 * writing, listing, reverting and verifying follow.
 */
import type { Config } from "../../config.js";
import type { RequestContext } from "../../context.js";
import { type Db, identifier, type Queryable, type Sql, sql } from "../../database/client.js";
import { assignments, inserted } from "../../database/rows.js";
import { requireFound } from "../../errors.js";
import { toSnake } from "../../lib/case.js";
import { batchesOf } from "../../lib/lists.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import * as filter from "../../search/filters.js";
import { conditionsOf, type Filter, type Filters } from "../../search/listing.js";
import * as column from "./columns.js";
import type { Columns, MaybeRecordOf, RecordOf } from "./columns.js";
import type { PageRequest } from "./paging.js";
import { type PlainRight, requireAccount } from "./policy.js";
import { type ListParts, ReadModel } from "./read-model.js";

const FIRST = {
  id: column.integer,
  version: column.integer,
  updaterId: column.integer,
  updaterName: column.userName(),
};
const LAST = { createdAt: column.time, updatedAt: column.time };
type Bookkeeping = RecordOf<typeof FIRST & typeof LAST>;

/** A state of a record, and what the edit that led to it changed. */
export type VersionOf<Name extends string, State, More> = Bookkeeping & Record<`${Name}Id`, number> & State & More;

/** The filters of every listing of versions. */
export type VersionSearch<Name extends string> = {
  [Key in "id" | "updaterId" | `${Name}Id`]?: number[] | null;
} & { updaterName?: string | null };

export interface Described<
  Name extends string,
  State extends Columns,
  Changes extends Columns | null,
  Read extends Columns | null,
  Search,
> {
  /** the record's name, as in its fields and those of other records: `note` */
  record: Name;
  /** its table; that of the versions is named after the record */
  table: string;
  /** the columns of the record that a version stores, under the same names */
  state: State;
  /** columns of the state that are not in the record's own table */
  elsewhere?: readonly (keyof State)[];
  /** fields whose changes (deletes, undeletes and bans) have a version of their own, which no edit is merged with */
  apart?: readonly (keyof State)[];
  /** further columns of the record that are copied from its last version */
  alike?: readonly ("version" | "updaterId")[];
  /** further columns of the record, computed from its state */
  derived?: (state: RecordOf<State>) => object;
  /** further columns about what an edit changed, computed from the states before and after it */
  changes?: NonNullable<Changes>;
  compare?: (before: RecordOf<State> | null, after: RecordOf<State>) => MaybeRecordOf<Changes>;
  /** columns read with a version, with their joins */
  read?: NonNullable<Read>;
  joins?: Sql;
  /** which versions a viewer may see; by default all */
  visible?: (viewer: Viewer) => Sql;
  /** filters of listings in addition to `VersionSearch` */
  filters?: { readonly [Attribute in keyof Search]: Filter<Search[Attribute]> };
  /** an order other than newest first */
  orderOf?: (search: { order?: string | null }) => Sql | undefined;
}

export interface Edit<State, Id = number> {
  /** of the record */
  id: Id;
  /** null for a new record */
  before: State | null;
  after: State;
  /** neither merged into the previous version nor with later edits: reverts */
  isOwnVersion?: boolean | undefined;
}

/** A change of a record, as its service describes it. */
export interface Change<State> {
  /** the right to it, whatever the record */
  allows: PlainRight;
  /** what it changes in the state of the record, which is locked */
  next: (before: State, db: Db, id: number) => Partial<State> | Promise<Partial<State>>;
  /** as in `Edit` */
  isOwnVersion?: boolean;
}

/** One of the last two versions of a record, and whether an edit may be merged into it. */
export type Recent<State> = State & { id: number; mayMerge: boolean };

/** Whether two states differ in any field of the second. */
export const differs = <State extends object>(before: State, after: State): boolean =>
  Object.entries(after).some(
    ([key, value]) => JSON.stringify((before as Record<string, unknown>)[key]) !== JSON.stringify(value),
  );

export class History<
  Name extends string,
  State extends Columns,
  Changes extends Columns | null = null,
  Read extends Columns | null = null,
  Search extends object = object,
> {
  /** the table of the versions */
  readonly versions: string;
  /** the column and the field of a version with the record's id */
  readonly owner: string;
  readonly ownerField: `${Name}Id`;
  readonly model: ReadModel<VersionOf<Name, RecordOf<State>, MaybeRecordOf<Changes> & MaybeRecordOf<Read>>>;

  constructor(readonly of: Described<Name, State, Changes, Read, Search>) {
    const { record, state, changes, read, joins = sql`` } = of;
    this.versions = `${toSnake(record)}_versions`;
    this.owner = `${toSnake(record)}_id`;
    this.ownerField = `${record}Id`;
    const columns = { ...FIRST, [this.ownerField]: column.integer, ...state, ...changes, ...read, ...LAST };
    this.model = new ReadModel<never>(
      columns as never,
      sql`${identifier(this.versions)} AS t LEFT JOIN users u ON u.id = t.updater_id ${joins}`,
    );
  }

  /** The record's state, its row locked until the transaction ends. @throws BoardError 404 */
  async lock(db: Db, id: number): Promise<RecordOf<State>> {
    const [locked] = await this.lockAll(db, sql`id = ${id}`);
    return requireFound(locked);
  }

  /** The states of the records that meet a condition, their rows locked, in the order of their ids. */
  lockAll(db: Db, condition: Sql): Promise<(RecordOf<State> & { id: number })[]> {
    return db.query(sql`
      SELECT id, ${column.selected(this.of.state)} FROM ${identifier(this.of.table)} t WHERE ${condition} ORDER BY id FOR NO KEY UPDATE`);
  }

  /** The state in a version of this record. @throws BoardError 404, also for a version of another record */
  async state(db: Db, id: number, versionId: number): Promise<RecordOf<State>> {
    const [row] = await db.query<RecordOf<State>>(sql`
      SELECT ${column.selected(this.of.state)} FROM ${identifier(this.versions)} t
       WHERE id = ${versionId} AND ${identifier(this.owner)} = ${id}`);
    return requireFound(row);
  }

  /**
   * Creates a record with its first version.
   * @param more columns besides those of the state: its creator
   * @returns its id
   * @throws BoardError 403 for a visitor
   */
  async create(db: Db, context: RequestContext, after: RecordOf<State>, more: object = {}): Promise<number> {
    const now = new Date();
    const row = { ...this.rowOf(after), ...more, createdAt: now, updatedAt: now };
    const version = this.writing(context, { id: sql`(SELECT id FROM made)`, before: null, after }, []);
    const [{ id }] = (await db.query<{ id: number }>(sql`
      WITH made AS (INSERT INTO ${identifier(this.of.table)} ${inserted(row)} RETURNING id), version AS (${version})
      SELECT id FROM made`)) as [{ id: number }];
    return id;
  }

  /**
   * Writes a record, whose row the transaction has locked, with the version of the edit, if it changes anything. Within
   * `VERSION_MERGE_MINUTES` of the same user's last version of the record that row is updated in place, and its changes are relative to
   * the version before it.
   * @returns whether anything changed
   * @throws BoardError 403 for a visitor
   */
  async write(db: Db, context: RequestContext, config: Config, edit: Edit<RecordOf<State>>): Promise<boolean> {
    if (!this.isChange(edit)) return false;
    const { table, alike = [] } = this.of;
    const minutes = edit.isOwnVersion ? 0 : config.VERSION_MERGE_MINUTES;
    const recent = minutes > 0 ? await db.query<Recent<RecordOf<State>>>(this.recent(context, edit.id, minutes)) : [];
    const copied = alike.map((name) => [name, sql`(SELECT ${identifier(toSnake(name))} FROM version)`]);
    const row = { ...this.rowOf(edit.after), ...Object.fromEntries(copied), updatedAt: new Date() };
    await db.execute(sql`
      WITH version AS (${this.writing(context, edit, recent)})
      UPDATE ${identifier(table)} SET ${assignments(row)} WHERE id = ${edit.id}`);
    return true;
  }

  isChange({ before, after }: Edit<RecordOf<State>>): boolean {
    return !before || differs(before, pickOf(this.of.state, after));
  }

  /**
   * A statement that reads the last two versions of a record, for `writing`.
   * @param minutes within which an edit is merged into the same user's last version, above zero
   * @throws BoardError 403 for a visitor
   */
  recent(context: RequestContext, id: number, minutes: number): Sql {
    return sql`
      SELECT t.id, t.version, ${column.selected(this.of.state)}, NOT is_own AND updater_id = ${requireAccount(context.viewer).id}
             AND updated_at > now() - make_interval(mins => ${minutes}::int) AS "mayMerge"
        FROM ${identifier(this.versions)} t WHERE ${identifier(this.owner)} = ${id} ORDER BY version DESC LIMIT 2`;
  }

  /**
   * A statement that writes the version of an edit which changes something, and returns its number and user.
   * @param recent the result of `recent`; nothing for a version of its own
   * @throws BoardError 403 for a visitor
   */
  writing(
    context: RequestContext,
    edit: Edit<RecordOf<State>, number | Sql>,
    recent: readonly Recent<RecordOf<State>>[],
  ): Sql {
    const [last, prior] = recent;
    const isApart =
      edit.isOwnVersion ||
      !last?.mayMerge ||
      this.isApart(edit.before, edit.after) ||
      this.isApart(prior ?? null, last);
    if (isApart) return this.inserting(context, [edit]);
    const row = { ...this.kept(prior ?? null, edit.after), updatedAt: sql`clock_timestamp()` };
    return sql`
      UPDATE ${identifier(this.versions)} SET ${assignments(row)} WHERE id = ${last.id} RETURNING version, updater_id`;
  }

  /** Writes a version for each of several records, which all change, in few statements. @throws BoardError 403 for a visitor */
  async recordAll(db: Db, context: RequestContext, edits: readonly Edit<RecordOf<State>>[]): Promise<void> {
    for (const batch of batchesOf(edits, BATCH)) await db.execute(this.inserting(context, batch));
  }

  /** The versions that a search finds, newest first unless there is another order. @throws BoardError 424 for too deep a page */
  search(parts: ListParts, viewer: Viewer, search: VersionSearch<Name> & Search, request: PageRequest) {
    const filters: Filters = {
      id: filter.ids,
      [this.ownerField]: filter.unorderedIds, // their index is by version
      ...filter.user("updater"),
      ...this.of.filters,
    };
    const visible = this.of.visible?.(viewer);
    const where = [...conditionsOf(filters, search as never), ...(visible ? [visible] : [])];
    const orderBy = this.of.orderOf?.(search as { order?: string | null });
    return this.model.list(parts, { where, orderBy }, request);
  }

  byIds(db: Queryable, viewer: Viewer, ids: readonly number[]) {
    return this.model.byIds(db, ids, this.of.visible?.(viewer));
  }

  /** The version before each of these, by the id of the later one; absent for first versions. */
  async previousOf(db: Queryable, viewer: Viewer, ids: readonly number[]) {
    const [versions, owner] = [identifier(this.versions), identifier(this.owner)];
    const pairs = await db.query<{ id: number; previousId: number }>(sql`
      SELECT later.id, t.id AS "previousId" FROM ${versions} later
        JOIN ${versions} t ON t.${owner} = later.${owner} AND t.version = later.version - 1
       WHERE later.id = ANY(${[...ids]}::int[])`);
    const previousIds = pairs.map(({ previousId }) => previousId);
    const found = await this.byIds(db, viewer, previousIds);
    return new Map(
      pairs.flatMap(({ id, previousId }) => {
        const version = found.get(previousId);
        return version ? [[id, version]] : [];
      }),
    );
  }

  /** The newest versions of each record, newest first. @param limit maximum number for one record */
  newestOf(db: Queryable, viewer: Viewer, recordIds: readonly number[], limit: number) {
    return this.model.newestOfEach(db, sql`t.${identifier(this.owner)}`, recordIds, limit, this.of.visible?.(viewer));
  }

  /** @throws BoardError 403 for a visitor */
  private inserting({ viewer, address }: RequestContext, edits: readonly Edit<RecordOf<State>, number | Sql>[]): Sql {
    const [versions, now] = [identifier(this.versions), sql`(SELECT now FROM clock)`];
    const made = { updaterId: requireAccount(viewer).id, updaterIp: address, createdAt: now, updatedAt: now };
    const rows = edits.map(({ id, before, after, isOwnVersion: isOwn = false }) => {
      const version = sql`(SELECT COALESCE(max(version), 0) + 1 FROM ${versions} WHERE ${identifier(this.owner)} = ${id})`;
      return { [this.owner]: id, version, isOwn, ...this.kept(before, after), ...made };
    });
    // the time is not that of the transaction, which may have waited for the record's lock
    return sql`
      WITH clock AS (SELECT clock_timestamp() AS now)
      INSERT INTO ${versions} ${inserted(...rows)} RETURNING version, updater_id`;
  }

  /** The columns of the record's own table that a state decides. */
  private rowOf(state: RecordOf<State>): object {
    const elsewhere: readonly PropertyKey[] = this.of.elsewhere ?? [];
    const own = Object.entries(pickOf(this.of.state, state)).filter(([name]) => !elsewhere.includes(name));
    return { ...Object.fromEntries(own), ...this.of.derived?.(state) };
  }

  private isApart(before: RecordOf<State> | null, after: RecordOf<State>): boolean {
    return before !== null && (this.of.apart ?? []).some((field) => before[field] !== after[field]);
  }

  /** What a version stores of an edit. */
  private kept(before: RecordOf<State> | null, after: RecordOf<State>): object {
    return Object.assign(pickOf(this.of.state, after), this.of.compare?.(before, after));
  }
}

/** Records whose versions are written by one statement. */
const BATCH = 500;

const pickOf = (columns: Columns, record: object): object =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, (record as Record<string, unknown>)[name]]));
