/** The loaders of one request, which fetch in one statement what many records need. */
import DataLoader from "dataloader";
import { ANONYMOUS, isSignedIn, type Viewer } from "../src/runtime/auth/viewer.js";
import type { Board } from "../src/board.js";
import { upperFirst } from "../src/lib/case.js";
import { isStamped, type PostRecord, type PostRef } from "../src/resources/posts/post.records.js";
import { type RowOf, ROWS } from "../src/resources/registry.js";
import { HISTORIES, type Version } from "../src/resources/histories.js";

/** Records by id, or another key; null for an unknown one. */
const byId = <T, Key = number>(fetch: (keys: readonly Key[]) => Promise<Map<Key, T>>): DataLoader<Key, T | null> =>
  new DataLoader(async (keys) => {
    const found = await fetch(keys);
    return keys.map((key) => found.get(key) ?? null);
  });

/** The first records that belong to another one. */
export interface OwnerWanted {
  ownerId: number;
  limit: number;
}

interface TagsWanted {
  post: PostRecord;
  limit: number;
}

/** Loads lists of records by their owner. */
export type OwnerLoader<T> = DataLoader<OwnerWanted, T[], string>;

/** Fetches up to `limit` records of each owner; owners without any may be absent. */
type FetchLists<T> = (ownerIds: readonly number[], limit: number) => Promise<Map<number, T[]>>;

/**
 * Loads the lists of all owners together, each with the largest requested length.
 * @param take truncates a list to a smaller limit; keeps the first records by default
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

/** Groups records, fetched for all owners by one statement, by the field with their owner's id. */
const by =
  <Owner extends string>(owner: Owner) =>
  <T extends Record<Owner, number>>(
    fetch: (ownerIds: readonly number[], limit: number) => Promise<T[]>,
  ): FetchLists<T> =>
  async (ownerIds, limit) => {
    const found = new Map<number, T[]>(ownerIds.map((id) => [id, []]));
    for (const record of await fetch(ownerIds, limit)) found.get(record[owner])?.push(record);
    return found;
  };
const byPost = by("postId");

/** For records that several owners share: the ids of each owner's records are fetched first, then all records. */
const shared =
  <T>(idsOf: FetchLists<number>, byIds: (ids: readonly number[]) => Promise<Map<number, T>>): FetchLists<T> =>
  async (ownerIds, limit) => {
    const ids = await idsOf(ownerIds, limit);
    const all = [...new Set([...ids.values()].flat())];
    const records = all.length > 0 ? await byIds(all) : new Map<number, T>();
    return new Map([...ids].map(([ownerId, own]) => [ownerId, own.flatMap((id) => records.get(id) ?? [])]));
  };

/** Loaders of records by id, under the name of the record. */
type RecordLoaders = {
  [Name in keyof RowOf]: Board[RowOf[Name]] extends { byIds: Find<infer Found> }
    ? DataLoader<number, Found | null>
    : never;
};
type Find<Found> = (ids: readonly number[], viewer: Viewer) => Promise<Map<number, Found>>;

type MakersOf<All> = { [Name in keyof All]: (board: Board, viewer: Viewer) => All[Name] };

const recordLoaders: MakersOf<RecordLoaders> = Object.fromEntries(
  Object.entries(ROWS).map(([name, row]) => [
    name,
    (board: Board, viewer: Viewer) => byId<object>((ids) => (board[row] as { byIds: Find<object> }).byIds(ids, viewer)),
  ]),
) as never;

/** Loaders of versions by id, and of the previous version by the id of the later one. */
type VersionLoaders = {
  [Name in keyof typeof HISTORIES as `${Name}Version` | `previous${Capitalize<Name>}Version`]: DataLoader<
    number,
    Version<Name> | null
  >;
};

const versionLoaders: MakersOf<VersionLoaders> = Object.fromEntries(
  Object.entries(HISTORIES).flatMap(([name, history]) => {
    const loads = (method: "byIds" | "previousOf") => (board: Board, viewer: Viewer) =>
      byId<object>((ids) => history[method](board.database, viewer, ids));
    return [
      [`${name}Version`, loads("byIds")],
      [`previous${upperFirst(name)}Version`, loads("previousOf")],
    ];
  }),
) as never;

const idsOfVersion = ({ tagIds, removedTagIds }: Version<"post">): number[] => [
  ...new Set([...tagIds, ...removedTagIds]),
];

/** The viewer's votes on these records, by record; a visitor has none. */
const votesBy = async (
  viewer: Viewer,
  service: Pick<Board["postVotes" | "commentVotes"], "castBy">,
  ids: readonly number[],
): Promise<Map<number, number>> => (isSignedIn(viewer) ? service.castBy(viewer.id, ids) : new Map());

