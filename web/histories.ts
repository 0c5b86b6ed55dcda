/** The records with a page of their edits, as data for server and browser. */

interface History {
  /** one record, and several */
  words: readonly [one: string, many: string];
  /** filters of the listing: the field of the GraphQL search by the name of the REST parameter */
  of: Readonly<Record<string, string>>;
  /** edits on each page; few where each may contain a long text twice, before and after */
  onPage: number;
}

export const HISTORIES = {
  post: { words: ["post", "posts"], of: { post_id: "postId" }, onPage: 20 },
  note: { words: ["note", "notes"], of: { note_id: "noteId", post_id: "postId" }, onPage: 20 },
  pool: { words: ["pool", "pools"], of: { pool_id: "poolId" }, onPage: 10 },
  wiki_page: { words: ["wiki page", "wiki pages"], of: { wiki_page_id: "wikiPageId" }, onPage: 5 },
  artist: { words: ["artist", "artists"], of: { artist_id: "artistId" }, onPage: 20 },
  artist_commentary: {
    words: ["commentary", "commentaries"],
    of: { artist_commentary_id: "artistCommentaryId", post_id: "postId" },
    onPage: 5,
  },
  favorite_group: {
    words: ["favorite group", "favorite groups"],
    of: { favorite_group_id: "favoriteGroupId" },
    onPage: 10,
  },
} as const satisfies Readonly<Record<string, History>>;

export type HistoryName = keyof typeof HISTORIES;
export const HISTORY_NAMES = Object.keys(HISTORIES) as HistoryName[];

/** The kind of records whose edits a page lists; undefined for other pages. */
export const historyOf = (page: string): HistoryName | undefined =>
  HISTORY_NAMES.find((name) => page === `${name}_versions`);

const MAX_ID = 2_147_483_647;
/** An id in a URL; 0, which no record has, for one that is too large. */
export const idOf = (text = ""): number => (Number(text) <= MAX_ID ? Number(text) : 0);

/** The page of a list in a query: its number, or `b` and the id before which it begins; 1 if there is none or it is invalid. */
export const pageOf = (query: URLSearchParams): string => {
  const text = query.get("page") ?? "";
  return /^(?:[1-9]|b\d)\d*$/.test(text) ? text : "1";
};

/** The page before one by number, and the first before one by id; null before the first. */
export const pageBefore = (page: string): string | null => {
  if (page === "1") return null;
  return page.startsWith("b") ? "1" : String(Number(page) - 1);
};

const parameter = (name: string): string => `search[${name}]`;
const BY = parameter("updater_name");

/** The id by which a query filters a listing. */
function idIn(query: URLSearchParams, name: string): number | null {
  const text = query.get(parameter(name)) ?? "";
  return /^\d+$/.test(text) ? idOf(text) : null;
}

/** The id of the record whose edits are listed; null if they are of several. */
export const recordOf = (name: HistoryName, query: URLSearchParams): number | null => idIn(query, `${name}_id`);

/** Whether the newest versions of the listed records are among the first ones. */
export const hasNewest = (query: URLSearchParams): boolean => pageOf(query) === "1" && query.get(BY) === null;

/** Variables of the document of a history page. */
export function versionsVariables(name: HistoryName, query: URLSearchParams) {
  const { of, onPage } = HISTORIES[name];
  const narrowed = Object.entries(of).flatMap(([each, field]) => {
    const id = idIn(query, each);
    return id === null ? [] : [[field, [id]] as const];
  });
  const by = query.get(BY);
  const search = { ...Object.fromEntries(narrowed), ...(by === null ? {} : { updaterName: by }) };
  return { search, first: onPage, page: pageOf(query) };
}

/** URL of a history page. @param of its filters: the query of such a page, or ids by parameter, as `{ post_id: 1 }` */
export function versionsUrl(
  name: HistoryName,
  of: URLSearchParams | Readonly<Record<string, number>> = {},
  page = "1",
): string {
  const query =
    of instanceof URLSearchParams
      ? new URLSearchParams(of)
      : new URLSearchParams(Object.entries(of).map(([each, id]): [string, string] => [parameter(each), String(id)]));
  query.delete("page");
  if (page !== "1") query.set("page", page);
  return query.size > 0 ? `/${name}_versions?${query.toString()}` : `/${name}_versions`;
}

/** "History of post 1", "Edits of notes on post 1 by mira". */
export function versionsTitle(name: HistoryName, query: URLSearchParams): string {
  const [one, many] = HISTORIES[name].words;
  const record = recordOf(name, query);
  const post = name === "post" ? null : idIn(query, "post_id");
  const of =
    record === null ? `Edits of ${many}${post === null ? "" : ` on post ${post}`}` : `History of ${one} ${record}`;
  const by = query.get(BY);
  return by === null ? of : `${of} by ${by}`;
}
