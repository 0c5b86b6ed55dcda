/** A small board for the tests of the post search: 60 posts, the same every time, also held in memory. */
import type { Tables } from "../../src/database/client.js";

export const NOW = new Date("2026-03-31T12:00:00.000Z");
const HOUR = 3_600_000;

/** No bcrypt string that any password makes. */
const PASSWORD_HASH = `$2b$04$${"a".repeat(53)}`;

export interface TestPost {
  id: number;
  tags: string[];
  rating: "s" | "q" | "e";
  score: number;
  width: number;
  height: number;
  fileSize: number;
  fileExt: string;
  favCount: number;
  uploader: string;
  source: string;
  parentId: number | null;
  createdAt: Date;
  isPending: boolean;
  isFlagged: boolean;
  isDeleted: boolean;
  isBanned: boolean;
  pixivId: number | null;
  commentedAt: Date | null;
}

/** "h" is on no post; "wide_x" and "wide_y" are for wildcards. */
export const TAGS = ["a", "b", "c", "d", "e_(f)", "g:1", "wide_x", "wide_y", "two_words", "h"] as const;
export const USERS = ["albert", "Berta", "carl"] as const;

/** Bits of a number that look random and are not. */
const bits = (n: number): number => Math.imul(n ^ 0x9e3779b9, 0x85ebca6b) >>> 7;

const ratingOf = (id: number): TestPost["rating"] => (id % 4 === 0 ? "e" : id % 3 === 0 ? "q" : "s");

function makePost(id: number): TestPost {
  const isDeleted = id % 11 === 0;
  return {
    id,
    tags: TAGS.filter((tag, index) => tag !== "h" && ((bits(id) >> index) & 1) === 1),
    rating: ratingOf(id),
    score: (bits(id) % 21) - 10,
    width: 100 + (bits(id + 100) % 10) * 100,
    height: 100 + (bits(id + 200) % 10) * 100,
    fileSize: 1000 * id,
    fileExt: id % 5 === 0 ? "png" : id % 7 === 0 ? "webm" : "jpg",
    favCount: id % 9,
    uploader: USERS[id % 3] as string,
    source:
      id % 4 === 0
        ? ""
        : id % 4 === 1
          ? `https://Example.com/${id}`
          : id % 4 === 2
            ? `a book, page ${id}`
            : `100%_${id}`,
    parentId: id % 10 === 7 ? id - 6 : null,
    createdAt: new Date(NOW.getTime() - (61 - id) * 20 * HOUR),
    isPending: !isDeleted && id % 8 === 0,
    isFlagged: !isDeleted && id % 13 === 0,
    isDeleted,
    isBanned: id % 17 === 0,
    pixivId: id % 6 === 0 ? id * 10 : null,
    commentedAt: id % 5 === 0 ? new Date(NOW.getTime() - bits(id) * 1000) : null,
  };
}

export const POSTS: readonly TestPost[] = Array.from({ length: 60 }, (_, index) => makePost(index + 1));

const md5Of = (id: number): string => id.toString(16).padStart(32, "0");

/** Writes the board into an empty database. */
export async function writeBoard(db: Tables): Promise<void> {
  await db.user.createMany({
    data: USERS.map((name, index) => ({
      id: index + 1,
      name,
      passwordHash: PASSWORD_HASH,
      enablePrivateFavorites: name === "carl",
    })),
  });
  await db.tag.createMany({
    data: TAGS.map((name, index) => ({
      id: index + 1,
      name,
      postCount: POSTS.filter((post) => post.tags.includes(name)).length,
    })),
  });
  await db.mediaFile.createMany({ data: POSTS.map((post) => ({ id: post.id + 1000, ...fileOf(post) })) });
  await db.post.createMany({ data: POSTS.map(rowOf) });
  await writeRelations(db);
}

const fileOf = (post: TestPost) => ({
  md5: md5Of(post.id),
  fileExt: post.fileExt,
  fileSize: post.fileSize,
  imageWidth: post.width,
  imageHeight: post.height,
});

const rowOf = (post: TestPost) => ({
  ...fileOf(post),
  id: post.id,
  mediaFileId: post.id + 1000,
  createdAt: post.createdAt,
  uploaderId: USERS.findIndex((name) => name === post.uploader) + 1,
  rating: post.rating,
  source: post.source,
  pixivId: post.pixivId,
  parentId: post.parentId,
  hasChildren: POSTS.some((other) => other.parentId === post.id),
  hasActiveChildren: POSTS.some((other) => other.parentId === post.id && !other.isDeleted),
  tagIds: post.tags.map((tag) => TAGS.findIndex((name) => name === tag) + 1).sort((x, y) => x - y),
  tagCount: post.tags.length,
  tagCountGeneral: post.tags.length,
  upScore: Math.max(post.score, 0),
  downScore: Math.min(post.score, 0),
  score: post.score,
  favCount: post.favCount,
  isPending: post.isPending,
  isFlagged: post.isFlagged,
  isDeleted: post.isDeleted,
  isBanned: post.isBanned,
  isNoteLocked: post.id === 3,
  lastCommentedAt: post.commentedAt,
});

async function writeRelations(db: Tables): Promise<void> {
  await db.tagAlias.createMany({
    data: [
      { antecedentName: "old_a", consequentName: "a", creatorId: 1, status: "active" },
      { antecedentName: "old_b", consequentName: "b", creatorId: 1, status: "processing" },
      { antecedentName: "old_c", consequentName: "c", creatorId: 1, status: "pending" },
      { antecedentName: "/wx", consequentName: "b", creatorId: 1, status: "active" },
    ],
  });
  await db.pool.create({ data: { id: 1, name: "Some_Series", creatorId: 1, postIds: [9, 3, 30, 3], postCount: 4 } });
  await db.pool.create({
    data: { id: 2, name: "a_collection", category: "collection", creatorId: 1, postIds: [5, 9], postCount: 2 },
  });
  await db.pool.create({ data: { id: 3, name: "gone", creatorId: 1, postIds: [40], postCount: 1, isDeleted: true } });
  for (const [userId, postId] of [
    [1, 12],
    [1, 4],
    [1, 33],
    [2, 4],
    [3, 8],
  ] as const) {
    await db.favorite.create({ data: { userId, postId } });
  }
  await db.postVote.createMany({
    data: [
      { postId: 1, userId: 1, score: 1 },
      { postId: 2, userId: 1, score: -1 },
      { postId: 3, userId: 2, score: 1 },
    ],
  });
  await db.comment.createMany({
    data: [
      { postId: 5, creatorId: 2, body: "x" },
      { postId: 6, creatorId: 2, body: "x", isDeleted: true },
      { postId: 7, creatorId: 1, body: "x" },
    ],
  });
  await db.note.create({ data: { postId: 8, creatorId: 3, x: 0, y: 0, width: 5, height: 5, body: "x" } });
  await db.artistCommentary.create({
    data: { postId: 2, originalTitle: "x", updatedAt: new Date(NOW.getTime() - HOUR) },
  });
  await db.artistCommentary.create({ data: { postId: 21, originalTitle: "x", updatedAt: NOW } });
}
