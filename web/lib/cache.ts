/** How mutations and events change lists in the cache: new records are added, removed ones disappear. */

/** A record in a response, or null. */
type Entity = { __typename?: string } | null | undefined;
type Fields = Readonly<Record<string, unknown>>;

/** The part of the normalized cache that is used here. */
export interface Cache {
  keyOfEntity(entity: never): string | null;
  inspectFields(key: string): { fieldName: string; fieldKey: string; arguments?: Fields | null }[];
  resolve(key: string, fieldKey: string): unknown;
  link(key: string, fieldKey: string, list: string[]): void;
  invalidate(key: string, fieldKey: string): void;
}

/** Adds a record to a list of its post, or removes it. */
function keepIn(
  cache: Cache,
  field: string,
  record: (Fields & Entity) | undefined,
  isThere: boolean,
  isFirst: boolean,
) {
  const key = record && cache.keyOfEntity(record as never);
  if (!record || !key || typeof record.postId !== "number") return;
  const post = `Post:${record.postId}`;
  for (const { fieldName, fieldKey } of cache.inspectFields(post)) {
    const list = fieldName === field ? cache.resolve(post, fieldKey) : null;
    if (!Array.isArray(list) || (isThere && list.includes(key))) continue;
    const others = (list as string[]).filter((each) => each !== key);
    cache.link(post, fieldKey, isThere ? (isFirst ? [key, ...others] : [...others, key]) : others);
  }
}

interface Info {
  /** of the result */
  fieldName: string;
}
type Updater = (result: Fields, args: unknown, cache: Cache, info: Info) => void;

/** The record in the payload of a mutation, or an event that is the record itself. */
function recordIn(result: Fields, { fieldName }: Info, name: string): (Fields & Entity) | undefined {
  const found = result[fieldName] as Fields | null | undefined;
  return (found?.[name] ?? found) as (Fields & Entity) | undefined;
}

/** Notes are listed newest first, without deleted ones. */
const keepNote: Updater = (result, _args, cache, info) => {
  const note = recordIn(result, info, "note");
  keepIn(cache, "notes", note, note?.isActive === true, true);
};
/** Comments are listed oldest first; deleted ones stay, without their text. */
const keepComment: Updater = (result, _args, cache, info) =>
  keepIn(cache, "comments", recordIn(result, info, "comment"), true, false);

/** Invalidates the lists of posts, so that visible ones are queried again. */
const forgetPosts: Updater = (_result, _args, cache) => {
  for (const { fieldName, fieldKey } of cache.inspectFields("Query"))
    if (fieldName === "posts") cache.invalidate("Query", fieldKey);
};

/** Invalidates the tags of edited posts, so that visible ones are queried again. */
const forgetTags: Updater = (result, _args, cache, info) => {
  for (const post of (recordIn(result, info, "posts") ?? []) as Entity[]) {
    const key = cache.keyOfEntity(post as never);
    if (!key) continue;
    for (const { fieldName, fieldKey } of cache.inspectFields(key))
      if (fieldName === "tags") cache.invalidate(key, fieldKey);
  }
};

/** Number of gallery pages that are kept besides rendered ones: those nearest to the latest one. */
const MOST_PAGES = 5;

interface Listing {
  tags?: string | null;
  page?: string | null;
}

/** Rendered pages. */
const held = new Set<Listing>();

/** Keeps a page of a gallery in the cache. @returns releases it */
export function holdPage(page: Listing): () => void {
  held.add(page);
  return () => void held.delete(page);
}

const isSame = (one: Listing, other: Listing): boolean =>
  one.page === other.page && (one.tags ?? "") === (other.tags ?? "");
const isHeld = (page: Listing): boolean => [...held].some((each) => isSame(each, page));

/** Drops the pages farthest from the one that was just loaded. */
const boundPages: Updater = (_result, args, cache) => {
  const here = args as Listing;
  if (typeof here.page !== "string") return; // another list
  const distance = (page: Listing) =>
    (page.tags ?? "") === (here.tags ?? "") ? Math.abs(Number(page.page) - Number(here.page)) : Infinity;
  const pages = cache.inspectFields("Query").flatMap(({ fieldName, fieldKey, arguments: of }) => {
    const page: Listing = of ?? {};
    const isPage = fieldName === "posts" && typeof page.page === "string";
    return isPage && !isSame(page, here) && !isHeld(page) ? [{ fieldKey, far: distance(page) }] : [];
  });
  for (const { fieldKey } of pages.toSorted((one, other) => one.far - other.far).slice(MOST_PAGES))
    cache.invalidate("Query", fieldKey);
};

/** Number of posts that are kept with their lists: those beside the latest one, and the way back. */
const MOST_POSTS = 30;
/** Ids of the posts that came by themselves, the latest first. */
let latest: readonly number[] = [];

/** Drops what only the page of a post shows, of the one that came longest ago: its lists, each with the posts and comments in it. */
const boundPosts: Updater = (_result, args, cache) => {
  const { id } = args as { id: number };
  const all = [id, ...latest.filter((each) => each !== id)];
  latest = all.slice(0, MOST_POSTS);
  for (const left of all.slice(MOST_POSTS))
    for (const { fieldKey, arguments: of } of cache.inspectFields(`Post:${left}`))
      if (of) cache.invalidate(`Post:${left}`, fieldKey);
};

export const updates = {
  Query: { posts: boundPages, post: boundPosts },
  Mutation: {
    updateSettings: forgetPosts,
    createUpload: forgetPosts,
    updatePosts: forgetTags,
    createNote: keepNote,
    updateNote: keepNote,
    deleteNote: keepNote,
    revertNote: keepNote,
    createComment: keepComment,
  },
  Subscription: {
    noteChanged: keepNote,
    commentCreated: keepComment,
  },
};
