/**
 * Reading posts: one statement fetches the posts of a page, each with its revisions, and, if requested, with everything that belongs
 * only to the post.
 */
import { type Db, identifier, join, type Queryable, type Sql, sql } from "../../database/client.js";
import { SNAPSHOT } from "../../database/snapshot.js";
import type { PageStatements } from "../../search/posts/search.js";
import type { Rating } from "../../tagging/rating.js";
import * as column from "../shared/columns.js";

/** A post of which only the id is known. */
export interface PostRef {
  id: number;
}

/** A post at certain revisions: everything derived from a post at the same revisions is the same. */
export interface PostStamp extends PostRef {
  /** changes with the post's own data: its row, file, pools and children */
  revision: number;
  /** changes with data shared by posts: names of tags and users, categories of tags */
  namesRevision: number;
  isBanned: boolean;
  /** generation of tags and aliases at which this was read, see `tag-cache.ts` */
  tagGeneration: number;
  /** what the statement saw that read this, see `database/snapshot.ts` */
  snapshot: string | null;
}

/** A column of the post's file, the join `m`. */
const ofFile = <Value>({ type }: column.Column<Value>, name: string): column.Column<Value> =>
  column.typed(type, sql`m.${identifier(name)}`);

const columns = {
  ...column.ofRecord,
  uploaderId: column.integer,
  uploaderName: column.userName(),
  approverId: column.nullable(column.integer),
  mediaFileId: column.integer,
  md5: column.text,
  fileExt: column.text,
  /** bytes */
  fileSize: column.integer,
  /** pixels */
  imageWidth: column.integer,
  imageHeight: column.integer,
  /** seconds; null for pictures */
  duration: ofFile(column.nullable(column.float), "duration"),
  frames: ofFile(column.integer, "frames"),
  hasSound: ofFile(column.boolean, "has_sound"),
  hasSample: ofFile(column.boolean, "has_sample"),
  /** ThumbHash in base64; null before the larger thumbnails are created, empty if they can't be */
  placeholder: ofFile(column.nullable(column.text), "placeholder"),
  fileCreatedAt: ofFile(column.time, "created_at"),
  rating: column.typed<Rating>(sql`text`),
  source: column.text,
  parentId: column.nullable(column.integer),
  tagIds: column.integers,
  tagCount: column.integer,
  tagCountGeneral: column.integer,
  tagCountArtist: column.integer,
  tagCountCopyright: column.integer,
  tagCountCharacter: column.integer,
  tagCountMeta: column.integer,
  upScore: column.integer,
  downScore: column.integer,
  score: column.integer,
  favCount: column.integer,
  isPending: column.boolean,
  isFlagged: column.boolean,
  isDeleted: column.boolean,
  isBanned: column.boolean,
  isNoteLocked: column.boolean,
  isRatingLocked: column.boolean,
  isStatusLocked: column.boolean,
  hasChildren: column.boolean,
  hasActiveChildren: column.boolean,
  lastCommentedAt: column.nullable(column.time),
  lastCommentBumpedAt: column.nullable(column.time),
  lastNotedAt: column.nullable(column.time),
  pixivId: column.nullable(column.integer),
  bitFlags: column.integer,
  childIds: column.typed<number[]>(
    sql`int[]`,
    sql`
    CASE WHEN p.has_children
         THEN ARRAY(SELECT c.id FROM posts c WHERE c.parent_id = p.id ORDER BY c.id)
         ELSE '{}'::int[] END`,
  ),
  /** `pool:<id>` and `pool:<category>` of each pool that the post is in */
  poolTokens: column.typed<string[]>(
    sql`text[]`,
    sql`ARRAY(SELECT 'pool:' || pooled.id FROM pooled WHERE pooled.post_id = p.id ORDER BY pooled.id)`,
  ),
  /** generation of tag names and categories at which this was read, see `tag-cache.ts` */
  tagGeneration: column.typed<number>(sql`int`, sql`(SELECT value FROM tag_generation)`),
};
export type PostRecord = column.RecordOf<typeof columns>;

const NAMES = Object.keys(columns) as (keyof PostRecord)[];
/** Reading a record takes PostgreSQL about as long as reading this many rows of other tables. */
export const ROWS_PER_RECORD = 10;
/** All columns of a post `p`. */
export const POST_COLUMNS = column.selected(columns, "p");
const VALUES = join(column.expressionsOf(columns, "p").map(([, value]) => value));

