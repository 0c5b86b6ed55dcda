/** The loaders of one request: whatever many records need is fetched in one statement. */
import DataLoader from "dataloader";
import { ANONYMOUS, type Viewer } from "../src/auth/viewer.js";
import type { Board } from "../src/board.js";
import type { ArtistRecord, ArtistUrlRecord } from "../src/services/artist.records.js";
import type { ArtistVersionRecord } from "../src/services/artist.versions.js";
import type { ArtistCommentaryRecord } from "../src/services/artist-commentary.service.js";
import type { ArtistCommentaryVersionRecord } from "../src/services/artist-commentary.versions.js";
import type { BanRecord } from "../src/services/ban.service.js";
import type { CommentRecord } from "../src/services/comment.records.js";
import type { FavoriteRecord } from "../src/services/favorite.service.js";
import type { ForumPostRecord, ForumTopicRecord } from "../src/services/forum.records.js";
import type { ModActionRecord } from "../src/services/mod-action.js";
import type { NoteRecord } from "../src/services/note.service.js";
import type { NoteVersionRecord } from "../src/services/note.versions.js";
import type { PoolRecord } from "../src/services/pool.records.js";
import type { PoolVersionRecord } from "../src/services/pool.versions.js";
import type { PostAppealRecord } from "../src/services/post-appeal.service.js";
import type { PostFlagRecord } from "../src/services/post-flag.service.js";
import type { PostRecord } from "../src/services/post.records.js";
import type { PostVersionRecord } from "../src/services/post.versions.js";
import type { TagRelationRecord } from "../src/services/tag-relation.records.js";
import type { TagRecord } from "../src/services/tag.service.js";
import type { TagStrings } from "../src/tags/tag-cache.js";
import type { UploadRecord } from "../src/services/upload.service.js";
import type { UserActivity, UserRecord } from "../src/services/user.service.js";
import type { WikiPageRecord } from "../src/services/wiki-page.service.js";
import type { WikiPageVersionRecord } from "../src/services/wiki-page.versions.js";

/** Records by id; null for an unknown one. */
function byId<T>(fetch: (ids: readonly number[]) => Promise<Map<number, T>>): DataLoader<number, T | null> {
  return new DataLoader(async (ids) => {
    const found = await fetch(ids);
    return ids.map((id) => found.get(id) ?? null);
  });
}

