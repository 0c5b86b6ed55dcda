/** Completions of meta-tags: names, and values that are words. */
import { findMetatag, METATAGS } from "./metatags/index.js";
import type { Metatag } from "./metatags/metatag.js";

/** A meta-tag whose value is being typed. */
export interface BegunMetatag {
  row: Metatag;
  /** the value so far */
  value: string;
}

/** The meta-tag of a text like `rating:sa`; null if it has none. */
export function begunMetatag(text: string): BegunMetatag | null {
  const [, name = "", value = ""] = /^([a-z0-9_]+):(.*)$/isu.exec(text) ?? [];
  const row = findMetatag(name.toLowerCase());
  return row ? { row, value } : null;
}

/** Meta-tags whose name, or else an alias, starts with a prefix: `rating:`, in the registry's order. */
export function suggestNames(letters: string): string[] {
  const word = letters.toLowerCase();
  const begins = (name: string): boolean => name.startsWith(word);
  const byName = METATAGS.filter((row) => begins(row.name));
  const byAlias = METATAGS.filter((row) => !begins(row.name) && row.aliases?.some(begins));
  return [...byName, ...byAlias].map((row) => `${row.name}:`);
}

/** A value as it is written behind a meta-tag: in quotes if it begins with one. */
export const valueInSearch = (value: string): string => (/^["']/.test(value) ? JSON.stringify(value) : value);

/** The values that start with the text, each with the meta-tag: `rating:safe`. */
export function suggestWords({ row, value }: BegunMetatag): string[] {
  const word = value.toLowerCase();
  const fitting = (row.words ?? []).filter((candidate) => candidate.startsWith(word));
  return [...new Set(fitting)].map((candidate) => `${row.name}:${candidate}`);
}
