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

/** So many pages of galleries are kept: those nearest to the one that came last. */
const MOST_PAGES = 30;

interface Listing {
  tags?: string | null;
  page?: string | null;
}

/** Has the cache forget what lies far from the page of a gallery that has come. */
const boundPages: Updater = (_result, args, cache) => {
  const here = args as Listing;
  const far = ({ arguments: of }: { arguments?: Listing | null }) =>
    (of?.tags ?? "") === (here.tags ?? "") ? Math.abs(Number(of?.page) - Number(here.page)) : Infinity;
  const isPage = (of?: Listing | null) => typeof of?.page === "string";
  if (!isPage(here)) return;
  const pages = cache
    .inspectFields("Query")
    .filter(({ fieldName, arguments: of }) => fieldName === "posts" && isPage(of));
  for (const { fieldKey } of pages.toSorted((one, other) => far(one) - far(other)).slice(MOST_PAGES))
    cache.invalidate("Query", fieldKey);
};

const byField = (fields: readonly string[], make: (field: string) => Updater) =>
  Object.fromEntries(fields.map((field) => [field, make(field)]));

export const updates = {
  Query: { posts: boundPages },
  Mutation: {
    updateSettings: forgetPosts,
    createUpload: forgetPosts,
    ...byField(["createNote", "updateNote", "deleteNote", "revertNote"], (field) => noteOf(field, "note")),
    ...byField(["createComment"], (field) => commentOf(field, "comment")),
  },
  Subscription: {
    ...byField(["noteChanged"], (field) => noteOf(field)),
    ...byField(["commentCreated"], (field) => commentOf(field)),
  },
};