/**
 * The pools of all posts of a page, a row for each of those posts, fetched once: most pages have none. Pools may be long, so
 * they are compared with the page as a whole, not with each post.
 */
const POOLED = sql`
  pooled AS MATERIALIZED (
    SELECT pools.id, post_id
      FROM pools, LATERAL unnest(pools.post_ids & (SELECT ids FROM page)) AS post_id
     WHERE pools.post_ids && (SELECT ids FROM page))`;

/** The CTEs that the columns of one post need. */
export const PAGE_OF_ONE = (id: number): Sql => sql`page AS MATERIALIZED (SELECT ARRAY[${id}::int] AS ids), ${POOLED}`;

export const JOINED = sql`JOIN users u ON u.id = p.uploader_id JOIN media_files m ON m.id = p.media_file_id`;

const select = (db: Queryable, condition: Sql): Promise<PostRecord[]> =>
  db.query<PostRecord>(sql`
    WITH page AS MATERIALIZED (SELECT ARRAY(SELECT p.id FROM posts p WHERE ${condition}) AS ids), ${POOLED}
    SELECT ${POST_COLUMNS} FROM posts p ${JOINED} WHERE ${condition}`);

/** The posts of these ids, in the order of the ids; unknown ids are left out. */
export async function readPosts(db: Queryable, ids: readonly number[]): Promise<PostRecord[]> {
  if (ids.length === 0) return [];
  const rows = await select(db, sql`p.id = ANY(${[...ids]}::int[])`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Of each column, whether JSON has no type for it. */
const IS_TIME = NAMES.map((name) => columns[name].type === column.time.type);

/** A record at certain revisions. */
export type StampedPost = PostStamp & PostRecord;

export const isStamped = (post: PostRef): post is PostStamp => "revision" in post;
export const isRecord = (post: PostRef): post is PostRecord => "tagIds" in post;

/** A page as one JSON text from PostgreSQL, which parses in a fraction of the time of separate values. */
interface WrittenPage {
  tagGeneration: number;
  namesRevision: number;
  snapshot: string | null;
  posts: [id: number, revision: number, isBanned: boolean, record?: unknown[] | null][] | null;
}

/** Which posts of a page are read with their records: all, none, or those that meet a condition on a post `p`. */
export type WithRecord = boolean | Sql;

/** The first posts of the page. */
export const first = (posts: number): Sql => sql`found.place <= ${posts}::int`;

/** The posts of a page; those with records are `StampedPost`s. */
export const readStamps = (db: Queryable, page: PageStatements, withRecord: WithRecord): Promise<PostStamp[]> =>
  db.query<{ page: string }>(withRecord === false ? stampsOf(page) : recordsOf(page.ids(), withRecord)).then(readPage);

function readPage([row]: { page: string }[]): PostStamp[] {
  const { posts, tagGeneration, namesRevision, snapshot } = JSON.parse(row?.page ?? "{}") as WrittenPage;
  return (posts ?? []).map(([id, revision, isBanned, values]) => {
    const stamp: PostStamp = { id, revision, isBanned, tagGeneration, namesRevision, snapshot };
    return values ? stampedPost(stamp, values) : stamp;
  });
}

const written = (posts: Sql): Sql => sql`
  SELECT json_build_object('tagGeneration', generation.value, 'namesRevision', generation.names_revision,
                           'snapshot', ${SNAPSHOT},
                           'posts', (${posts}))::text AS page
    FROM tag_generation AS generation`;

/** A separate statement: setting up the part that reads records takes PostgreSQL longer than reading the ids. */
const stampsOf = ({ ids, columns: scan }: PageStatements): Sql =>
  written(
    scan
      ? sql`
    SELECT json_agg(json_build_array(p.id, p.revision, p.is_banned))
      FROM (${scan(sql`posts.id, posts.revision, posts.is_banned`)}) p`
      : sql`
    SELECT json_agg(json_build_array(p.id, p.revision, p.is_banned) ORDER BY found.place)
      FROM unnest(ARRAY(${ids()})) WITH ORDINALITY AS found(id, place) JOIN posts p ON p.id = found.id`,
  );

const recordsOf = (ids: Sql, withRecord: true | Sql): Sql => sql`
  WITH page AS MATERIALIZED (SELECT ARRAY(${ids}) AS ids), ${POOLED}
  ${written(sql`
    SELECT json_agg(json_build_array(p.id, p.revision, p.is_banned, CASE WHEN ${withRecord === true ? sql`TRUE` : withRecord} THEN
                      (SELECT json_build_array(${VALUES}) FROM users u, media_files m
                        WHERE u.id = p.uploader_id AND m.id = p.media_file_id) END) ORDER BY found.place)
      FROM page, unnest(page.ids) WITH ORDINALITY AS found(id, place)
      JOIN posts p ON p.id = found.id`)}`;

/** The fields added later (`graphql/posts/post.facts.ts`), undefined until then. */
const GIVEN_LATER = [
  "fileUrl",
  "largeFileUrl",
  "previewFileUrl",
  "mediaFile",
  "hasVisibleChildren",
  "hasLarge",
  "poolString",
  "tagString",
  "tagStringGeneral",
  "tagStringArtist",
  "tagStringCopyright",
  "tagStringCharacter",
  "tagStringMeta",
] as const;
export type GivenLater = (typeof GIVEN_LATER)[number];

/** All records are copied from one template: an object that grows by several fields becomes a hash table, which is slow. */
const BLANK: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries([...NAMES, "revision", "namesRevision", "snapshot"].map((name) => [name, null])),
  ...Object.fromEntries(GIVEN_LATER.map((name) => [name, undefined])),
};

function stampedPost(stamp: PostStamp, values: readonly unknown[]): StampedPost {
  const record: Record<string, unknown> = { ...BLANK };
  for (let index = 0; index < NAMES.length; index += 1) {
    const value = values[index];
    record[NAMES[index] as string] = IS_TIME[index] && typeof value === "string" ? new Date(value) : value;
  }
  record.revision = stamp.revision;
  record.namesRevision = stamp.namesRevision;
  record.snapshot = stamp.snapshot;
  return record as unknown as StampedPost;
}

/** A record as JSON, which takes a fifth of the memory of its object. */
export const packed = (record: PostRecord): string => JSON.stringify(NAMES.map((name) => record[name]));

/** The record that was packed at the revisions of the stamp, with the stamp's generation of tags. */
export const unpacked = (stamp: PostStamp, record: string): StampedPost => {
  const post = stampedPost(stamp, JSON.parse(record) as unknown[]);
  post.tagGeneration = stamp.tagGeneration;
  return post;
};

export async function readPost(db: Queryable, id: number): Promise<PostRecord | null> {
  const [row] = await readPosts(db, [id]);
  return row ?? null;
}

/** The data of a post needed by writes that don't change the post itself. */
const locked = {
  id: columns.id,
  uploaderId: columns.uploaderId,
  imageWidth: columns.imageWidth,
  imageHeight: columns.imageHeight,
  isFlagged: columns.isFlagged,
  isDeleted: columns.isDeleted,
  isBanned: columns.isBanned,
  isNoteLocked: columns.isNoteLocked,
  isStatusLocked: columns.isStatusLocked,
};
export type LockedPost = column.RecordOf<typeof locked>;
const LOCKED_COLUMNS = column.selected(locked, "p");

/** Locks a post until the transaction ends, for something attached to it: a vote, a comment, a note. */
export async function lockPostRow(db: Db, id: number): Promise<LockedPost | null> {
  const [row] = await db.query<LockedPost>(sql`
    SELECT ${LOCKED_COLUMNS} FROM posts p WHERE p.id = ${id} FOR NO KEY UPDATE`);
  return row ?? null;
}

/** One post, its row locked until the transaction ends: edits of one post are serialized. */
export async function lockPost(db: Db, id: number): Promise<PostRecord | null> {
  // sent together; one statement would read the file, and the pools, as of before it waited for the lock
  const [, [row]] = await Promise.all([
    db.execute(sql`SELECT FROM posts WHERE id = ${id} FOR NO KEY UPDATE`),
    select(db, sql`p.id = ${id}`),
  ]);
  return row ?? null;
}
