/** Cached tags by id, and the tag strings of posts that are built from them. */
import type { TagCategoryNumber } from "./categories.js";
import type { TagRow } from "./facts.js";

/** The names of a post's tags, sorted and separated by blanks. */
export interface TagStrings {
  all: string;
  byCategory: Record<TagCategoryNumber, string>;
}

/** Characters in each of the two keys of a name, with 7 bits each: small integers are compared in half the time of larger numbers. */
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

/** Two keys that order tags like their names do, except for ties: comparing them takes a fraction of the time of comparing names. */
function keysOf(name: string): [first: number, second: number] {
  const end = name.search(BEYOND_KEY);
  const ordered = end < 0 ? name : name.slice(0, end + 1);
  return [keyOf(ordered, 0), keyOf(ordered, KEY_LENGTH)];
}

/** Numbers of each tag, which are beside each other, since reading memory takes most of the time. */
const [ID, CATEGORY, FIRST, SECOND, NUMBERS] = [0, 1, 2, 3, 4];
/** The id in a place without a tag. */
const NONE = -1;
const FEW_PLACES = 1024;

/**
 * A cache of tags by id. Each tag has one place, given by the last bits of its id, where it replaces another one: ids are nearly consecutive,
 * so a board of fewer tags than places has all of them. Its numbers are in one array, which takes half the memory of an object for each tag.
 * Its memory grows with the ids: making, and clearing, all places takes milliseconds, and a small board uses few of them.
 */
export class CachedTags {
  private numbers = new Int32Array(0);
  private names: string[] = [];

  /** @param size number of places, a power of two */
  constructor(private readonly size: number) {}

  get(id: number): TagRow | undefined {
    const at = this.placeOf(id);
    return at < 0 ? undefined : { id, name: this.nameAt(at), category: this.numbers[at + CATEGORY] as number };
  }

  has(id: number): boolean {
    return this.placeOf(id) >= 0;
  }

  set({ id, name, category }: TagRow): void {
    const place = id & (this.size - 1);
    if (place >= this.names.length) this.grow(place);
    this.numbers.set([id, category, ...keysOf(name)], NUMBERS * place);
    this.names[place] = name;
  }

  /** Makes this place, and as many again, so that a growing board rarely does so. */
  private grow(place: number): void {
    const places = Math.min(this.size, Math.max(FEW_PLACES, 2 * place));
    const numbers = new Int32Array(NUMBERS * places).fill(NONE);
    numbers.set(this.numbers);
    const names = Array<string>(places).fill(""); // `Array.from` takes 20 ms for all places
    for (const [at, name] of this.names.entries()) names[at] = name;
    this.numbers = numbers;
    this.names = names;
  }

  clear(): void {
    this.numbers.fill(NONE);
    this.names.fill("");
  }

  /** Adds a tag to a list. @returns whether it is cached */
  addTo(list: SortedTags, id: number): boolean {
    const at = this.placeOf(id);
    if (at < 0) return false;
    const { numbers } = this;
    list.insert(
      id,
      this.nameAt(at),
      numbers[at + CATEGORY] as number,
      numbers[at + FIRST] as number,
      numbers[at + SECOND] as number,
    );
    return true;
  }

  /** Where the numbers of a cached tag begin; negative if it isn't cached. */
  private placeOf(id: number): number {
    const at = NUMBERS * (id & (this.size - 1));
    return this.numbers[at + ID] === id ? at : NONE;
  }

  private nameAt(at: number): string {
    return this.names[at / NUMBERS] as string;
  }
}

/** The tags of a post in the order of their names. One list is used for many posts, since new arrays for each would take as long as sorting. */
export class SortedTags {
  private readonly ids: number[] = [];
  private readonly names: string[] = [];
  private readonly categories: number[] = [];
  private readonly first: number[] = [];
  private readonly second: number[] = [];
  /** places of the tags in the order of their names */
  private readonly order: number[] = [];
  private length = 0;

  clear(): void {
    this.length = 0;
  }

  add({ id, name, category }: TagRow): void {
    this.insert(id, name, category, ...keysOf(name));
  }

  /** @param first and `second` by `keysOf` */
  insert(id: number, name: string, category: number, first: number, second: number): void {
    const place = this.length;
    this.ids[place] = id;
    this.names[place] = name;
    this.categories[place] = category;
    this.first[place] = first;
    this.second[place] = second;
    this.order[place] = place;
    this.length += 1;
  }

  sortedIds(): number[] {
    return this.sorted().map((place) => this.ids[place] as number);
  }

  strings(): TagStrings {
    const byCategory: Record<TagCategoryNumber, string> = { 0: "", 1: "", 3: "", 4: "", 5: "" };
    let all = "";
    for (const place of this.sorted()) {
      const name = this.names[place] as string;
      const category = this.categories[place] as TagCategoryNumber;
      byCategory[category] = byCategory[category] === "" ? name : `${byCategory[category]} ${name}`;
      all = all === "" ? name : `${all} ${name}`;
    }
    return { all, byCategory };
  }

  private sorted(): number[] {
    const { order, length } = this;
    order.length = length;
    if (length > INSERTION_SORT_MAX) return order.sort((one, other) => (this.isBefore(one, other) ? -1 : 1));
    for (let index = 1; index < length; index += 1) {
      const place = order[index] as number;
      let at = index;
      for (; at > 0 && this.isBefore(place, order[at - 1] as number); at -= 1) order[at] = order[at - 1] as number;
      order[at] = place;
    }
    return order;
  }

  private isBefore(one: number, other: number): boolean {
    const { first, second, names } = this;
    if (first[one] !== first[other]) return (first[one] as number) < (first[other] as number);
    if (second[one] !== second[other]) return (second[one] as number) < (second[other] as number);
    return (names[one] as string) < (names[other] as string);
  }
}

/** Up to this many tags, an insertion sort takes half the time of the built-in sort. */
const INSERTION_SORT_MAX = 64;
