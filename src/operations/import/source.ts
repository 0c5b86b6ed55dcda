/** The common interface of sites and dumps, and the kinds of records. */
import { OperatorError } from "../../errors.js";

/** Unchecked records of one kind. */
export interface Batch {
  records: unknown[];
  /** progress after this batch, out of `total`, in a unit of the source (ids or bytes) */
  done: number;
  total: number;
}

export interface Source {
  /** its name in the ledger */
  readonly name: string;
  /** base of relative URLs; null without one */
  readonly base: string | null;
  /** whether it can continue after an id and return single records; otherwise all records are read each time */
  readonly isSeekable: boolean;
  /**
   * The records of a kind; if `isSeekable`, those with ids above `after` in ascending order.
   * @throws ImportError if the source can't be read
   */
  batches(kind: Kind, after: number): AsyncIterable<Batch>;
  /** The records with these ids that exist. */
  byIds(kind: Kind, ids: readonly number[]): Promise<unknown[]>;
}

/** The import can't start or continue. Imported records stay. */
export class ImportError extends OperatorError {}

/** The import was stopped by a signal. */
export class Interrupted extends Error {}

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

/** In the order of their import: those that others refer to come first. */
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
