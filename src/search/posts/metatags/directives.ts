/** Meta-tags that determine which part of the result is shown, and in which order. They match every post. */
import { orderByName, ORDERS, RANDOM } from "../orders.js";
import type { Metatag } from "./metatag.js";

/** Page sizes are clamped to the caller's maximum, so any larger number is the same. */
const parseLimit = (value: string): number | null => (/^\d+$/.test(value) ? Number(value) : null);

export const DIRECTIVES: readonly Metatag[] = [
  {
    name: "order",
    value: "name of a sort order",
    description: "sort order of the results; by descending ID if unknown",
    examples: ["order:score", "order:id_asc", "order:random"],
    words: ORDERS.map(({ names }) => names[0]).filter((name) => name !== undefined),
    order: orderByName,
  },
  {
    name: "limit",
    value: "whole number",
    description: "posts per page, unless the request sets it",
    examples: ["limit:50"],
    limit: parseLimit,
  },
  {
    name: "random",
    value: "whole number",
    description: "this many random posts; none for 0 or an invalid number",
    examples: ["random:5"],
    order: () => RANDOM,
    limit: parseLimit,
    most: (value) => parseLimit(value) ?? 0,
  },
  {
    name: "unaliased",
    value: "tag",
    description: "the tag with exactly this name, without resolving aliases",
    examples: ["unaliased:colour"],
    names: "tag",
    // the parser makes it a tag
    toSql: () => null,
  },
];
