/** Posts as they are read: one statement fetches the rows of a page with everything that belongs to a post alone. */
import { type Db, type Sql, sql } from "../database/client.js";
import type { Queryable } from "../database/direct.js";
import type { Rating } from "../tags/rating.js";

export interface PostRecord {
  id: number;
  createdAt: Date;
  updatedAt: Date;
  uploaderId: number;
  uploaderName: string;
  approverId: number | null;
  mediaFileId: number;
  md5: string;
  fileExt: string;
  /** bytes */
  fileSize: number;
  /** pixels */
  imageWidth: number;
  imageHeight: number;
  /** seconds; null for pictures */
  duration: number | null;
  frames: number;
  hasSound: boolean;
  hasSample: boolean;
  fileCreatedAt: Date;
  rating: Rating;
  source: string;
  parentId: number | null;
  tagIds: number[];
  tagCount: number;
  tagCountGeneral: number;
  tagCountArtist: number;
  tagCountCopyright: number;
  tagCountCharacter: number;
  tagCountMeta: number;
  upScore: number;
  downScore: number;
  score: number;
  favCount: number;
  isPending: boolean;
  isFlagged: boolean;
  isDeleted: boolean;
  isBanned: boolean;
  isNoteLocked: boolean;
  isRatingLocked: boolean;
  isStatusLocked: boolean;
  hasChildren: boolean;
  hasActiveChildren: boolean;
  lastCommentedAt: Date | null;
  lastCommentBumpedAt: Date | null;
  lastNotedAt: Date | null;
  pixivId: number | null;
  bitFlags: number;
  childIds: number[];
  /** `pool:<id>` and `pool:<category>` of each pool that the post is in */
  poolTokens: string[];
  /** generation of tag names and categories that this was read in, see `tag-cache.ts` */
  tagGeneration: number;
}

const COLUMNS = sql`
  p.id, p.created_at AS "createdAt", p.updated_at AS "updatedAt",
  p.uploader_id AS "uploaderId", u.name AS "uploaderName", p.approver_id AS "approverId",
  p.media_file_id AS "mediaFileId", p.md5, p.file_ext AS "fileExt", p.file_size AS "fileSize",
  p.image_width AS "imageWidth", p.image_height AS "imageHeight",
  m.duration, m.frames, m.has_sound AS "hasSound", m.has_sample AS "hasSample", m.created_at AS "fileCreatedAt",
  p.rating, p.source, p.parent_id AS "parentId", p.tag_ids AS "tagIds", p.tag_count AS "tagCount",
  p.tag_count_general AS "tagCountGeneral", p.tag_count_artist AS "tagCountArtist",
  p.tag_count_copyright AS "tagCountCopyright", p.tag_count_character AS "tagCountCharacter",
  p.tag_count_meta AS "tagCountMeta",
  p.up_score AS "upScore", p.down_score AS "downScore", p.score, p.fav_count AS "favCount",
  p.is_pending AS "isPending", p.is_flagged AS "isFlagged", p.is_deleted AS "isDeleted", p.is_banned AS "isBanned",
  p.is_note_locked AS "isNoteLocked", p.is_rating_locked AS "isRatingLocked",
  p.is_status_locked AS "isStatusLocked",
  p.has_children AS "hasChildren", p.has_active_children AS "hasActiveChildren",
  p.last_commented_at AS "lastCommentedAt", p.last_comment_bumped_at AS "lastCommentBumpedAt",
  p.last_noted_at AS "lastNotedAt", p.pixiv_id AS "pixivId", p.bit_flags AS "bitFlags",
  CASE WHEN p.has_children
       THEN ARRAY(SELECT c.id FROM posts c WHERE c.parent_id = p.id ORDER BY c.id)
       ELSE '{}'::int[] END AS "childIds",
  ARRAY(SELECT token FROM pooled, LATERAL unnest(ARRAY['pool:' || pooled.id, 'pool:' || pooled.category]) AS token
         WHERE pooled.post_ids @> ARRAY[p.id] ORDER BY pooled.id) AS "poolTokens",
  (SELECT value FROM tag_generation) AS "tagGeneration"`;

/** The pools of all posts of a page, fetched once: most pages have none. */
const POOLED = sql`
  pooled AS MATERIALIZED (
    SELECT pools.id, pools.category, pools.post_ids FROM pools WHERE pools.post_ids && (SELECT ids FROM page))`;

const FROM = sql`posts p JOIN users u ON u.id = p.uploader_id JOIN media_files m ON m.id = p.media_file_id`;

const select = (db: Queryable, condition: Sql, suffix: Sql = sql``): Promise<PostRecord[]> =>
  db.$queryRaw<PostRecord[]>(sql`
    WITH page AS MATERIALIZED (SELECT ARRAY(SELECT p.id FROM posts p WHERE ${condition}) AS ids), ${POOLED}
    SELECT ${COLUMNS} FROM ${FROM} WHERE ${condition} ${suffix}`);

/** The posts of these ids, in the order of the ids; unknown ids are left out. */
export async function readPosts(db: Queryable, ids: readonly number[]): Promise<PostRecord[]> {
  if (ids.length === 0) return [];
  const rows = await select(db, sql`p.id = ANY(${[...ids]}::int[])`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The posts of a page: `ids` is a statement that gives them in their order. */
export const readPostsOf = (db: Queryable, ids: Sql): Promise<PostRecord[]> =>
  db.$queryRaw<PostRecord[]>(sql`
    WITH page AS MATERIALIZED (SELECT ARRAY(${ids}) AS ids), ${POOLED}
    SELECT ${COLUMNS} FROM page, unnest(page.ids) WITH ORDINALITY AS found(id, place) JOIN posts p ON p.id = found.id
      JOIN users u ON u.id = p.uploader_id JOIN media_files m ON m.id = p.media_file_id
     ORDER BY found.place`);

export async function readPost(db: Queryable, id: number): Promise<PostRecord | null> {
  const [row] = await readPosts(db, [id]);
  return row ?? null;
}

/** One post, its row locked until the transaction ends: edits of one post follow each other. */
export async function lockPost(db: Db, id: number): Promise<PostRecord | null> {
  const [row] = await select(db, sql`p.id = ${id}`, sql`FOR NO KEY UPDATE OF p`);
  return row ?? null;
}

export async function readPostByMd5(db: Queryable, md5: string): Promise<PostRecord | null> {
  const [row] = await select(db, sql`p.md5 = ${md5}`);
  return row ?? null;
}
