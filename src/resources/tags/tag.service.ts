/** Tags: listings and lookups. Creating and counting tags is in `src/tagging`. */
import type { TagCategoryNumber } from "../../tagging/categories.js";
import { assignedCounts, countedByCategory } from "../../tagging/category-counts.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { SNAPSHOT, SnapshotCache } from "../../database/snapshot.js";
import { requireLength, SEARCH_BYTES } from "../../search/bounds.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Filter, NOTHING, type Page, type SearchOf } from "../../search/listing.js";
import { inBatches } from "../../lib/in-batches.js";
import { batchesOf } from "../../lib/lists.js";
import { isStorable } from "../../lib/text.js";
import type { PageRequest } from "../shared/paging.js";
import * as column from "../shared/columns.js";
import { ReadModel } from "../shared/read-model.js";
import type { ServiceParts } from "../shared/service.js";
import { composed, toTagSpelling } from "../../lib/names.js";

const columns = {
  ...column.ofRecord,
  name: column.text,
  category: column.typed<TagCategoryNumber>(sql`int`, sql`t.category::int`),
  postCount: column.integer,
  isLocked: column.boolean,
  isDeprecated: column.boolean,
};
export type TagRecord = column.RecordOf<typeof columns>;

const ORDERS = {
  name: sql`t.name ASC`,
  date: undefined, // newest first, which is the default
  count: sql`t.post_count DESC`,
};

const filters = {
  id: by.ids,
  category: by.ids,
  /** pattern with `*` */
  nameMatches: by.on(sql`t.name`, by.patternOf(toTagSpelling)),
  /** several exact names, separated by commas */
  name: (list: string) => (list === "" ? null : namedAnyOf(list)),
  hideEmpty: (wanted: boolean) => (wanted ? sql`t.post_count > 0` : null),
  hasWiki: whether(sql`EXISTS (SELECT FROM wiki_pages w WHERE w.title = t.name AND NOT w.is_deleted)`),
  hasArtist: whether(sql`EXISTS (SELECT FROM artists a WHERE a.name = t.name AND a.is_active)`),
};
export type TagSearch = SearchOf<typeof filters> & { order?: keyof typeof ORDERS | null };

const tags = new ReadModel(columns, sql`tags AS t`);

/** Tags with what the statement saw that read them. */
const tagsAtSnapshot = new ReadModel(
  { ...columns, snapshot: column.typed<string | null>(sql`text`, SNAPSHOT) },
  sql`tags AS t`,
);
/** Tags with their counts, which change with every edit of tags: about 2 MB. */
const MAX_CACHED = 5_000;

export class TagService {
  private readonly cached = new SnapshotCache<TagRecord & { snapshot: string | null }>(MAX_CACHED);

  constructor(private readonly parts: ServiceParts) {}

  /** Tags without posts are hidden unless requested, or selected by name, pattern or id. */
  search(search: TagSearch, request: PageRequest): Promise<Page<TagRecord>> {
    const isNamed = Boolean(search.name || search.nameMatches || search.id);
    const where = conditionsOf(filters, { ...search, hideEmpty: search.hideEmpty ?? !isNamed });
    const orderBy = search.order ? ORDERS[search.order] : undefined;
    return tags.list(this.parts, { where, orderBy }, request);
  }

  byIds(ids: readonly number[]): Promise<Map<number, TagRecord>> {
    return tags.byIds(this.parts.database.byKeys(ids.length), ids);
  }

  /**
   * The tags of these ids, in their order; deleted ones are left out. They are read unless nothing was committed since they were read last.
   * @param snapshot of a statement of the same request
   */
  async asOf(snapshot: string | null, ids: readonly number[]): Promise<TagRecord[]> {
    const cached = ids.length === 0 ? [] : this.cached.get(snapshot, ids);
    if (cached) return cached;
    const read = await tagsAtSnapshot.byIds(this.parts.database.byKeys(ids.length), ids);
    const found = ids.flatMap((id) => read.get(id) ?? []);
    this.cached.set(found[0]?.snapshot ?? null, found);
    return found;
  }

  /** As `tagsByNames`. */
  byNames(names: readonly string[]): Promise<Map<string, TagRecord>> {
    return tagsByNames(this.parts.database, names);
  }

  /** The tag with this exact name, or null. @throws BoardError 424 for a name longer than any search text */
  async byName(name: string): Promise<TagRecord | null> {
    requireLength(name, SEARCH_BYTES);
    if (!isStorable(name)) return null;
    return tags.find(this.parts.database, sql`t.name = ${composed(name)}`);
  }
}

/** The tags of these names by name; unknown names are absent. */
export async function tagsByNames(db: Db, names: readonly string[]): Promise<Map<string, TagRecord>> {
  if (names.length === 0) return new Map();
  const rows = await tags.all(db, sql`t.name = ANY(${names.filter(isStorable)}::text[])`);
  return new Map(rows.map((row) => [row.name, row]));
}

/** The bare condition or its negation: if it were compared to a value, PostgreSQL would read every row of the other table first. */
function whether(condition: Sql): Filter<boolean> {
  return (wanted) => (wanted ? condition : sql`NOT ${condition}`);
}

function namedAnyOf(list: string): Sql {
  requireLength(list, SEARCH_BYTES);
  const names = list
    .split(",")
    .map((name) => name.trim())
    .filter(isStorable)
    .flatMap((name) => [name, composed(name)]); // as typed too: the only way to name tags from before they were composed
  return names.length === 0 ? NOTHING : sql`t.name = ANY(${names}::text[])`;
}

/** Number of posts that one transaction recounts: edits of these wait for all of them. */
const RECOUNTED_AT_ONCE = 50;
/** Number of posts that are looked up at once: a lookup takes time for all posts with the tag, whatever its limit. */
const FOUND_AT_ONCE = 1_000;

/**
 * Recounts the posts' tags by category for every post with this tag, in batches by id, each in one transaction;
 * the job that follows a change of a tag's category. Safe to run again from the start.
 * @returns false if it was stopped
 */
export async function recountTagCategory(
  { database, transact }: Pick<ServiceParts, "database" | "transact">,
  tagId: number,
  stopping?: AbortSignal,
): Promise<boolean> {
  const next = (after: number) =>
    database.query<{ id: number }>(sql`
      SELECT id FROM posts WHERE tag_ids @> ARRAY[${tagId}]::int[] AND id > ${after} ORDER BY id LIMIT ${FOUND_AT_ONCE}`);
  for await (const found of inBatches(next)) {
    for (const batch of batchesOf(found, RECOUNTED_AT_ONCE)) {
      if (stopping?.aborted) return false;
      const ids = batch.map(({ id }) => id);
      await transact((db) => recount(db, ids));
    }
  }
  return true;
}

/** Locks the posts in the order of their ids before a second statement reads their tags: the first one sees neither tags nor categories of an edit that it waited for. */
async function recount(db: Db, ids: number[]): Promise<void> {
  await db.execute(sql`SELECT FROM posts WHERE id = ANY(${ids}::int[]) ORDER BY id FOR NO KEY UPDATE`);
  await db.execute(sql`
    UPDATE posts p SET ${assignedCounts}
      FROM posts locked, LATERAL (SELECT ${countedByCategory} FROM tags WHERE tags.id = ANY(locked.tag_ids)) AS n
     WHERE locked.id = ANY(${ids}::int[]) AND p.id = locked.id`);
}
