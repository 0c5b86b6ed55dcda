/** Lists inside of records: the newest of what belongs to them. The others are found in the list of their own. */
import type { ArgOptions } from "type-graphql";
import { clampLimit } from "../../src/services/paging.js";
import type { NewestWanted } from "../loaders.js";

/** Most records that a record gives with itself. */
const MOST = 100;

/** The argument that such a field takes, `first`. */
export const FIRST: ArgOptions = { description: "How many, at most 100; 20 by default." };

/** What the field's loader is asked for. */
export const newestOf = (parent: { id: number }, first: number | null | undefined): NewestWanted => ({
  parentId: parent.id,
  limit: clampLimit(first, MOST),
});

/** What such a field costs: as many of its records as may come. */
export const costOfNewest = (options: { args: { first?: number | null }; childComplexity: number }): number =>
  1 + clampLimit(options.args.first, MOST) * options.childComplexity;
