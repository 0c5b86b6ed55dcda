/** Turns of the event loop for work with long texts. */
import { setImmediate } from "node:timers/promises";
import type { MaybePromise } from "./maybe-promise.js";

/** Characters of texts that may take a millisecond or more. */
const LONG = 2_000;

let lastTurn: Promise<void> = Promise.resolve();

/** Before work with a text of so many characters: waits for a turn of its own if it is long, so that the process can do other work in between. */
export const ownTurn = (characters: number): MaybePromise<void> =>
  characters < LONG ? undefined : (lastTurn = lastTurn.then(() => setImmediate()));
