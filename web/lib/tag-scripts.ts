/** Tag scripts: tag edits run by the keys 1 to 9, one on each line, stored in this browser only, for each user. */
import { nameOf, stored } from "./stored.js";

const KEY = "tag scripts";

export const SCRIPT_KEYS = "1 2 3 4 5 6 7 8 9";

/** All of them, as text. */
export const tagScripts = (): string => stored(KEY);

/** @throws Error if the browser stores nothing */
export const keepTagScripts = (text: string): void => localStorage.setItem(nameOf(KEY), text);

/** The script of a key; empty if it has none. */
export const tagScript = (key: string): string => tagScripts().split(/\r?\n/)[Number(key) - 1]?.trim() ?? "";