/** The tags whose ids `idsOf` finds in each record, all records' tags in one statement, sorted by name. */
function tagsOf<T extends object>(board: Board, idsOf: (record: T) => readonly number[]): DataLoader<T, TagRecord[]> {
  return new DataLoader(async (records) => {
    const tags = await board.tags.byIds([...new Set(records.flatMap(idsOf))]);
    return records.map((record) =>
      idsOf(record)
        .flatMap((id) => tags.get(id) ?? [])
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
  });
}

/** So many of the newest comments of a post. */
export interface CommentsWanted {
  postId: number;
  limit: number;
}

/** All posts' comments in one statement, of each as many as the largest request wants. */
function commentsOf(board: Board): DataLoader<CommentsWanted, CommentRecord[], string> {
  const load = async (wanted: readonly CommentsWanted[]) => {
    const most = Math.max(...wanted.map(({ limit }) => limit));
    const ids = [...new Set(wanted.map(({ postId }) => postId))];
    const comments = await board.comments.newestOfPosts(ids, most);
    return wanted.map(({ postId, limit }) => comments.filter((comment) => comment.postId === postId).slice(-limit));
  };
  return new DataLoader(load, { cacheKeyFn: ({ postId, limit }) => `${postId}:${limit}` });
}

/** So many of the first posts of a topic. */
export interface ForumPostsWanted {
  topicId: number;
  limit: number;
}

/** All topics' posts at once, of each as many as the largest request wants. */
function forumPostsOf(board: Board, viewer: Viewer): DataLoader<ForumPostsWanted, ForumPostRecord[], string> {
  const load = async (wanted: readonly ForumPostsWanted[]) => {
    const most = Math.max(...wanted.map(({ limit }) => limit));
    const ids = [...new Set(wanted.map(({ topicId }) => topicId))];
    const posts = await board.forumPosts.firstOfTopics(viewer, ids, most);
    return wanted.map(({ topicId, limit }) => posts.filter((post) => post.topicId === topicId).slice(0, limit));
  };
  return new DataLoader(load, { cacheKeyFn: ({ topicId, limit }) => `${topicId}:${limit}` });
}

/** So many of the newest records of a parent. */
export interface NewestWanted {
  parentId: number;
  limit: number;
}

/** All parents' newest records in one statement, of each as many as the largest request wants; newest first. */
function newestOf<T>(
  fetch: (parentIds: readonly number[], limit: number) => Promise<T[]>,
  parentOf: (record: T) => number,
): DataLoader<NewestWanted, T[], string> {
  const load = async (wanted: readonly NewestWanted[]) => {
    const most = Math.max(...wanted.map(({ limit }) => limit));
    const records = await fetch([...new Set(wanted.map(({ parentId }) => parentId))], most);
    const ofParent = new Map<number, T[]>(wanted.map(({ parentId }) => [parentId, []]));
    for (const record of records) ofParent.get(parentOf(record))?.push(record);
    return wanted.map(({ parentId, limit }) => (ofParent.get(parentId) ?? []).slice(0, limit));
  };
  return new DataLoader(load, { cacheKeyFn: ({ parentId, limit }) => `${parentId}:${limit}` });
}

/** All posts' pools: which they are in one statement, the pools themselves in another. */
function poolsOf(board: Board): DataLoader<number, PoolRecord[]> {
  return new DataLoader(async (postIds) => {
    const idsOf = await board.pools.idsOfPosts(postIds);
    const pools = await board.pools.byIds([...new Set([...idsOf.values()].flat())]);
    return postIds.map((postId) => (idsOf.get(postId) ?? []).flatMap((id) => pools.get(id) ?? []));
  });
}

/** What belongs to a post, all posts' in one statement. */
function ofPosts<T extends { postId: number }>(
  fetch: (postIds: readonly number[]) => Promise<T[]>,
): DataLoader<number, T[]> {
  return new DataLoader(async (postIds) => {
    const records = await fetch(postIds);
    return postIds.map((postId) => records.filter((record) => record.postId === postId));
  });
}

export interface Loaders {
  user: DataLoader<number, UserRecord | null>;
  userActivity: DataLoader<number, UserActivity | null>;
  artist: DataLoader<number, ArtistRecord | null>;
  artistCommentary: DataLoader<number, ArtistCommentaryRecord | null>;
  artistCommentaryVersion: DataLoader<number, ArtistCommentaryVersionRecord | null>;
  /** the URLs of the artist of this id */
  artistUrls: DataLoader<number, ArtistUrlRecord[]>;
  artistVersion: DataLoader<number, ArtistVersionRecord | null>;
  ban: DataLoader<number, BanRecord | null>;
  comment: DataLoader<number, CommentRecord | null>;
  /** the newest comments of a post, oldest first */
  postComments: DataLoader<CommentsWanted, CommentRecord[], string>;
  forumPost: DataLoader<number, ForumPostRecord | null>;
  forumTopic: DataLoader<number, ForumTopicRecord | null>;
  forumTopicPosts: DataLoader<ForumPostsWanted, ForumPostRecord[], string>;
  modAction: DataLoader<number, ModActionRecord | null>;
  note: DataLoader<number, NoteRecord | null>;
  noteVersion: DataLoader<number, NoteVersionRecord | null>;
  /** the newest versions of a note */
  noteVersions: DataLoader<NewestWanted, NoteVersionRecord[], string>;
  pool: DataLoader<number, PoolRecord | null>;
  poolVersion: DataLoader<number, PoolVersionRecord | null>;
  /** the pools that the post of this id is in, deleted ones apart */
  postPools: DataLoader<number, PoolRecord[]>;
  post: DataLoader<number, PostRecord | null>;
  postAppeal: DataLoader<number, PostAppealRecord | null>;
  /** the appeals for the post of this id, newest first */
  postAppeals: DataLoader<number, PostAppealRecord[]>;
  postFlag: DataLoader<number, PostFlagRecord | null>;
  /** the flags of the post of this id, newest first */
  postFlags: DataLoader<number, PostFlagRecord[]>;
  /** the commentary of the post of this id */
  postCommentary: DataLoader<number, ArtistCommentaryRecord | null>;
  /** the newest favorites of a post that the viewer may see */
  postFavorites: DataLoader<NewestWanted, FavoriteRecord[], string>;
  /** the newest notes of a post that are not deleted */
  postNotes: DataLoader<NewestWanted, NoteRecord[], string>;
  postTags: DataLoader<PostRecord, TagRecord[]>;
  /** the names of a post's tags, by name */
  postTagStrings: DataLoader<PostRecord, TagStrings>;
  upload: DataLoader<number, UploadRecord | null>;
  postVersion: DataLoader<number, PostVersionRecord | null>;
  /** the newest versions of a post */
  postVersions: DataLoader<NewestWanted, PostVersionRecord[], string>;
  /** the tags of a version, of the change that it records, and of its post today */
  postVersionTags: DataLoader<PostVersionRecord, TagRecord[]>;
  tag: DataLoader<number, TagRecord | null>;
  tagByName: DataLoader<string, TagRecord | null>;
  tagAlias: DataLoader<number, TagRelationRecord | null>;
  tagImplication: DataLoader<number, TagRelationRecord | null>;
  wikiPage: DataLoader<number, WikiPageRecord | null>;
  wikiPageVersion: DataLoader<number, WikiPageVersionRecord | null>;
}

const idsOfVersion = (version: PostVersionRecord): number[] => [
  ...new Set([...version.tagIds, ...version.removedTagIds]),
];

/** @param viewer whose request it is: what others may not see is not loaded for them */
export const createLoaders = (board: Board, viewer: Viewer = ANONYMOUS): Loaders => ({
  user: byId((ids) => board.users.byIds(ids)),
  userActivity: byId((ids) => board.users.activities(ids)),
  artist: byId((ids) => board.artists.byIds(ids)),
  artistCommentary: byId((ids) => board.artistCommentaries.byIds(ids)),
  artistCommentaryVersion: byId((ids) => board.artistCommentaryVersions.byIds(ids)),
  artistUrls: new DataLoader(async (ids) => {
    const urls = await board.artists.urlsOf(ids);
    return ids.map((id) => urls.get(id) ?? []);
  }),
  artistVersion: byId((ids) => board.artistVersions.byIds(ids)),
  ban: byId((ids) => board.bans.byIds(ids)),
  comment: byId((ids) => board.comments.byIds(ids)),
  postComments: commentsOf(board),
  forumPost: byId((ids) => board.forumPosts.byIds(viewer, ids)),
  forumTopic: byId((ids) => board.forumTopics.byIds(viewer, ids)),
  forumTopicPosts: forumPostsOf(board, viewer),
  modAction: byId((ids) => board.modActions.byIds(viewer, ids)),
  note: byId((ids) => board.notes.byIds(ids)),
  noteVersion: byId((ids) => board.noteVersions.byIds(ids)),
  noteVersions: newestOf(
    (ids, limit) => board.noteVersions.newestOfNotes(ids, limit),
    (version) => version.noteId,
  ),
  pool: byId((ids) => board.pools.byIds(ids)),
  poolVersion: byId((ids) => board.poolVersions.byIds(ids)),
  postPools: poolsOf(board),
  post: byId((ids) => board.posts.byIds(ids)),
  postAppeal: byId((ids) => board.postAppeals.byIds(ids)),
  postAppeals: ofPosts((ids) => board.postAppeals.ofPosts(ids)),
  postFlag: byId((ids) => board.postFlags.byIds(ids)),
  postFlags: ofPosts((ids) => board.postFlags.ofPosts(ids)),
  postCommentary: byId((ids) => board.artistCommentaries.byPostIds(ids)),
  postFavorites: newestOf(
    (ids, limit) => board.favorites.newestOfPosts(viewer, ids, limit),
    (favorite) => favorite.postId,
  ),
  postNotes: newestOf(
    (ids, limit) => board.notes.newestOfPosts(ids, limit),
    (note) => note.postId,
  ),
  postTags: tagsOf(board, (post) => post.tagIds),
  postTagStrings: new DataLoader((posts) => board.tagCache.stringsOf(posts)),
  upload: byId((ids) => board.uploads.byIds(ids)),
  postVersion: byId((ids) => board.postVersions.byIds(ids)),
  postVersions: newestOf(
    (ids, limit) => board.postVersions.newestOfPosts(ids, limit),
    (version) => version.postId,
  ),
  postVersionTags: tagsOf(board, idsOfVersion),
  tag: byId((ids) => board.tags.byIds(ids)),
  tagByName: new DataLoader(async (names) => {
    const tags = await board.tags.byNames(names);
    return names.map((name) => tags.get(name) ?? null);
  }),
  tagAlias: byId((ids) => board.tagAliases.byIds(ids)),
  tagImplication: byId((ids) => board.tagImplications.byIds(ids)),
  wikiPage: byId((ids) => board.wikiPages.byIds(ids)),
  wikiPageVersion: byId((ids) => board.wikiPageVersions.byIds(ids)),
});

/** Forgets everything that was loaded. */
export const clearLoaders = (loaders: Loaders): void => {
  for (const loader of Object.values(loaders) as { clearAll(): unknown }[]) loader.clearAll();
};
