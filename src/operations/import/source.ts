/** The common interface of sites and dumps. */
import type { Kind } from "./kinds.js";

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

/** The import can't start or continue; the message is for the administrator. Imported records stay. */
export class ImportError extends Error {
  override name = "ImportError";
}

/** The import was stopped by a signal. */
export class Interrupted extends Error {
  override name = "Interrupted";
}
