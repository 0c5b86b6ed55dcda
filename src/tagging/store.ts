/** Writes tags: creates missing ones, keeps `post_count` exact, changes categories. Every function runs in a transaction. */
import { type Db, type Sql, sql } from "../database/client.js";
import { Level } from "../runtime/auth/levels.js";
import type { Viewer } from "../runtime/auth/viewer.js";
import { TagCategory, type TagCategoryNumber } from "./categories.js";
import type { TagFacts, TagRow } from "./facts.js";

/** A tag of at most this many posts may change its category by a prefix; of more, only by Builder and above. */
const SMALL_TAG_POSTS = 50;

/**
 * The rows of the named tags, created where missing. New rows are inserted in the order of their names, so that two
 * edits which create the same tags wait for each other instead of deadlocking.
 */
export async function findOrCreateTags(
  db: Db,
  names: readonly string[],
  categories: ReadonlyMap<string, TagCategoryNumber> = new Map(),
): Promise<TagRow[]> {
  const found = await findTags(db, names);
  return tagsNamed(db, [...new Set(names)], { tags: new Map(found.map((tag) => [tag.name, tag])) }, categories);
}

/** As `findOrCreateTags`, where it was read which of them there are. */
export async function tagsNamed(
  db: Db,
  names: readonly string[],
  { tags }: Pick<TagFacts, "tags">,
  categories: ReadonlyMap<string, TagCategoryNumber>,
): Promise<TagRow[]> {
  const found = names.flatMap((name) => tags.get(name) ?? []);
  const missing = names.filter((name) => !tags.has(name)).sort();
  return missing.length === 0 ? found : [...found, ...(await createTags(db, missing, categories))];
}

async function createTags(
  db: Db,
  sorted: readonly string[],
  categories: ReadonlyMap<string, TagCategoryNumber>,
): Promise<TagRow[]> {
  const numbers = sorted.map((name) => categories.get(name) ?? TagCategory.general);
  const created = await db.query<TagRow>(sql`
    INSERT INTO tags (name, category)
    SELECT name, category FROM unnest(${[...sorted]}::text[], ${numbers}::smallint[])
      WITH ORDINALITY AS new(name, category, position) ORDER BY position
    ON CONFLICT (name) DO NOTHING
    RETURNING id, name, category::int`);
  return created.length === sorted.length ? created : findTags(db, sorted); // another edit was faster
}

const findTags = (db: Db, names: readonly string[]): Promise<TagRow[]> =>
  db.query<TagRow>(sql`SELECT id, name, category::int FROM tags WHERE name = ANY(${[...names]}::text[])`);

/** What an edit makes of the tags of a post. */
export interface TagChange {
  /** ids that the post has so far */
  had: readonly number[];
  /** rows that it is to have */
  tags: readonly TagRow[];
  /** categories that prefixes ask for, by name */
  categories: ReadonlyMap<string, TagCategoryNumber>;
}

/** The tags that come and go. */
export function tagsMoved({ had, tags }: Pick<TagChange, "had" | "tags">): { added: number[]; removed: number[] } {
  const has = tags.map((tag) => tag.id);
  return { added: minus(has, had), removed: minus(had, has) };
}

/** Whether a prefix asks for another category than a tag has. */
export const wantsCategories = ({ tags, categories }: Pick<TagChange, "tags" | "categories">): boolean =>
  tags.some((tag) => wantsCategory(tag, categories));

/**
 * Counts a post's new and lost tags, and gives tags the categories that prefixes ask for. All rows that change are locked
 * at once, in the order of their ids, so that parallel edits of overlapping tags never deadlock; and categories are read
 * under the lock, so that a concurrent change of one either comes later and counts this post, or earlier and is seen here.
 * @returns the rows with their categories after it
 */
