/** Every page as data, for server and browser alike: its path, and what its document asks for, out of the URL. */

export type PageName = "gallery" | "post" | "post-versions" | "login" | "signup" | "account" | "upload";

/** An address taken apart. */
export interface Place {
  page: PageName;
  /** numbers and names in the path */
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

const MAX_ID = 2_147_483_647;
/** A number in a path; 0, which no record has, for one that is too large. */
const idOf = (text = ""): number => (Number(text) <= MAX_ID ? Number(text) : 0);

/** The number of a page in a query; 1 for what is none. */
export const pageOf = (query: URLSearchParams): number => {
  const text = query.get("page") ?? "";
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 1;
};

/** Variables of one page of a search. */
export const galleryVariables = (tags: string, page: number) => ({ tags, first: POSTS_A_PAGE, page: String(page) });

/** Variables of a post, with the search in which it is looked at. */
export const postVariables = (id: number, tags: string) => ({ id, tags });

/** Edits on each page of a history. */
const VERSIONS_A_PAGE = 20;
const [OF_POST, BY] = ["search[post_id]", "search[updater_name]"] as const;

/** Variables of one page of the edits of a post, of a user, or of all. */
export function versionsVariables(query: URLSearchParams) {
  const postId = query.get(OF_POST) ?? "";
  return {
    postId: /^\d+$/.test(postId) ? [idOf(postId)] : null,
    updaterName: query.get(BY),
    first: VERSIONS_A_PAGE,
    page: String(pageOf(query)),
  };
}

export const routes: readonly Route[] = [
  {
    page: "gallery",
    path: /^\/(?:posts\/?)?$/,
    variables: ({ query }) => galleryVariables(query.get("tags") ?? "", pageOf(query)),
  },
  {
    page: "post",
    path: /^\/posts\/(?<id>\d+)$/,
    variables: ({ params, query }) => postVariables(idOf(params.id), query.get("q") ?? ""),
  },
  { page: "post-versions", path: /^\/post_versions$/, variables: ({ query }) => versionsVariables(query) },
  { page: "login", path: /^\/login$/, variables: () => ({}) },
  { page: "signup", path: /^\/signup$/, variables: () => ({}) },
  { page: "upload", path: /^\/upload$/, variables: () => ({}) },
  { page: "account", path: /^\/account$/, variables: () => ({}) },
];

/** The page at an address; null where there is none. @param url path and query */
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

/** Address of a search. */
export const searchUrl = (tags: string, page = 1): string => {
  const query = new URLSearchParams();
  if (tags.trim() !== "") query.set("tags", tags.trim());
  if (page > 1) query.set("page", String(page));
  return query.size > 0 ? `/posts?${query.toString()}` : "/";
};

/** Address of a post. @param tags the search in which it is looked at */
export const postUrl = (id: number, tags = ""): string =>
  tags.trim() === "" ? `/posts/${id}` : `/posts/${id}?${new URLSearchParams({ q: tags.trim() })}`;

/** The search of a pool's posts, in the order of the pool. */
export const poolSearch = (id: number): string => `ordpool:${id}`;

/** Address of a page of edits. @param of what they are of: the query of such a page, or a post */
export function versionsUrl(of: URLSearchParams | number, page = 1): string {
  const query = new URLSearchParams(typeof of === "number" ? { [OF_POST]: String(of) } : of);
  query.delete("page");
  if (page > 1) query.set("page", String(page));
  return query.size > 0 ? `/post_versions?${query.toString()}` : "/post_versions";
}
