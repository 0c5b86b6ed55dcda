/** What somebody has written about files that are not uploaded yet, kept in this browser alone. The files themselves it can't keep. */
import { RATING_NAMES, type RatingName } from "./rating.js";

/** What is said of a file. */
export interface Texts {
  tags: string;
  rating: RatingName | null;
  source: string;
  parent: string;
}

/** @property file name and size of the file; null for one that the board is to download from its source */
export interface DraftItem extends Texts {
  file: string | null;
}

export interface Draft {
  /** of all files */
  tags: string;
  rating: RatingName | null;
  items: readonly DraftItem[];
}

export const EMPTY: Draft = { tags: "", rating: null, items: [] };

const MOST_ITEMS = 200;
const RATINGS: readonly unknown[] = Object.keys(RATING_NAMES);

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;
type Unknown<T> = { readonly [K in keyof T]?: unknown };

const keyOf = (userId: number): string => `upload ${userId}`;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const ratingOf = (value: unknown): RatingName | null => (RATINGS.includes(value) ? (value as RatingName) : null);

/** What a draft calls a file. */
export const fileKey = ({ name, size }: Pick<File, "name" | "size">): string => `${name} ${size}`;

const itemOf = ({ file, tags, rating, source, parent }: Unknown<DraftItem>): DraftItem => ({
  file: typeof file === "string" ? file : null,
  tags: textOf(tags),
  rating: ratingOf(rating),
  source: textOf(source),
  parent: textOf(parent),
});

/** The draft of a user, empty where there is none or where it is not ours. */
export function readDraft(store: Store, userId: number): Draft {
  try {
    const { tags, rating, items } = JSON.parse(store.getItem(keyOf(userId)) ?? "{}") as Unknown<Draft>;
    const list = Array.isArray(items) ? (items.slice(0, MOST_ITEMS) as Unknown<DraftItem>[]) : [];
    return { tags: textOf(tags), rating: ratingOf(rating), items: list.map(itemOf) };
  } catch {
    return EMPTY;
  }
}

/** Keeps a draft; one that says nothing leaves nothing. */
export function keepDraft(store: Store, userId: number, draft: Draft): void {
  const { tags, rating, items } = draft;
  try {
    if (tags.trim() === "" && rating === null && items.length === 0) store.removeItem(keyOf(userId));
    else store.setItem(keyOf(userId), JSON.stringify({ ...draft, items: items.slice(0, MOST_ITEMS) }));
  } catch {
    // a browser that keeps nothing
  }
}
