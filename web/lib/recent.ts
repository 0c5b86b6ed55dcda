/** The latest searches, stored in this browser only. */
const KEY = "searches";
const MOST = 8;

export function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each): each is string => typeof each === "string").slice(0, MOST) : [];
  } catch {
    return []; // not ours, or not allowed
  }
}

export function rememberSearch(tags: string): void {
  const search = tags.trim();
  if (search === "") return;
  const list = [search, ...recentSearches().filter((each) => each !== search)].slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // the browser stores nothing
  }
}
