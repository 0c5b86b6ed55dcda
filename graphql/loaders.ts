/** The loaders of one request: whatever many records need is fetched in one statement. */
import DataLoader from "dataloader";
import { ANONYMOUS, type Viewer } from "../src/runtime/auth/viewer.js";
import type { Board } from "../src/board.js";
import type { ArtistRecord, ArtistUrlRecord } from "../src/resources/artists/artist.records.js";
import type { ArtistVersionRecord } from "../src/resources/artists/artist.versions.js";
import type { ArtistCommentaryRecord } from "../src/resources/artist-commentaries/artist-commentary.service.js";
import type { ArtistCommentaryVersionRecord } from "../src/resources/artist-commentaries/artist-commentary.versions.js";
import type { BanRecord } from "../src/resources/bans/ban.service.js";
import type { CommentRecord } from "../src/resources/comments/comment.records.js";
import type { FavoriteRecord } from "../src/resources/favorites/favorite.service.js";
import type { ForumPostRecord, ForumTopicRecord } from "../src/resources/forum/forum.records.js";
import type { ModActionRecord } from "../src/resources/mod-actions/mod-action.js";
import type { NoteRecord } from "../src/resources/notes/note.service.js";
import type { NoteVersionRecord } from "../src/resources/notes/note.versions.js";
import type { PoolRecord } from "../src/resources/pools/pool.records.js";
import type { PoolVersionRecord } from "../src/resources/pools/pool.versions.js";
import type { PostAppealRecord } from "../src/resources/post-appeals/post-appeal.service.js";
import type { PostFlagRecord } from "../src/resources/post-flags/post-flag.service.js";
import type { PostRecord } from "../src/resources/posts/post.records.js";
import type { PostVersionRecord } from "../src/resources/posts/post.versions.js";
import type { TagRelationRecord } from "../src/resources/tag-relations/tag-relation.records.js";
import type { TagRecord } from "../src/resources/tags/tag.service.js";
import type { TagStrings } from "../src/tagging/tag-cache.js";
import type { UploadRecord } from "../src/resources/uploads/upload.service.js";
import type { UserActivity, UserRecord } from "../src/resources/users/user.service.js";
import type { WikiPageRecord } from "../src/resources/wiki-pages/wiki-page.service.js";
import type { WikiPageVersionRecord } from "../src/resources/wiki-pages/wiki-page.versions.js";

/** Records by id; null for an unknown one. */
function byId<T>(fetch: (ids: readonly number[]) => Promise<Map<number, T>>): DataLoader<number, T | null> {
  return new DataLoader(async (ids) => {
    const found = await fetch(ids);
    return ids.map((id) => found.get(id) ?? null);
  });
}

/**
 * The tags whose ids `idsOf` finds in each record, all records' tags in one statement, sorted by name. They are sorted once
 * for all records, by a number each: to compare names again for each record takes twice as long.
 */
function tagsOf<T extends object>(board: Board, idsOf: (record: T) => readonly number[]): DataLoader<T, TagRecord[]> {
  return new DataLoader(async (records) => {
    const tags = await board.tags.byIds([...new Set(records.flatMap(idsOf))]);
    const sorted = [...tags.values()].sort(byName);
    const placeOf = new Map(sorted.map(({ id }, place) => [id, place]));
    return records.map((record) => {
      const places = idsOf(record).flatMap((id) => placeOf.get(id) ?? []);
      return [...Uint32Array.from(places).sort()].flatMap((place) => sorted[place] ?? []);
    });
  });
}

const byName = (a: TagRecord, b: TagRecord): number => (a.name < b.name ? -1 : 1);

/** So many of the records that belong to another one. */
export interface OwnerWanted {
  ownerId: number;
  limit: number;
}

/** Lists of what belongs to other records. */
export type OwnerLoader<T> = DataLoader<OwnerWanted, T[], string>;

