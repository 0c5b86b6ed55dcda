/** All meta-tags of the post search. */
import { COUNTS } from "./counts.js";
import { DIRECTIVES } from "./directives.js";
import { FAVORITE_GROUPS } from "./favorite-groups.js";
import { FILES } from "./files.js";
import type { Metatag } from "./metatag.js";
import { NUMBERS } from "./numbers.js";
import { PEOPLE } from "./people.js";
import { RELATIONS } from "./relations.js";
import { STATES_OF_POSTS } from "./states.js";

export const METATAGS: readonly Metatag[] = [
  ...NUMBERS,
  ...COUNTS,
  ...PEOPLE,
  ...STATES_OF_POSTS,
  ...FILES,
  ...RELATIONS,
  ...FAVORITE_GROUPS,
  ...DIRECTIVES,
];

const bySpelling: ReadonlyMap<string, Metatag> = new Map(
  METATAGS.flatMap((row) => [row.name, ...(row.aliases ?? [])].map((name) => [name, row] as const)),
);

/** The row of a name or alias in lower case. */
export const findMetatag = (name: string): Metatag | undefined => bySpelling.get(name);

/** Every name and alias. Names of tags may not begin with one of these and a colon. */
export const metatagNames = (): string[] => [...bySpelling.keys()];
