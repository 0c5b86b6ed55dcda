/** Texts stored in this browser, which may store nothing, or be full. */

type Storage = "localStorage" | "sessionStorage";

/** Id of the user whose texts are in use; 0 for visitors. */
let user = 0;
export const storeFor = (id: number): void => void (user = id);

/** The name under which a text is stored: several users of one browser have their own. */
export const nameOf = (key: string): string => `${user} ${key}`;

/** The text of a key; empty for none. */
export function stored(key: string, storage: Storage = "localStorage"): string {
  try {
    return globalThis[storage].getItem(nameOf(key)) ?? "";
  } catch {
    return ""; // the browser stores nothing
  }
}

/** Stores a text; an empty one is removed. */
export function store(key: string, text: string, storage: Storage = "localStorage"): void {
  try {
    if (text === "") globalThis[storage].removeItem(nameOf(key));
    else globalThis[storage].setItem(nameOf(key), text);
  } catch {
    // the browser stores nothing, or is full
  }
}

/** A value stored as JSON; null for none. */
export function storedJson(key: string, storage?: Storage): unknown {
  try {
    return JSON.parse(stored(key, storage) || "null");
  } catch {
    return null; // it is something else
  }
}
