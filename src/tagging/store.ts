/** Writes tags: creates missing ones, updates `post_count`, changes categories. Every function runs in a transaction. */
import { type Db, type Sql, sql } from "../database/client.js";
import { Level } from "../runtime/auth/levels.js";
import { without } from "../lib/lists.js";
import type { Viewer } from "../runtime/auth/viewer.js";
import { TagCategory, type TagCategoryNumber } from "./categories.js";
import type { TagFacts, TagRow } from "./facts.js";

/** Prefixes of users below Builder change the category only of tags with at most this many posts. */
const SMALL_TAG_POSTS = 50;

/**
 * The rows of tags by name; missing ones are created. New rows are inserted in the order of their names, so that two
 * edits which create the same tags don't deadlock.
 */
export async function findOrCreateTags(
  db: Db,
  names: readonly string[],
  categories: ReadonlyMap<string, TagCategoryNumber> = new Map(),
): Promise<TagRow[]> {
  const found = await findTags(db, names);
  return tagsNamed(db, [...new Set(names)], { tags: new Map(found.map((tag) => [tag.name, tag])) }, categories);
}

/** As `findOrCreateTags`, if the existing tags have been read. */
export async function tagsNamed(
  db: Db,
  names: readonly string[],
  { tags }: Pick<TagFacts, "tags">,
  categories: ReadonlyMap<string, TagCategoryNumber>,
): Promise<TagRow[]> {
  const found = names.flatMap((name) => tags.get(name) ?? []);
  const missing = missingTags(names, { tags }).sort();
  return missing.length === 0 ? found : [...found, ...(await createTags(db, missing, categories))];
}

/** Names without a tag yet. */
export const missingTags = (names: readonly string[], { tags }: Pick<TagFacts, "tags">): string[] =>
  names.filter((name) => !tags.has(name));

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
  return created.length === sorted.length ? created : findTags(db, sorted); // a concurrent edit created some
}

const findTags = (db: Db, names: readonly string[]): Promise<TagRow[]> =>
  db.query<TagRow>(sql`SELECT id, name, category::int FROM tags WHERE name = ANY(${[...names]}::text[])`);

export interface TagChange {
  /** ids of the tags before */
  had: readonly number[];
  /** the tags afterwards */
  tags: readonly TagRow[];
  /** categories given by prefixes, by tag name */
  categories: ReadonlyMap<string, TagCategoryNumber>;
}

export function tagsMoved({ had, tags }: Pick<TagChange, "had" | "tags">): { added: number[]; removed: number[] } {
  const has = tags.map((tag) => tag.id);
  return { added: without(has, had), removed: without(had, has) };
}

/** Whether a prefix differs from the category of its tag. */
export const wantsCategories = ({ tags, categories }: Pick<TagChange, "tags" | "categories">): boolean =>
  tags.some((tag) => wantsCategory(tag, categories));

/**
 * Updates `post_count` of added and removed tags, and categories according to prefixes. All rows are locked by one statement
 * in the order of their ids, so that concurrent edits of overlapping tags don't deadlock. Categories are read
 * under the lock: a concurrent change of a category either commits before and is read here, or later and recounts this post.
 * @returns the tags with their new categories
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

const wantsCategory = (tag: TagRow, categories: ReadonlyMap<string, TagCategoryNumber>): boolean =>
  (categories.get(tag.name) ?? tag.category) !== tag.category;

/**
 * CTEs that lock the rows of added and removed tags in the order of their ids and update `post_count`. The last one, `counted`,
 * returns the updated rows.
 * @param others ids of other tags to lock
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

/** Runs `countingTags` as a statement of its own. @returns the updated rows */
export async function countTags(
  db: Db,
  added: readonly number[],
  removed: readonly number[],
  others: readonly number[] = [],
): Promise<TagRow[]> {
  if (added.length + removed.length + others.length === 0) return [];
  return db.query<TagRow>(sql`WITH ${countingTags(added, removed, others)} SELECT id, name, category FROM counted`);
}

/** Queues a job, started after the commit, that recounts the tags by category of the posts with this tag. */
export const queueRecount = (db: Db, tagId: number): Promise<number> =>
  db.execute(sql`
  SELECT graphile_worker.add_job('recount_tag_category', json_build_object('tagId', ${tagId}::int),
    job_key => ${`recount_tag_category:${tagId}`})`);

/**
 * Changes the categories of existing tags to those of the prefixes. Prefixes are ignored for locked tags, and below Builder for
 * tags of more than 50 posts. A background job updates the posts' counts by category.
 * @returns the tags with their new categories
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
