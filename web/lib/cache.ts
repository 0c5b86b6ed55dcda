/** What changes and events say of other records than those that they answer: lists have what is new, and lose what is gone. */

/** A record in an answer, or none. */
type Entity = { __typename?: string } | null | undefined;
type Fields = Readonly<Record<string, unknown>>;

/** Of the normalized cache, what is used here. */
export interface Cache {
  keyOfEntity(entity: never): string | null;
  inspectFields(key: string): { fieldName: string; fieldKey: string; arguments?: Fields | null }[];
  resolve(key: string, fieldKey: string): unknown;
  link(key: string, fieldKey: string, list: string[]): void;
  invalidate(key: string, fieldKey: string): void;
}

/** Puts a record at the end of a list of its post, or takes it out of it. */
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

/** Notes stand newest first, and only those that are not deleted. */
const noteOf =
  (field: string, name?: string): Updater =>
  (result, _args, cache) => {
    const note = recordIn(result, field, name);
    keepIn(cache, "notes", note, note?.isActive === true, true);
  };
/** Comments stand oldest first; deleted ones stay, without their text. */
const commentOf =
  (field: string, name?: string): Updater =>
  (result, _args, cache) =>
    keepIn(cache, "comments", recordIn(result, field, name), true, false);

/** Has the lists of posts asked for anew where they are shown. */
const forgetPosts: Updater = (_result, _args, cache) => {
  for (const { fieldName, fieldKey } of cache.inspectFields("Query"))
    if (fieldName === "posts") cache.invalidate("Query", fieldKey);
};

/** Has the tags of edited posts asked for anew where they are shown. */
const forgetTags: Updater = (result, _args, cache) => {
  for (const post of (recordIn(result, "updatePosts")?.posts ?? []) as Entity[]) {
    const key = cache.keyOfEntity(post as never);
    if (!key) continue;
    for (const { fieldName, fieldKey } of cache.inspectFields(key))
      if (fieldName === "tags") cache.invalidate(key, fieldKey);
  }
};

/** So many pages of galleries are kept besides those that are rendered: the nearest to the one that came last. */
const MOST_PAGES = 5;

interface Listing {
  tags?: string | null;
  page?: string | null;
}

/** Pages that are rendered. */
const held = new Set<Listing>();

/** Keeps a page of a gallery in the cache. @returns ends it */
export function holdPage(page: Listing): () => void {
  held.add(page);
  return () => void held.delete(page);
}

const isSame = (one: Listing, other: Listing): boolean =>
  one.page === other.page && (one.tags ?? "") === (other.tags ?? "");
const isHeld = (page: Listing): boolean => [...held].some((each) => isSame(each, page));

/** Has the cache forget what lies far from the page of a gallery that has come. */
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

const byField = (fields: readonly string[], make: (field: string) => Updater) =>
  Object.fromEntries(fields.map((field) => [field, make(field)]));

export const updates = {
  Query: { posts: boundPages },
  Mutation: {
    updateSettings: forgetPosts,
    createUpload: forgetPosts,
    updatePosts: forgetTags,
    ...byField(["createNote", "updateNote", "deleteNote", "revertNote"], (field) => noteOf(field, "note")),
    ...byField(["createComment"], (field) => commentOf(field, "comment")),
  },
  Subscription: {
    ...byField(["noteChanged"], (field) => noteOf(field)),
    ...byField(["commentCreated"], (field) => commentOf(field)),
  },
};
