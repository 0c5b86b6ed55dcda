/** The history of posts. */
import { type Sql, sql } from "../../database/client.js";
import { without } from "../../lib/lists.js";
import { composedLower } from "../../lib/names.js";
import { isStorable } from "../../lib/text.js";
import { requireLength, SEARCH_BYTES } from "../../search/bounds.js";
import { indexed } from "../../search/indexed.js";
import { NOTHING } from "../../search/listing.js";
import type { Rating } from "../../tagging/rating.js";
import * as column from "../shared/columns.js";
import { History } from "../shared/history.js";

const postState = {
  /** in order */
  tagIds: column.integers,
  rating: column.typed<Rating>(sql`text`),
  parentId: column.typed<number | null>(sql`int`),
  source: column.text,
  mediaFileId: column.integer,
};
export type PostState = column.RecordOf<typeof postState>;

export const postHistory = new History({
  record: "post",
  table: "posts",
  state: postState,
  changes: {
    addedTagIds: column.integers,
    removedTagIds: column.integers,
    ratingChanged: column.boolean,
    parentChanged: column.boolean,
    sourceChanged: column.boolean,
  },
  compare: (before, after) => ({
    addedTagIds: without(after.tagIds, before?.tagIds ?? []),
    removedTagIds: without(before?.tagIds ?? [], after.tagIds),
    ratingChanged: before?.rating !== after.rating,
    parentChanged: (before?.parentId ?? null) !== after.parentId,
    sourceChanged: (before?.source ?? "") !== after.source,
  }),
  /** the post's current tags */
  read: { currentTagIds: column.typed<number[]>(sql`int[]`, sql`p.tag_ids`) },
  joins: sql`LEFT JOIN posts p ON p.id = t.post_id`,
  filters: {
    /** versions up to this id */
    startId: (id: number) => sql`t.id <= ${id}`,
    /** names of tags that were added or removed, all of them */
    changedTags: (names: readonly string[]) => hasAll(names, changed),
    addedTagsIncludeAll: (names: readonly string[]) => hasAll(names, (tags) => sql`t.added_tag_ids @> (${tags})`),
    removedTagsIncludeAll: (names: readonly string[]) => hasAll(names, (tags) => sql`t.removed_tag_ids @> (${tags})`),
  },
});

/**
 * The condition on the ids of all of these tags; unknown names match no version. Null without names.
 * @param condition of a statement that selects the array of them, or NULL for unknown names
 * @throws BoardError 424 for names that are too long together
 */
function hasAll(names: readonly string[], condition: (tags: Sql) => Sql): Sql | null {
  const wanted = [...new Set(names.map(composedLower).filter(Boolean))];
  if (wanted.length === 0) return null;
  requireLength(wanted.join(" "), SEARCH_BYTES);
  if (!wanted.every(isStorable)) return NOTHING;
  return indexed(
    condition(
      sql`SELECT CASE WHEN count(*) = ${wanted.length}::int THEN array_agg(id) END FROM tags WHERE name = ANY(${wanted}::text[])`,
    ),
  );
}

/** Each of the tags was added or removed. The indexes find versions that change any of them. */
const changed = (tags: Sql): Sql => sql`((t.added_tag_ids && (${tags}) OR t.removed_tag_ids && (${tags}))
  AND (t.added_tag_ids || t.removed_tag_ids) @> (${tags}))`;