/** Of each owner at most so many records; owners without any may be absent. */
type FetchLists<T> = (ownerIds: readonly number[], limit: number) => Promise<Map<number, T[]>>;

/**
 * Lists of what belongs to records, all owners' at once, of each as many as the largest request wants.
 * @param take what a request of a smaller limit gets of them; the first ones by default
 */
function lists<T>(
  fetch: FetchLists<T>,
  take: (records: T[], limit: number) => T[] = (records, limit) => records.slice(0, limit),
): OwnerLoader<T> {
  const load = async (wanted: readonly OwnerWanted[]) => {
    const most = Math.max(...wanted.map(({ limit }) => limit));
    const found = await fetch([...new Set(wanted.map(({ ownerId }) => ownerId))], most);
    return wanted.map(({ ownerId, limit }) => take(found.get(ownerId) ?? [], limit));
  };
  return new DataLoader(load, { cacheKeyFn: ({ ownerId, limit }) => `${ownerId}:${limit}` });
}

/** Lists out of one statement that gives the records of all owners, each with the number of its owner. */
const byOwner =
  <T>(
    fetch: (ownerIds: readonly number[], limit: number) => Promise<T[]>,
    ownerOf: (record: T) => number,
  ): FetchLists<T> =>
  async (ownerIds, limit) => {
    const found = new Map<number, T[]>(ownerIds.map((id) => [id, []]));
    for (const record of await fetch(ownerIds, limit)) found.get(ownerOf(record))?.push(record);
    return found;
  };

const byPost = <T extends { postId: number }>(fetch: (postIds: readonly number[], limit: number) => Promise<T[]>) =>
  byOwner(fetch, ({ postId }) => postId);

/** Lists of what several owners share: the numbers of each owner's records in one statement, the records in another. */
const shared =
  <T>(idsOf: FetchLists<number>, byIds: (ids: readonly number[]) => Promise<Map<number, T>>): FetchLists<T> =>
  async (ownerIds, limit) => {
    const ids = await idsOf(ownerIds, limit);
    const records = await byIds([...new Set([...ids.values()].flat())]);
    return new Map([...ids].map(([ownerId, own]) => [ownerId, own.flatMap((id) => records.get(id) ?? [])]));
  };

