/** The latest searches, stored in this browser only. */
import { store, storedJson } from "./stored.js";

const KEY = "searches";
const MOST = 8;

export function recentSearches(): string[] {
  const kept = storedJson(KEY);
  return Array.isArray(kept) ? kept.filter((each): each is string => typeof each === "string").slice(0, MOST) : [];
}

export function rememberSearch(tags: string): void {
  const search = tags.trim();
  if (search === "") return;
  const list = [search, ...recentSearches().filter((each) => each !== search)].slice(0, MOST);
  store(KEY, JSON.stringify(list));
}
