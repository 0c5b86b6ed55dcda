/** The kinds of records that are brought, in the order in which they are: what others refer to comes first. */

/** How a site lists records of a kind. */
export interface KindRow {
  /** parameters of its list besides limit and page */
  params: Record<string, string>;
  /** records a page; sites give fewer when they want to */
  pageSize: number;
  /** the parameter that asks for some records by their numbers, and its value */
  byIds: (ids: string) => [string, string];
}

const searched = (ids: string): [string, string] => ["search[id]", ids];

const rows = {
  tags: { params: { "search[hide_empty]": "no" }, pageSize: 1_000, byIds: searched },
  posts: { params: { tags: "status:any" }, pageSize: 100, byIds: (ids) => ["tags", `id:${ids} status:any`] },
  pools: { params: {}, pageSize: 100, byIds: searched },
  notes: { params: {}, pageSize: 500, byIds: searched },
  wiki_pages: { params: {}, pageSize: 100, byIds: searched },
  tag_aliases: { params: { "search[status]": "active" }, pageSize: 500, byIds: searched },
  tag_implications: { params: { "search[status]": "active" }, pageSize: 500, byIds: searched },
} as const satisfies Record<string, KindRow>;

/** Name of a kind: of its path at a site, of its files in a dump, and for `--only`. */
export type Kind = keyof typeof rows;

/** All kinds, in the order in which they are brought. */
export const KINDS = Object.keys(rows) as Kind[];

/** How a site is asked for the records of a kind. */
export const kindRow = (kind: Kind): KindRow => rows[kind];
