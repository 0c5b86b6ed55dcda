/** A map over a list that lets other requests go on meanwhile. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { MaybePromise } from "./maybe-promise.js";

/** Milliseconds of a turn of the event loop after which the rest waits for the next one. */
const TURN_MS = 5;

/** The results for all items, synchronously if they take no more than a turn of the event loop. A single item is not interrupted. */
export function pausedMap<Item, Result>(
  items: readonly Item[],
  of: (item: Item) => Result,
  before: readonly Result[] = [],
): MaybePromise<Result[]> {
  const results = [...before];
  const end = performance.now() + TURN_MS;
  for (const item of items.slice(results.length)) {
    results.push(of(item));
    if (results.length < items.length && performance.now() > end)
      return nextTurn().then(() => pausedMap(items, of, results));
  }
  return results;
}
