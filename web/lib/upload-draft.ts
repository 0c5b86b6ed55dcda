/** The draft of an upload: what was entered about files not uploaded yet, stored in this browser only, for each tab. Files can't be stored. */
import { nameOf, store, stored, storedJson } from "./stored.js";
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

type Unknown<T> = { readonly [K in keyof T]?: unknown };

const textOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");
const ratingOf = (value: unknown): RatingName | null => (RATINGS.includes(value) ? (value as RatingName) : null);

/** The name of a file in a draft. */
export const fileKey = ({ name, size }: Pick<File, "name" | "size">): string => `${name} ${size}`;

export const draftName = ({ file }: DraftItem): string => file?.replace(/ \d+$/, "") ?? "";

const itemOf = ({ file, md5, tags, rating, source, parent }: Unknown<DraftItem>): DraftItem => ({
  file: typeof file === "string" ? file : null,
  md5: typeof md5 === "string" ? md5 : null,
  tags: textOrEmpty(tags),
  rating: ratingOf(rating),
  source: textOrEmpty(source),
  parent: textOrEmpty(parent),
});

/** The draft of a key; empty if there is none or it can't be read. */
export function readDraft(key: string): Draft {
  const { tags, rating, items } = (storedJson(key) ?? {}) as Unknown<Draft>;
  const list = Array.isArray(items) ? (items.slice(0, MOST_ITEMS) as Unknown<DraftItem>[]) : [];
  return { tags: textOrEmpty(tags), rating: ratingOf(rating), items: list.map(itemOf) };
}

/** Stores a draft; an empty one is removed. */
export function keepDraft(key: string, draft: Draft): void {
  const { tags, rating, items } = draft;
  const isEmpty = tags.trim() === "" && rating === null && items.length === 0;
  store(key, isEmpty ? "" : JSON.stringify({ ...draft, items: items.slice(0, MOST_ITEMS) }));
}

const DRAFT = "upload ";
const OF_TAB = "upload of this tab";

/** The key of a draft of this user whose tab was closed. */
async function leftDraft(): Promise<string | undefined> {
  // a board without HTTPS has no locks, so that a new tab shows the draft of another one
  const { held = [] } = (await (navigator.locks as LockManager | undefined)?.query()) ?? {};
  const open = new Set(held.map(({ name }) => name));
  const names = Object.keys(localStorage).filter((name) => name.startsWith(nameOf(DRAFT)) && !open.has(name));
  return names[0]?.slice(nameOf("").length);
}

/** The key of this tab's draft, one that a closed tab has left, or a new one. Nobody else has it while the tab is open. */
export async function draftOfTab(): Promise<string> {
  const own = stored(OF_TAB, "sessionStorage");
  const left = own && stored(own) ? own : await leftDraft().catch(() => undefined); // the browser stores nothing
  const key = left ?? (own || DRAFT + Math.random());
  store(OF_TAB, key, "sessionStorage");
  void (navigator.locks as LockManager | undefined)?.request(nameOf(key), () => new Promise(() => undefined));
  return key;
}
