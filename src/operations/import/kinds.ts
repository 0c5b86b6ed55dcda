/** The kinds of imported records, in the order of their import: those that others refer to come first. */

/** How a site lists records of a kind. */
export interface KindRow {
  /** parameters of the list in addition to limit and page */
  params: Record<string, string>;
  /** requested records per page; sites may return fewer */
  pageSize: number;
  /** the parameter, and its value, that lists records by id */
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

/** Name of a kind, as in the site's paths, a dump's file names, and `--only`. */
export type Kind = keyof typeof rows;

/** All kinds, in the order of their import. */
export const KINDS = Object.keys(rows) as Kind[];

export const kindRow = (kind: Kind): KindRow => rows[kind];
