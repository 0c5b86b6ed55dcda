/** Where records come from: a site or its dump, read the same way. */
import type { Kind } from "./kinds.js";

/** Some records of one kind, as they came: nothing about them is certain. */
export interface Batch {
  records: unknown[];
  /** how much of the list has been read with it, and how long the list is; in whatever measure the source has */
  done: number;
  total: number;
}

/** A site, or a dump. */
export interface Source {
  /** what its records are remembered under */
  readonly name: string;
  /** base of addresses that are given without a host; null where there is none */
  readonly base: string | null;
  /** true if it can continue after an id and return single records; otherwise everything is read each time */
  readonly isSeekable: boolean;
  /**
   * The records of a kind, where `isSeekable` those with numbers above `after`, in ascending order.
   * @throws ImportError when the source can't be read
   */
  batches(kind: Kind, after: number): AsyncIterable<Batch>;
  /** The records of these numbers that are (still) there. */
  byIds(kind: Kind, ids: readonly number[]): Promise<unknown[]>;
}

/** Why an import can't begin or go on: a sentence for the administrator. What was brought so far stays. */
export class ImportError extends Error {
  override name = "ImportError";
}

/** The administrator's wish to stop came while something was being waited for. */
export class Interrupted extends Error {
  override name = "Interrupted";
}
