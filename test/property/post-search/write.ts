/** Writes a random board into an empty database. */
import { type Db, identifier, join, sql } from "../../../src/database/client.js";
import {
  ALIASES,
  type BoardPost,
  childrenByParent,
  type MemoryBoard,
  PRIVATE,
  TAGS,
  USERS,
  VOCABULARY,
} from "./board.js";

/** No bcrypt string that any password makes. */
const PASSWORD_HASH = `$2b$04$${"a".repeat(53)}`;

/** The id of a user of the board. */
export const userId = (name: string): number => USERS.findIndex((user) => user === name) + 1;
const date = (time: number | null): Date | null => (time === null ? null : new Date(time));
const tagsOf = (post: BoardPost, category: number): number =>
  VOCABULARY.filter(([name, of]) => of === category && post.tags.includes(name)).length;

/** All rows by one statement: thousands of them would take Prisma a minute. */
async function insert(db: Db, table: string, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = join(Object.keys(rows[0] as object).map((name) => identifier(snakeCase(name))));
  const values = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [snakeCase(key), value])),
  );
  const from = sql`jsonb_populate_recordset(NULL::${identifier(table)}, ${JSON.stringify(values)}::jsonb)`;
  await db.execute(sql`INSERT INTO ${identifier(table)} (${columns}) SELECT ${columns} FROM ${from}`);
}

const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Writes the board into an empty database. */
export async function writeBoard(db: Db, { posts, pools, groups }: MemoryBoard): Promise<void> {
  await db.user.createMany({
    data: USERS.map((name, index) => ({
      id: index + 1,
      name,
      passwordHash: PASSWORD_HASH,
      enablePrivateFavorites: name === PRIVATE,
    })),
  });
  await db.tag.createMany({
    data: VOCABULARY.map(([name, category], index) => ({
      id: index + 1,
      name,
      category,
      postCount: posts.filter((post) => post.tags.includes(name)).length,
    })),
  });
  await db.tagAlias.createMany({
    data: ALIASES.map(([antecedentName, consequentName, status]) => ({
      antecedentName,
      consequentName,
      status,
      creatorId: 1,
    })),
  });
  const children = childrenByParent(posts);
  await insert(
    db,
    "media_files",
    posts.map((post) => ({ id: post.id + 100_000, ...fileOf(post), duration: post.duration })),
  );
  await insert(
    db,
    "posts",
    posts.map((post) => rowOf(post, children)),
  );
  await writeBelongings(db, posts);
  await db.pool.createMany({
    data: pools.map(({ deleted, posts: postIds, ...pool }) => {
      return { ...pool, isDeleted: deleted, creatorId: 1, postIds, postCount: postIds.length };
    }),
  });
  await db.favoriteGroup.createMany({
    data: groups.map(({ by, posts: postIds, ...group }) => {
      return { ...group, creatorId: USERS.indexOf(by) + 1, postIds, postCount: postIds.length };
    }),
  });
  await db.execute(sql`ANALYZE`);
}

const fileOf = (post: BoardPost) => ({
  md5: post.md5,
  fileExt: post.ext,
  fileSize: post.fileSize,
  imageWidth: post.width,
  imageHeight: post.height,
});

