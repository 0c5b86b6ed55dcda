/**
 * The statements of an edit of a post: one locks its row, one reads everything that the edit depends on, and one writes
 * everything. Locks have the order of all writes: posts by id, tags by id, the user.
 */
import type { Config } from "../../config.js";
import type { RequestContext } from "../../context.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { assignments, inserted } from "../../database/rows.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import { type BoardEvent, notifying } from "../../runtime/events/events.js";
import { factsFrom, type TagFacts, tagFacts, type TagRow, type WrittenFacts } from "../../tagging/facts.js";
import { countsBy, selectedCounts } from "../../tagging/category-counts.js";
import { countingTags } from "../../tagging/store.js";
import type { Edit, Recent } from "../shared/history.js";
import { JOINED, PAGE_OF_ONE, POST_COLUMNS, type PostRecord } from "./post.records.js";
import { postHistory, type PostState } from "./post.versions.js";

/** A post whose row is locked until the transaction ends, and what an edit of it depends on. */
export interface EditablePost {
  post: PostRecord;
  facts: TagFacts;
  /** its last versions, if an edit may be merged into one */
  recent: readonly Recent<PostState>[];
}

/** @param names of tags in the edit, see `namesWritten` @returns null if there is no such post */
export async function lockForEdit(
  db: Db,
  context: RequestContext,
  id: number,
  names: readonly string[],
  { VERSION_MERGE_MINUTES: minutes }: Config,
): Promise<EditablePost | null> {
  const recent =
    minutes > 0 ? sql`(SELECT json_agg(v) FROM (${postHistory.recent(context, id, minutes)}) AS v)` : sql`NULL::json`;
  // sent together; each statement has a snapshot of its own, so the reads see the state under the lock
  const [, [row]] = await Promise.all([
    db.execute(sql`SELECT FROM posts WHERE id = ${id} FOR NO KEY UPDATE`),
    db.query<PostRecord & { facts: WrittenFacts; recent: Recent<PostState>[] | null }>(sql`
      WITH ${PAGE_OF_ONE(id)}
      SELECT ${POST_COLUMNS}, ${tagFacts(names, sql`p.tag_ids`)} AS facts, ${recent} AS recent
        FROM posts p ${JOINED} WHERE p.id = ${id}`),
  ]);
  if (!row) return null;
  const { facts, recent: versions, ...post } = row;
  return { post, facts: factsFrom(facts), recent: versions ?? [] };
}

/** The tags of a post after an edit. */
export interface NextTags {
  tags: readonly TagRow[];
  /** those to be counted by the statement: ids added and removed */
  added: readonly number[];
  removed: readonly number[];
  /** whether categories of tags changed */
  isRecategorised: boolean;
}

const countOf = (tags: readonly TagRow[], category: number): number =>
  tags.filter((tag) => tag.category === category).length;

/** The number of a post's tags, in all and by category. */
export const tagCounts = (tags: readonly TagRow[]) => ({
  tagCount: tags.length,
  ...countsBy((category) => countOf(tags, category)),
});

const isCounted = ({ added, removed }: NextTags): boolean => added.length + removed.length > 0;

/**
 * The same within a statement that counts the tags: the categories of new ones are read under the lock. Selecting them
 * makes the statement lock the tags before the user.
 */
function countsWithin(next: NextTags): object {
  const { tags, added } = next;
  if (!isCounted(next)) return tagCounts(tags);
  const isNew = new Set(added);
  const kept = tags.filter(({ id }) => !isNew.has(id));
  const ids = sql`${[...added]}::int[]`;
  return {
    tagCount: tags.length,
    ...countsBy(
      (category) =>
        sql`${countOf(kept, category)}::int + (SELECT count(*) FROM counted WHERE category = ${category}::int AND id = ANY(${ids}))`,
    ),
  };
}

/** The values that an edit writes. */
export interface PostWrite {
  next: NextTags;
  /** columns of the post besides those of its tags */
  columns: object;
  edit: Edit<PostState>;
  recent: EditablePost["recent"];
  /** published after the commit */
  event: BoardEvent | null;
}

const countingOf = (next: NextTags): Sql => (isCounted(next) ? sql`${countingTags(next.added, next.removed)},` : sql``);

/** The condition that a user was not banned, closed or demoted since the request began. */
export const isStill = ({ level }: Viewer): Sql => sql`level >= ${level} AND NOT (is_banned OR is_deleted)`;

/**
 * A statement that counts the tags, creates a post and its first version, and updates the uploader's counts. It returns the `id`.
 * @param isOpen whether the uploader may be banned, closed or demoted since the request began; otherwise it returns nothing then, and the transaction has to be undone
 */
export const creatingPost = (
  context: RequestContext,
  next: NextTags,
  columns: object,
  { after, isOpen }: { after: PostState; isOpen: boolean },
): Sql => sql`
  WITH ${countingOf(next)} post AS (
    INSERT INTO posts ${inserted({ ...columns, ...countsWithin(next) })} RETURNING id
  ), version AS (${postHistory.writing(context, { id: sql`(SELECT id FROM post)`, before: null, after }, [])}), uploader AS (
    UPDATE users SET post_upload_count = post_upload_count + 1, post_update_count = post_update_count + 1
     WHERE id = ${context.viewer.id} AND (${isOpen} OR ${isStill(context.viewer)}) RETURNING id)
  SELECT post.id FROM post, uploader`;

/** The result of the statement of an edit. */
export type WrittenPost = Pick<PostRecord, "updatedAt" | keyof ReturnType<typeof tagCounts>>;

/** A statement that counts the tags, writes the post and its version, and updates the editor's count. */
export function writingPost(db: Db, context: RequestContext, { next, columns, edit, recent, event }: PostWrite): Sql {
  const version = postHistory.isChange(edit)
    ? sql`, version AS (${postHistory.writing(context, edit, recent)}), editor AS (
        UPDATE users SET post_update_count = post_update_count + 1 WHERE id = ${context.viewer.id})`
    : sql``;
  return sql`
    WITH ${countingOf(next)} edited AS (
      UPDATE posts SET ${assignments({ tagIds: edit.after.tagIds, ...countsWithin(next), ...columns })}
       WHERE id = ${edit.id}
      RETURNING updated_at AS "updatedAt", tag_count AS "tagCount", ${selectedCounts}
    ) ${version}
    SELECT edited.*, ${event ? notifying(db, event) : sql`NULL`} AS notified FROM edited`;
}
