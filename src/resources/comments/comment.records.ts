/** The columns of comments, and columns of posts derived from them. */
import { type Db, sql } from "../../database/client.js";
import { inserted } from "../../database/rows.js";
import * as column from "../shared/columns.js";
import { ReadModel } from "../shared/read-model.js";

const columns = {
  ...column.ofRecord,
  ...column.ofCreator,
  postId: column.integer,
  /** the user who last edited, deleted or restored it; null if none */
  updaterId: column.nullable(column.integer),
  updaterName: column.nullable(column.userName("v")),
  body: column.text,
  score: column.integer,
  doNotBumpPost: column.boolean,
  isDeleted: column.boolean,
  isSticky: column.boolean,
};
export type CommentRecord = column.RecordOf<typeof columns>;

const USERS = sql`LEFT JOIN users u ON u.id = t.creator_id LEFT JOIN users v ON v.id = t.updater_id`;

export const comments = new ReadModel(columns, sql`comments AS t ${USERS}`);

/** How many comments bump their post: the first ones, including deleted ones. */
export const BUMPING_COMMENTS = 40;

/**
 * Creates a comment on a post that the transaction has locked, and sets the post's times as `refreshCommentTimes` would for the
 * newest comment.
 * @param comment its columns
 */
export async function insertComment(
  db: Db,
  comment: { postId: number; doNotBumpPost: boolean } & object,
): Promise<CommentRecord> {
  const { postId, doNotBumpPost } = comment;
  const now = new Date();
  const others = sql`SELECT FROM comments WHERE post_id = ${postId} LIMIT ${BUMPING_COMMENTS}`;
  const [made] = await db.query<CommentRecord>(sql`
    WITH made AS (INSERT INTO comments ${inserted({ ...comment, createdAt: now, updatedAt: now })} RETURNING *), post AS (
      UPDATE posts SET last_commented_at = greatest(last_commented_at, made.created_at),
        last_comment_bumped_at = CASE
          WHEN ${doNotBumpPost}::boolean OR (SELECT count(*) FROM (${others}) AS other) >= ${BUMPING_COMMENTS}::int
          THEN last_comment_bumped_at ELSE greatest(last_comment_bumped_at, made.created_at) END
        FROM made WHERE posts.id = made.post_id)
    SELECT ${column.selected(columns)} FROM made AS t ${USERS}`);
  return made as CommentRecord;
}

/**
 * `last_commented_at` is the time of the newest comment that is not deleted, `last_comment_bumped_at` that of the newest
 * one among those that bump; null without any. The post is locked by the caller.
 */
export const refreshCommentTimes = (db: Db, postId: number): Promise<number> =>
  db.execute(sql`UPDATE posts SET
    last_commented_at = (SELECT max(created_at) FROM comments WHERE post_id = ${postId} AND NOT is_deleted),
    last_comment_bumped_at = (
      SELECT max(created_at)
        FROM (SELECT * FROM comments WHERE post_id = ${postId} ORDER BY id LIMIT ${BUMPING_COMMENTS}) AS early
       WHERE NOT is_deleted AND NOT do_not_bump_post)
    WHERE id = ${postId}`);