const rowOf = (post: BoardPost, children: ReadonlyMap<number, BoardPost[]>) => ({
  ...fileOf(post),
  id: post.id,
  mediaFileId: post.id + 100_000,
  createdAt: new Date(post.created),
  updatedAt: new Date(post.updated),
  uploaderId: userId(post.uploader),
  approverId: post.approver === null ? null : userId(post.approver),
  rating: post.rating,
  source: post.source,
  pixivId: post.pixivId,
  parentId: post.parent,
  hasChildren: children.has(post.id),
  hasActiveChildren: children.get(post.id)?.some((child) => !child.deleted) ?? false,
  tagIds: post.tags.map((tag) => TAGS.indexOf(tag) + 1).sort((x, y) => x - y),
  tagCount: post.tags.length,
  tagCountGeneral: tagsOf(post, 0),
  tagCountArtist: tagsOf(post, 1),
  tagCountCopyright: tagsOf(post, 3),
  tagCountCharacter: tagsOf(post, 4),
  tagCountMeta: tagsOf(post, 5),
  upScore: post.ups,
  downScore: 0 - post.downs,
  score: post.ups - post.downs,
  favCount: post.favCount,
  isPending: post.pending,
  isFlagged: post.flagged,
  isDeleted: post.deleted,
  isBanned: post.banned,
  isRatingLocked: post.locks.rating,
  isNoteLocked: post.locks.note,
  isStatusLocked: post.locks.status,
  bitFlags: post.embedded ? 1 : 2,
  lastCommentedAt: date(post.commentedAt),
  lastCommentBumpedAt: date(post.bumpedAt),
  lastNotedAt: date(post.notedAt),
});

async function writeBelongings(db: Db, posts: readonly BoardPost[]): Promise<void> {
  const each = <T, R>(list: (post: BoardPost) => readonly T[], row: (item: T) => R): (R & { postId: number })[] =>
    posts.flatMap((post) => list(post).map((item) => ({ ...row(item), postId: post.id })));
  const box = { x: 0, y: 0, width: 5, height: 5, body: "x" };
  await insert(
    db,
    "comments",
    each(
      (post) => post.comments,
      ({ by, deleted }) => ({ creatorId: userId(by), body: "x", isDeleted: deleted }),
    ),
  );
  const notes = each(
    (post) => post.notes,
    (note) => note,
  ).map((note, index) => ({ ...note, id: index + 1 }));
  await insert(
    db,
    "notes",
    notes.map(({ id, postId, by, deleted }) => {
      return { ...box, id, postId, creatorId: userId(by), isActive: !deleted };
    }),
  );
  await insert(
    db,
    "note_versions",
    notes.flatMap(({ id, postId, editors }) =>
      editors.map((by, index) => ({ ...box, noteId: id, postId, version: index + 1, updaterId: userId(by) })),
    ),
  );
  const commented = posts.flatMap(({ id, commentary }) => (commentary ? [{ id, ...commentary }] : []));
  await insert(
    db,
    "artist_commentaries",
    commented.map(({ id, updated }) => ({ id, postId: id, updatedAt: new Date(updated) })),
  );
  await insert(
    db,
    "artist_commentary_versions",
    commented.flatMap(({ id, editors }) =>
      editors.map((by, index) => {
        return { artistCommentaryId: id, postId: id, version: index + 1, updaterId: userId(by) };
      }),
    ),
  );
  await writeModeration(db, each);
}

type Each = <T, R>(list: (post: BoardPost) => readonly T[], row: (item: T) => R) => (R & { postId: number })[];

async function writeModeration(db: Db, each: Each): Promise<void> {
  await insert(
    db,
    "post_flags",
    each(
      (post) => post.flags,
      ({ by, at, deletion }) => {
        return { creatorId: userId(by), createdAt: new Date(at), isDeletion: deletion, reason: "x" };
      },
    ),
  );
  await insert(
    db,
    "post_appeals",
    each(
      (post) => post.appeals,
      ({ by, at }) => ({ creatorId: userId(by), createdAt: new Date(at), reason: "x" }),
    ),
  );
  await insert(
    db,
    "post_approvals",
    each(
      (post) => post.approvals,
      (by) => ({ userId: userId(by) }),
    ),
  );
  await insert(
    db,
    "post_disapprovals",
    each(
      (post) => post.disapprovals,
      (by) => ({ userId: userId(by), reason: "disinterest" }),
    ),
  );
  await insert(
    db,
    "favorites",
    each(
      (post) => post.favorites,
      ({ by, id }) => ({ id, userId: userId(by) }),
    ),
  );
  await insert(
    db,
    "post_votes",
    each(
      (post) => post.votes,
      ({ by, score }) => ({ userId: userId(by), score }),
    ),
  );
}