export interface Loaders {
  user: DataLoader<number, UserRecord | null>;
  userActivity: DataLoader<number, UserActivity | null>;
  artist: DataLoader<number, ArtistRecord | null>;
  artistCommentary: DataLoader<number, ArtistCommentaryRecord | null>;
  artistCommentaryVersion: DataLoader<number, ArtistCommentaryVersionRecord | null>;
  /** the first URLs of an artist */
  artistUrls: OwnerLoader<ArtistUrlRecord>;
  artistVersion: DataLoader<number, ArtistVersionRecord | null>;
  ban: DataLoader<number, BanRecord | null>;
  comment: DataLoader<number, CommentRecord | null>;
  /** the newest comments of a post, oldest first */
  postComments: OwnerLoader<CommentRecord>;
  forumPost: DataLoader<number, ForumPostRecord | null>;
  forumTopic: DataLoader<number, ForumTopicRecord | null>;
  forumTopicPosts: OwnerLoader<ForumPostRecord>;
  modAction: DataLoader<number, ModActionRecord | null>;
  note: DataLoader<number, NoteRecord | null>;
  noteVersion: DataLoader<number, NoteVersionRecord | null>;
  /** the newest versions of a note */
  noteVersions: OwnerLoader<NoteVersionRecord>;
  pool: DataLoader<number, PoolRecord | null>;
  poolVersion: DataLoader<number, PoolVersionRecord | null>;
  /** the first pools that a post is in, deleted ones apart */
  postPools: OwnerLoader<PoolRecord>;
  post: DataLoader<number, PostRecord | null>;
  postAppeal: DataLoader<number, PostAppealRecord | null>;
  /** the newest appeals for a post */
  postAppeals: OwnerLoader<PostAppealRecord>;
  postFlag: DataLoader<number, PostFlagRecord | null>;
  /** the newest flags of a post */
  postFlags: OwnerLoader<PostFlagRecord>;
  /** the commentary of the post of this id */
  postCommentary: DataLoader<number, ArtistCommentaryRecord | null>;
  /** the newest favorites of a post that the viewer may see */
  postFavorites: OwnerLoader<FavoriteRecord>;
  /** the newest notes of a post that are not deleted */
  postNotes: OwnerLoader<NoteRecord>;
  /** the first tags of a post by name */
  postTags: OwnerLoader<TagRecord>;
  /** the names of a post's tags, by name */
  postTagStrings: DataLoader<PostRecord, TagStrings, number>;
  upload: DataLoader<number, UploadRecord | null>;
  postVersion: DataLoader<number, PostVersionRecord | null>;
  /** the newest versions of a post */
  postVersions: OwnerLoader<PostVersionRecord>;
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
  artistUrls: lists(
    byOwner(
      (ids, limit) => board.artists.urlsOf(ids, limit),
      (url) => url.artistId,
    ),
  ),
  artistVersion: byId((ids) => board.artistVersions.byIds(ids)),
  ban: byId((ids) => board.bans.byIds(ids)),
  comment: byId((ids) => board.comments.byIds(ids)),
  postComments: lists(
    byPost((ids, limit) => board.comments.newestOfPosts(ids, limit)),
    (comments, limit) => comments.slice(-limit),
  ),
  forumPost: byId((ids) => board.forumPosts.byIds(viewer, ids)),
  forumTopic: byId((ids) => board.forumTopics.byIds(viewer, ids)),
  forumTopicPosts: lists(
    byOwner(
      (ids, limit) => board.forumPosts.firstOfTopics(viewer, ids, limit),
      (post) => post.topicId,
    ),
  ),
  modAction: byId((ids) => board.modActions.byIds(viewer, ids)),
  note: byId((ids) => board.notes.byIds(ids)),
  noteVersion: byId((ids) => board.noteVersions.byIds(ids)),
  noteVersions: lists(
    byOwner(
      (ids, limit) => board.noteVersions.newestOfNotes(ids, limit),
      (version) => version.noteId,
    ),
  ),
  pool: byId((ids) => board.pools.byIds(ids)),
  poolVersion: byId((ids) => board.poolVersions.byIds(ids)),
  postPools: lists(
    shared(
      (ids, limit) => board.pools.idsOfPosts(ids, limit),
      (ids) => board.pools.byIds(ids),
    ),
  ),
  post: byId((ids) => board.posts.byIds(ids)),
  postAppeal: byId((ids) => board.postAppeals.byIds(ids)),
  postAppeals: lists(byPost((ids, limit) => board.postAppeals.newestOfPosts(ids, limit))),
  postFlag: byId((ids) => board.postFlags.byIds(ids)),
  postFlags: lists(byPost((ids, limit) => board.postFlags.newestOfPosts(ids, limit))),
  postCommentary: byId((ids) => board.artistCommentaries.byPostIds(ids)),
  postFavorites: lists(byPost((ids, limit) => board.favorites.newestOfPosts(viewer, ids, limit))),
  postNotes: lists(byPost((ids, limit) => board.notes.newestOfPosts(ids, limit))),
  postTags: lists(
    shared(
      (ids, limit) => board.tags.idsOfPosts(ids, limit),
      (ids) => board.tags.byIds(ids),
    ),
  ),
  postTagStrings: new DataLoader((posts) => board.tagCache.stringsOf(posts), { cacheKeyFn: ({ id }) => id }),
  upload: byId((ids) => board.uploads.byIds(ids)),
  postVersion: byId((ids) => board.postVersions.byIds(ids)),
  postVersions: lists(byPost((ids, limit) => board.postVersions.newestOfPosts(ids, limit))),
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