const LOADERS = {
  ...recordLoaders,
  ...versionLoaders,
  userActivity: (board: Board) => byId((ids) => board.users.activities(ids)),
  artistUrls: (board: Board) => lists(by("artistId")((ids, limit) => board.artists.urlsOf(ids, limit))),
  /** the newest comments of a post, oldest first */
  postComments: (board: Board) =>
    lists(
      byPost((ids, limit) => board.comments.newestOfPosts(ids, limit)),
      (comments, limit) => comments.slice(-limit),
    ),
  forumTopicPosts: (board: Board, viewer: Viewer) =>
    lists(by("topicId")((ids, limit) => board.forumPosts.firstOfTopics(viewer, ids, limit))),
  noteVersions: (board: Board, viewer: Viewer) =>
    lists(by("noteId")((ids, limit) => HISTORIES.note.newestOf(board.database, viewer, ids, limit))),
  /** the first pools that a post is in, without deleted ones */
  postPools: (board: Board) =>
    lists(
      shared(
        (ids, limit) => board.pools.idsOfPosts(ids, limit),
        (ids) => board.pools.byIds(ids),
      ),
    ),
  /** the record of a post of which only id and revision were read; null if it was removed meanwhile */
  postRecord: (board: Board) => byId((ids) => board.posts.recordsOf(ids)),
  postAppeals: (board: Board) => lists(byPost((ids, limit) => board.postAppeals.newestOfPosts(ids, limit))),
  postFlags: (board: Board) => lists(byPost((ids, limit) => board.postFlags.newestOfPosts(ids, limit))),
  postCommentary: (board: Board) => byId((ids) => board.artistCommentaries.byPostIds(ids)),
  /** the newest favorites of a post that the viewer may see */
  postFavorites: (board: Board, viewer: Viewer) =>
    lists(byPost((ids, limit) => board.favorites.newestOfPosts(viewer, ids, limit))),
  postFavorited: (board: Board, viewer: Viewer) =>
    new DataLoader(async (ids: readonly number[]) => board.favorites.areFavoritesOf(viewer, ids)),
  /** the lines of the viewer's blacklist that match a post */
  postHiddenBy: (board: Board, viewer: Viewer) =>
    new DataLoader(async (posts: readonly PostRef[]) => board.blacklists.matching(viewer, posts), {
      cacheKeyFn: ({ id }: PostRef) => id,
    }),
  /** how the viewer voted on a comment: 1 or -1; null for not at all */
  commentVote: (board: Board, viewer: Viewer) => byId((ids) => votesBy(viewer, board.commentVotes, ids)),
  /** how the viewer voted on a post: 1 or -1; null for not at all */
  postVote: (board: Board, viewer: Viewer) => byId((ids) => votesBy(viewer, board.postVotes, ids)),
  /** the newest notes of a post that are not deleted */
  postNotes: (board: Board) => lists(byPost((ids, limit) => board.notes.newestOfPosts(ids, limit))),
  /** the first tags of a post by name */
  postTags: (board: Board) =>
    new DataLoader(
      async (wanted: readonly TagsWanted[]) => {
        const all = await board.tagCache.sortedIdsOf(wanted.map(({ post }) => post));
        const ids = all.map((each, index) => each.slice(0, wanted[index]?.limit));
        const [first] = wanted.flatMap(({ post }) => (isStamped(post) ? [post.snapshot] : []));
        const found = await board.tags.asOf(first ?? null, [...new Set(ids.flat())]);
        const tags = new Map(found.map((tag) => [tag.id, tag]));
        return ids.map((each) => each.flatMap((id) => tags.get(id) ?? []));
      },
      { cacheKeyFn: ({ post, limit }: TagsWanted) => `${post.id}:${limit}` },
    ),
  /** the names of a post's tags, sorted */
  postTagStrings: (board: Board) =>
    new DataLoader((posts: readonly PostRecord[]) => board.tagCache.stringsOf(posts), {
      cacheKeyFn: ({ id }: PostRecord) => id,
    }),
  postVersions: (board: Board, viewer: Viewer) =>
    lists(byPost((ids, limit) => HISTORIES.post.newestOf(board.database, viewer, ids, limit))),
  /** the tags of a version, and those that it removed */
  postVersionTags: (board: Board) =>
    new DataLoader(async (versions: readonly Version<"post">[]) => {
      const tags = await board.tags.byIds([...new Set(versions.flatMap(idsOfVersion))]);
      const tagsOf = (version: Version<"post">) => idsOfVersion(version).flatMap((id) => tags.get(id) ?? []);
      return versions.map((version) => tagsOf(version).sort((a, b) => (a.name < b.name ? -1 : 1)));
    }),
  tagByName: (board: Board) => byId((names: readonly string[]) => board.tags.byNames(names)),
};

export type Loaders = { [Name in keyof typeof LOADERS]: ReturnType<(typeof LOADERS)[Name]> };

/** Creates each loader on first use, since most requests need two or three. */
class LazyLoaders {
  constructor(
    private readonly board: Board,
    private readonly viewer: Viewer,
  ) {}

  static {
    for (const [name, make] of Object.entries(LOADERS) as [string, (board: Board, viewer: Viewer) => unknown][])
      Object.defineProperty(this.prototype, name, {
        get(this: LazyLoaders) {
          const value = make(this.board, this.viewer);
          Object.defineProperty(this, name, { value });
          return value;
        },
      });
  }
}

/** @param viewer loaders return only what this viewer may see */
export const createLoaders = (board: Board, viewer: Viewer = ANONYMOUS): Loaders =>
  new LazyLoaders(board, viewer) as unknown as Loaders;

export const clearLoaders = (loaders: Loaders): void => {
  for (const name of Object.getOwnPropertyNames(loaders))
    if (name in LOADERS) loaders[name as keyof Loaders].clearAll();
};
