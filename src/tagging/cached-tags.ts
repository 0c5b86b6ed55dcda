/** Cached tags by id, and the tag strings of posts that are built from them. */
import type { TagCategoryNumber } from "./categories.js";
import type { TagRow } from "./facts.js";

/** The names of a post's tags, sorted and separated by blanks. */
export interface TagStrings {
  all: string;
  byCategory: Record<TagCategoryNumber, string>;
}

/** Characters in a key, with 7 bits each: 49 bits, which a number holds exactly. */
const KEY_LENGTH = 7;
const KEY_BASE = 128;
const MAX_CODE = 127;
const [FIRST_PRINTABLE, LAST_PRINTABLE] = [0x20, 0x7e];

/**
 * A number that orders tags like their names do, except for ties: comparing numbers takes a fraction of the time of comparing names.
 * From the first characters of the name; a character above 126 counts as 127, and nothing after one that is not printable ASCII counts.
 */
function keyOf(name: string): number {
  let key = 0;
  let isPrintable = true;
  for (let index = 0; index < KEY_LENGTH; index += 1) {
    const code: number = isPrintable && index < name.length ? name.charCodeAt(index) : 0;
    key = key * KEY_BASE + Math.min(code, MAX_CODE);
    isPrintable &&= code >= FIRST_PRINTABLE && code <= LAST_PRINTABLE;
  }
  return key;
}

/** Ids are stored with their category in one number. */
const CATEGORIES = 8;
/** In a place without a tag. */
const NONE = -1;
/** Numbers of each tag: id with category, and key. They are beside each other, since reading memory takes most of the time. */
const NUMBERS = 2;

/**
 * A cache of tags by id. Each tag has one place, given by the last bits of its id, where it replaces another one: ids are nearly consecutive,
 * so a board of fewer tags than places has all of them. Its numbers are in one array, which takes half the memory of an object for each tag.
 */
export class CachedTags {
  private readonly numbers: Float64Array;
  private readonly names: string[];

  /** @param size number of places, a power of two */
  constructor(private readonly size: number) {
    this.numbers = new Float64Array(NUMBERS * size).fill(NONE);
    this.names = Array.from({ length: size }, () => "");
  }

  get(id: number): TagRow | undefined {
    const place = this.placeOf(id);
    return place < 0 ? undefined : { id, name: this.names[place] as string, category: this.about(place) % CATEGORIES };
  }

  has(id: number): boolean {
    return this.placeOf(id) >= 0;
  }

  set({ id, name, category }: TagRow): void {
    const place = id & (this.size - 1);
    this.numbers[NUMBERS * place] = id * CATEGORIES + category;
    this.numbers[NUMBERS * place + 1] = keyOf(name);
    this.names[place] = name;
  }

  clear(): void {
    this.numbers.fill(NONE);
    this.names.fill("");
  }

  /** Adds a tag to a list. @returns whether it is cached */
  addTo(list: SortedTags, id: number): boolean {
    const place = this.placeOf(id);
    if (place < 0) return false;
    const key = this.numbers[NUMBERS * place + 1] as number;
    list.insert(id, this.names[place] as string, this.about(place) % CATEGORIES, key);
    return true;
  }

  /** The place of a cached tag, else -1. */
  private placeOf(id: number): number {
    const place = id & (this.size - 1);
    return Math.floor(this.about(place) / CATEGORIES) === id ? place : -1;
  }

  /** The id and category at a place. */
  private about(place: number): number {
    return this.numbers[NUMBERS * place] as number;
  }
}

/** The tags of a post in the order of their names. One list is used for many posts, since new arrays for each would take as long as sorting. */
export class SortedTags {
  private readonly ids: number[] = [];
  private readonly names: string[] = [];
  private readonly categories: number[] = [];
  private readonly keys: number[] = [];
  /** places of the tags in the order of their names */
  private readonly order: number[] = [];
  private length = 0;

  clear(): void {
    this.length = 0;
  }

  add({ id, name, category }: TagRow): void {
    this.insert(id, name, category, keyOf(name));
  }

  /** @param key by `keyOf` */
  insert(id: number, name: string, category: number, key: number): void {
    const place = this.length;
    this.ids[place] = id;
    this.names[place] = name;
    this.categories[place] = category;
    this.keys[place] = key;
    this.order[place] = place;
    this.length += 1;
  }

  /** The tags' ids. */
  sortedIds(): number[] {
    return this.sorted().map((place) => this.ids[place] as number);
  }

  /** The tags' names. */
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
    const key = this.keys[one] as number;
    const otherKey = this.keys[other] as number;
    return key === otherKey ? (this.names[one] as string) < (this.names[other] as string) : key < otherKey;
  }
}

/** Up to this many tags, an insertion sort takes half the time of the built-in sort. */
const INSERTION_SORT_MAX = 64;
