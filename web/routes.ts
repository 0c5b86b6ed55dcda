/** Every page as data for server and browser: its path, and the variables of its document from the URL. */
import { HISTORY_NAMES, type HistoryName, idOf, pageBefore, pageOf, versionsVariables } from "./histories.js";

export { pageBefore, pageOf };

/** The history page of one kind of records. */
type HistoryPage = `${HistoryName}_versions`;
export type PageName = "gallery" | "post" | HistoryPage | "login" | "signup" | "recover" | "account" | "upload";

/** A parsed URL. */
export interface Place {
  page: PageName;
  /** ids and names in the path */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
}

interface Route {
  page: PageName;
  path: RegExp;
  /** of the page's document */
  variables: (place: Omit<Place, "page">) => Record<string, unknown>;
}

/** Posts on each page of a gallery. */
export const POSTS_A_PAGE = 40;

/** Variables of one page of a search. */
export const galleryVariables = (tags: string, page: string) => ({ tags, first: POSTS_A_PAGE, page });

/** Variables of a post, with the search in which it is shown. */
export const postVariables = (id: number, tags: string) => ({ id, tags });

export const routes: readonly Route[] = [
  {
    page: "gallery",
    path: /^\/(?:posts)?$/,
    variables: ({ query }) => galleryVariables(query.get("tags") ?? "", pageOf(query)),
  },
  {
    page: "post",
    path: /^\/posts\/(?<id>\d+)$/,
    variables: ({ params, query }) => postVariables(idOf(params.id), query.get("q") ?? ""),
  },
  ...HISTORY_NAMES.map((name): Route => ({
    page: `${name}_versions`,
    path: new RegExp(`^/${name}_versions$`),
    variables: ({ query }) => versionsVariables(name, query),
  })),
  { page: "login", path: /^\/login$/, variables: () => ({}) },
  { page: "signup", path: /^\/signup$/, variables: () => ({}) },
  { page: "recover", path: /^\/recover$/, variables: () => ({}) },
  { page: "upload", path: /^\/upload$/, variables: () => ({}) },
  { page: "account", path: /^\/account$/, variables: () => ({}) },
];

/** The page at a URL; null if there is none. @param url path and query */
export function placeOf(url: string): (Place & { variables: Record<string, unknown> }) | null {
  const [path = "", search = ""] = url.split("#", 1)[0]?.split(/\?(.*)/s) ?? [];
  for (const { page, path: pattern, variables } of routes) {
    const match = pattern.exec(path);
    if (!match) continue;
    const place = { page, params: { ...match.groups }, query: new URLSearchParams(search) };
    return { ...place, variables: variables(place) };
  }
  return null;
}

export const searchUrl = (tags: string, page = "1"): string => {
  const query = new URLSearchParams();
  if (tags.trim() !== "") query.set("tags", tags.trim());
  if (page !== "1") query.set("page", page);
  return query.size > 0 ? `/posts?${query.toString()}` : "/";
};

/** The terms of a search, all of which a post matches: words, values in quotes or with `\ `, groups; alternatives are one group. */
export function termsOf(search: string): string[] {
  const terms = search.match(/(?:(?<=\w:)(["'])(?:\\.|(?!\1).)*\1|\([^()]*\)|\\\s|\S)+/gs) ?? [];
  if (terms.some((each) => /^or$/i.test(each))) return [`(${search})`];
  return terms.filter((each) => !/^and$/i.test(each));
}

/** The search with another term, which replaces the same one with another operator. */
export const narrowed = (search: string, term: string): string =>
  termsOf(search)
    .filter((each) => each.replace(/^[-~]/, "") !== term.replace(/^-/, ""))
    .concat(term)
    .join(" ");

/** The term of a search that finds others each time. */
export const RANDOM = "order:random";

/** URL of a post. @param tags the search in which it is shown */
export const postUrl = (id: number, tags = ""): string =>
  tags.trim() === "" ? `/posts/${id}` : `/posts/${id}?${new URLSearchParams({ q: tags.trim() })}`;

/** The search of a user's posts, or with another meta-tag of their favorites: a value that begins with a quote is written in quotes. */
export const userSearch = (name: string, metatag = "user"): string =>
  `${metatag}:${/^["']/.test(name) ? JSON.stringify(name) : name}`;

/** The search of a pool's posts, in the order of the pool. */
export const poolSearch = (id: number): string => `ordpool:${id}`;
