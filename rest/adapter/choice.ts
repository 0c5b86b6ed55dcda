/** Paths with several listings, chosen by a parameter. */
import { failure } from "../../src/errors.js";
import { own, type Params } from "./params.js";
import type { ResourceRow } from "./row.js";

/** The row and those that a request may choose instead. */
export const variantsOf = (row: ResourceRow): ResourceRow[] => [row, ...Object.values(row.choice?.others ?? {})];

/**
 * The chosen row; without the parameter, or with a blank one, the row itself.
 * @throws BoardError 424 for an unknown value
 */
export function chosenRow(row: ResourceRow, params: Params): ResourceRow {
  if (!row.choice) return row;
  const { parameter, own: ownWord, others } = row.choice;
  const given = own(params, parameter) ?? "";
  const word = typeof given === "string" ? given.trim().toLowerCase() : null;
  if (word === "" || word === ownWord) return row;
  const other = word !== null && Object.hasOwn(others, word) ? others[word] : undefined;
  if (other) return other;
  throw failure("invalid_choice", { parameter, choices: [ownWord, ...Object.keys(others)].join(", ") });
}
