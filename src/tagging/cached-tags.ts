/** Cached tags by id, and the tag strings of posts that are built from them. */
import type { TagCategoryNumber } from "./categories.js";
import type { TagRow } from "./facts.js";

/** The names of a post's tags, sorted and separated by blanks. */
export interface TagStrings {
  all: string;
  byCategory: Record<TagCategoryNumber, string>;
}

/** A tag with a number that orders tags like their names do, except for ties. */
export interface CachedTag extends TagRow {
  readonly sortKey: number;
}

/** Characters in a sort key: with 7 bits each, more would exceed the exact integers of a double. */
const KEY_LENGTH = 7;
const MAX_CODE = 127;

/** From the first characters of the name; a character above 126 counts as 127, and later ones as 0. */
function sortKeyOf(name: string): number {
  let key = 0;
  let isAscii = true;
  for (let index = 0; index < KEY_LENGTH; index += 1) {
    const code: number = isAscii && index < name.length ? Math.min(name.charCodeAt(index), MAX_CODE) : 0;
    isAscii &&= code < MAX_CODE;
    key = key * (MAX_CODE + 1) + code;
  }
  return key;
}

/** A copy of the tag with its sort key. */
export const cachedTag = ({ id, name, category }: TagRow): CachedTag => ({
  id,
  name,
  category,
  sortKey: sortKeyOf(name),
});

/** Comparing numbers takes a fraction of the time of comparing names. */
const inOrder = (one: CachedTag, other: CachedTag): boolean =>
  one.sortKey === other.sortKey ? one.name <= other.name : one.sortKey < other.sortKey;

/** Up to this many tags, an insertion sort takes half the time of the built-in sort. */
const INSERTION_SORT_MAX = 64;

/** The tags by name, sorted in place. */
export function sorted(tags: CachedTag[]): CachedTag[] {
  if (tags.length > INSERTION_SORT_MAX) return tags.sort((one, other) => (inOrder(one, other) ? -1 : 1));
  for (let index = 1; index < tags.length; index += 1) {
    const tag = tags[index] as CachedTag;
    let at = index;
    for (; at > 0 && !inOrder(tags[at - 1] as CachedTag, tag); at -= 1) tags[at] = tags[at - 1] as CachedTag;
    tags[at] = tag;
  }
  return tags;
}

/** The tag strings of these tags; sorts the array in place. */
export function stringsOf(tags: CachedTag[]): TagStrings {
  const byCategory: Record<TagCategoryNumber, string> = { 0: "", 1: "", 3: "", 4: "", 5: "" };
  let all = "";
  for (const { name, category } of sorted(tags)) {
    const names = byCategory[category as TagCategoryNumber];
    byCategory[category as TagCategoryNumber] = names === "" ? name : `${names} ${name}`;
    all = all === "" ? name : `${all} ${name}`;
  }
  return { all, byCategory };
}

/**
 * A cache of tags by id in two generations, an approximation of LRU that takes half the time to read: when the newer generation is
 * full, it replaces the older one, from which entries move back when they are read.
 */
export class CachedTags {
  private newer = new Map<number, CachedTag>();
  private older = new Map<number, CachedTag>();

  /** @param max number of tags */
  constructor(private readonly max: number) {}

  get(id: number): CachedTag | undefined {
    const tag = this.newer.get(id);
    if (tag) return tag;
    const older = this.older.get(id);
    if (older) this.set(older);
    return older;
  }

  set(tag: CachedTag): void {
    if (this.newer.size >= this.max / 2) {
      this.older = this.newer;
      this.newer = new Map();
    }
    this.newer.set(tag.id, tag);
  }

  clear(): void {
    this.newer = new Map();
    this.older = new Map();
  }
}
