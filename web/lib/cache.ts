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

type Updater = (result: Fields, args: unknown, cache: Cache) => void;
const recordIn = (result: Fields, field: string, name?: string): (Fields & Entity) | undefined => {
  const found = result[field] as Fields | null | undefined;
  return (name ? found?.[name] : found) as (Fields & Entity) | undefined;
};

/** Notes are listed newest first, without deleted ones. */
const noteOf =
  (field: string, name?: string): Updater =>
  (result, _args, cache) => {
    const note = recordIn(result, field, name);
    keepIn(cache, "notes", note, note?.isActive === true, true);
  };
/** Comments are listed oldest first; deleted ones stay, without their text. */
const commentOf =
  (field: string, name?: string): Updater =>
  (result, _args, cache) =>
    keepIn(cache, "comments", recordIn(result, field, name), true, false);

/** Invalidates the lists of posts, so that visible ones are queried again. */
const forgetPosts: Updater = (_result, _args, cache) => {
  for (const { fieldName, fieldKey } of cache.inspectFields("Query"))
    if (fieldName === "posts") cache.invalidate("Query", fieldKey);
};

/** Invalidates the tags of edited posts, so that visible ones are queried again. */
const forgetTags: Updater = (result, _args, cache) => {
  for (const post of (recordIn(result, "updatePosts")?.posts ?? []) as Entity[]) {
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
/** Ids of the posts that came by themselves, the latest last. */
const latest = new Set<number>();

/** Drops what only the page of a post shows, of the one that came longest ago: its lists, each with the posts and comments in it. */
const boundPosts: Updater = (_result, args, cache) => {
  const { id } = args as { id: number };
  latest.delete(id);
  const [oldest = id] = latest;
  if (latest.add(id).size <= MOST_POSTS) return;
  latest.delete(oldest);
  const key = `Post:${oldest}`;
  for (const { fieldKey, arguments: of } of cache.inspectFields(key)) if (of) cache.invalidate(key, fieldKey);
};

export const updates = {
  Query: { posts: boundPages, post: boundPosts },
  Mutation: {
    updateSettings: forgetPosts,
    createUpload: forgetPosts,
    updatePosts: forgetTags,
    createNote: noteOf("createNote", "note"),
    updateNote: noteOf("updateNote", "note"),
    deleteNote: noteOf("deleteNote", "note"),
    revertNote: noteOf("revertNote", "note"),
    createComment: commentOf("createComment", "comment"),
  },
  Subscription: {
    noteChanged: noteOf("noteChanged"),
    commentCreated: commentOf("commentCreated"),
  },
};
