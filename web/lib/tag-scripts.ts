/** Tag scripts: changes of tags that the keys 1 to 9 make, one on each line, kept in this browser alone. */
const KEY = "tag scripts";

export const SCRIPT_KEYS = "1 2 3 4 5 6 7 8 9";

/** All of them, as they are written. */
export function tagScripts(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // a browser that keeps nothing
  }
}

/** @throws Error where the browser keeps nothing */
export const keepTagScripts = (text: string): void => localStorage.setItem(KEY, text);

/** That of a key; empty where it has none. */
export const tagScript = (key: string): string => tagScripts().split(/\r?\n/)[Number(key) - 1]?.trim() ?? "";
