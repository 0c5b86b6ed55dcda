/** The draft of an upload: what was entered about files not uploaded yet, stored in this browser only. Files can't be stored. */
import { RATING_NAMES, type RatingName } from "./rating.js";

/** What was entered about a file. */
export interface Texts {
  tags: string;
  rating: RatingName | null;
  source: string;
  parent: string;
}

/**
 * @property file name and size of the file; null for one that the board is to download from its source
 * @property md5 of the file, once it is known
 */
export interface DraftItem extends Texts {
  file: string | null;
  md5: string | null;
}

export interface Draft {
  /** for all files */
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

/** The name of a file in a draft. */
export const fileKey = ({ name, size }: Pick<File, "name" | "size">): string => `${name} ${size}`;

export const draftName = ({ file }: DraftItem): string => file?.replace(/ \d+$/, "") ?? "";

const itemOf = ({ file, md5, tags, rating, source, parent }: Unknown<DraftItem>): DraftItem => ({
  file: typeof file === "string" ? file : null,
  md5: typeof md5 === "string" ? md5 : null,
  tags: textOf(tags),
  rating: ratingOf(rating),
  source: textOf(source),
  parent: textOf(parent),
});

/** The draft of a user; empty if there is none or it can't be read. */
export function readDraft(store: Store, userId: number): Draft {
  try {
    const { tags, rating, items } = JSON.parse(store.getItem(keyOf(userId)) ?? "{}") as Unknown<Draft>;
    const list = Array.isArray(items) ? (items.slice(0, MOST_ITEMS) as Unknown<DraftItem>[]) : [];
    return { tags: textOf(tags), rating: ratingOf(rating), items: list.map(itemOf) };
  } catch {
    return EMPTY;
  }
}

/** Stores a draft; an empty one is removed. */
export function keepDraft(store: Store, userId: number, draft: Draft): void {
  const { tags, rating, items } = draft;
  try {
    if (tags.trim() === "" && rating === null && items.length === 0) store.removeItem(keyOf(userId));
    else store.setItem(keyOf(userId), JSON.stringify({ ...draft, items: items.slice(0, MOST_ITEMS) }));
  } catch {
    // the browser stores nothing
  }
}