export async function changeTags(db: Db, change: TagChange, viewer: Viewer): Promise<TagRow[]> {
  const { tags, categories } = change;
  const { added, removed } = tagsMoved(change);
  const recategorised = tags.filter((tag) => wantsCategory(tag, categories)).map((tag) => tag.id);
  const rows = await countTags(db, added, removed, recategorised);
  const locked = new Map(rows.map((row) => [row.id, row]));
  const current = tags.map((tag) => locked.get(tag.id) ?? tag);
  return applyCategories(db, current, categories, viewer);
}

const minus = (list: readonly number[], other: readonly number[]): number[] => {
  const gone = new Set(other);
  return list.filter((id) => !gone.has(id));
};

const wantsCategory = (tag: TagRow, categories: ReadonlyMap<string, TagCategoryNumber>): boolean =>
  (categories.get(tag.name) ?? tag.category) !== tag.category;

/**
 * Counts a post's new and lost tags, whose rows are locked in the order of their ids first: CTEs, the last of which, `counted`,
 * has the rows as they are under the lock.
 * @param others ids of further tags to lock with them
 */
export function countingTags(
  added: readonly number[],
  removed: readonly number[],
  others: readonly number[] = [],
): Sql {
  const ids = [...new Set([...added, ...removed, ...others])];
  return sql`
    locked AS MATERIALIZED (
      SELECT id FROM tags WHERE id = ANY(${ids}::int[]) ORDER BY id FOR NO KEY UPDATE
    ), counted AS (
      UPDATE tags SET post_count = post_count + CASE WHEN tags.id = ANY(${[...added]}::int[]) THEN 1
                                                     WHEN tags.id = ANY(${[...removed]}::int[]) THEN -1 ELSE 0 END
        FROM locked WHERE tags.id = locked.id
      RETURNING tags.id, tags.name, tags.category::int)`;
}

/** Counts tags by itself, as `countingTags`. @returns the rows */
export async function countTags(
  db: Db,
  added: readonly number[],
  removed: readonly number[],
  others: readonly number[] = [],
): Promise<TagRow[]> {
  if (added.length + removed.length + others.length === 0) return [];
  return db.query<TagRow>(sql`WITH ${countingTags(added, removed, others)} SELECT id, name, category FROM counted`);
}

/** Has the posts with a tag count their tags by category anew, once the change of its category is committed. */
export const queueRecount = (db: Db, tagId: number): Promise<number> =>
  db.execute(sql`
  SELECT graphile_worker.add_job('recount_tag_category', json_build_object('tagId', ${tagId}::int),
    job_key => ${`recount_tag_category:${tagId}`})`);

/**
 * Gives existing tags the categories that prefixes ask for, where the viewer may: not for locked tags, and for tags on
 * more than 50 posts only as Builder or above. Otherwise the prefix is ignored. The posts' counts by category follow in
 * a background job.
 * @returns the rows with their categories after it
 */
export async function applyCategories(
  db: Db,
  tags: readonly TagRow[],
  categories: ReadonlyMap<string, TagCategoryNumber>,
  viewer: Viewer,
): Promise<TagRow[]> {
  const wanted = tags.filter((tag) => wantsCategory(tag, categories));
  if (wanted.length === 0) return [...tags];
  const ids = wanted.map((tag) => tag.id);
  const numbers = wanted.map((tag) => categories.get(tag.name) as number);
  const smallOnly = viewer.level < Level.Builder;
  const changed = await db.query<TagRow>(sql`
    WITH locked AS MATERIALIZED (
      SELECT id FROM tags
       WHERE id = ANY(${ids}::int[]) AND NOT is_locked AND (NOT ${smallOnly} OR post_count <= ${SMALL_TAG_POSTS})
       ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE tags SET category = new.category, updated_at = now()
      FROM locked JOIN unnest(${ids}::int[], ${numbers}::smallint[]) AS new(id, category) USING (id)
     WHERE tags.id = locked.id
    RETURNING tags.id, tags.name, tags.category::int`);
  for (const tag of changed) await queueRecount(db, tag.id);
  const byId = new Map(changed.map((tag) => [tag.id, tag]));
  return tags.map((tag) => byId.get(tag.id) ?? tag);
}
