/** The history of posts. */
import { type Sql, sql } from "../../database/client.js";
import { isStorable } from "../../lib/text.js";
import { type Filters, NOTHING } from "../../search/listing.js";
import type { Rating } from "../../tagging/rating.js";
import { boolean, column, integer, integers, type RecordOf, text } from "../shared/columns.js";
import { History } from "../shared/history.js";

interface PostVersionSearch {
  /** versions with this id or a smaller one */
  startId?: number | null;
  /** names of tags that were added or removed, each of them */
  changedTags?: string[] | null;
  addedTagsIncludeAll?: string[] | null;
  removedTagsIncludeAll?: string[] | null;
}

const postState = {
  /** in order */
  tagIds: integers,
  rating: column<Rating>(sql`text`),
  parentId: column<number | null>(sql`int`),
  source: text,
  mediaFileId: integer,
};
export type PostState = RecordOf<typeof postState>;

export const postHistory = new History({
  record: "post",
  table: "posts",
  state: postState,
  changes: {
    addedTagIds: integers,
    removedTagIds: integers,
    ratingChanged: boolean,
    parentChanged: boolean,
    sourceChanged: boolean,
  },
  compare: (before, after) => ({
    addedTagIds: without(after.tagIds, before?.tagIds),
    removedTagIds: without(before?.tagIds ?? [], after.tagIds),
    ratingChanged: before?.rating !== after.rating,
    parentChanged: (before?.parentId ?? null) !== after.parentId,
    sourceChanged: (before?.source ?? "") !== after.source,
  }),
  /** the tags that the post has now */
  read: { currentTagIds: column<number[]>(sql`int[]`, sql`p.tag_ids`) },
  joins: sql`JOIN posts p ON p.id = t.post_id`,
  filter: (filters: Filters, search: PostVersionSearch) => {
    filters
      .add(hasAll(sql`(t.added_tag_ids || t.removed_tag_ids)`, search.changedTags))
      .add(hasAll(sql`t.added_tag_ids`, search.addedTagsIncludeAll))
      .add(hasAll(sql`t.removed_tag_ids`, search.removedTagsIncludeAll));
    return typeof search.startId === "number" ? filters.add(sql`t.id <= ${search.startId}`) : filters;
  },
});

function without(ids: readonly number[], others: readonly number[] = []): number[] {
  const known = new Set(others);
  return ids.filter((id) => !known.has(id));
}

/** All of these tags are among the ids; a name that no tag has is on no version. Null for a search without names. */
function hasAll(ids: Sql, names: string[] | null | undefined): Sql | null {
  const wanted = [...new Set(names?.map((name) => name.toLowerCase()).filter(Boolean))];
  if (wanted.length === 0) return null;
  if (!wanted.every(isStorable)) return NOTHING;
  const found = sql`SELECT CASE WHEN count(*) = ${wanted.length}::int THEN array_agg(id) END FROM tags WHERE name = ANY(${wanted}::text[])`;
  return sql`${ids} @> (${found})`; // a null where a name is unknown
}
