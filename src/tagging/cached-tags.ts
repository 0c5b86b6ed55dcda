/** Cached tags by id, and the tag strings of posts that are built from them. */
import type { TagCategoryNumber } from "./categories.js";
import type { TagRow } from "./facts.js";

/** The names of a post's tags, sorted and separated by blanks. */
export interface TagStrings {
  all: string;
  byCategory: Record<TagCategoryNumber, string>;
}

/** A tag with two keys that order tags like their names do, except for ties: comparing them takes a fraction of the time of comparing names. */
export interface KeyedTag extends TagRow {
  first: number;
  second: number;
}

/** Characters in each of the two keys, with 7 bits each: small integers are compared in half the time of larger numbers. */
const KEY_LENGTH = 4;
const KEY_BITS = 7;
const MAX_CODE = 127;
/** What follows the first of these characters is not part of a key. */
const BEYOND_KEY = /[^ -~]/;

/** From `KEY_LENGTH` characters of the text; a character above 126 counts as 127, and a missing one as 0. */
function keyOf(text: string, start: number): number {
  let key = 0;
  for (let index = start; index < start + KEY_LENGTH; index += 1)
    key = (key << KEY_BITS) | (index < text.length ? Math.min(text.charCodeAt(index), MAX_CODE) : 0);
  return key;
}

export function keyed({ id, name, category }: TagRow): KeyedTag {
  const end = name.search(BEYOND_KEY);
  const ordered = end < 0 ? name : name.slice(0, end + 1);
  return { id, name, category, first: keyOf(ordered, 0), second: keyOf(ordered, KEY_LENGTH) };
}

/**
 * A cache of tags by id. Each tag has one place, given by the last bits of its id, where it replaces another one: ids are nearly consecutive,
 * so a board of fewer tags than places has all of them.
 */
export class CachedTags {
  private readonly places: (KeyedTag | undefined)[] = [];

  /** @param size number of places, a power of two */
  constructor(private readonly size: number) {}

  get(id: number): KeyedTag | undefined {
    const tag = this.places[id & (this.size - 1)];
    return tag?.id === id ? tag : undefined;
  }

  set(tag: TagRow): void {
    const place = tag.id & (this.size - 1);
    while (this.places.length < place) this.places.push(undefined); // an array with gaps is much slower
    this.places[place] = keyed(tag);
  }

  clear(): void {
    this.places.length = 0;
  }
}

/** Sorts the tags of a post by their names, in place. */
export const sortTags = (tags: KeyedTag[]): KeyedTag[] =>
  tags.sort((a, b) => a.first - b.first || a.second - b.second || (a.name < b.name ? -1 : 1));

export function stringsOf(sorted: readonly KeyedTag[]): TagStrings {
  const byCategory: Record<TagCategoryNumber, string> = { 0: "", 1: "", 3: "", 4: "", 5: "" };
  let all = "";
  for (const { name, category } of sorted as readonly (KeyedTag & { category: TagCategoryNumber })[]) {
    byCategory[category] = byCategory[category] === "" ? name : `${byCategory[category]} ${name}`;
    all = all === "" ? name : `${all} ${name}`;
  }
  return { all, byCategory };
}
