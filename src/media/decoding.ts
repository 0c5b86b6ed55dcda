/** How this process decodes foreign pictures: few at a time, each on one thread, none for ever. */
import sharp, { type Sharp } from "sharp";
import { type BoardError, failure, Problems } from "../errors.js";
import { Semaphore } from "../lib/semaphore.js";

// Two decodings at once leave threads of Node's pool (four) for files and DNS; more threads for one picture gain little.
const DECODINGS_AT_ONCE = 2;
sharp.concurrency(1);
// The cache remembers files by their name. Each of ours is read once or twice and then gone.
sharp.cache(false);

/** Files that may wait for their decoding; each takes a fraction of a second, the largest some seconds. */
const MAX_WAITING = 32;
const RETRY_SECONDS = 5;

/** Longest decoding of one picture, in seconds; 150 million pixels take about five. */
export const DECODING_SECONDS = 60;

const slots = new Semaphore(DECODINGS_AT_ONCE);

/** Runs a decoding as soon as fewer than two others run in this process. */
export const decoding = <T>(work: () => Promise<T>): Promise<T> => slots.run(work);

/**
 * To be asked before a new file is begun; one that was begun is brought to its end.
 * @throws BoardError 503 when as many wait as will be served in good time
 */
export function refuseWhenBusy(): void {
  if (slots.waiting >= MAX_WAITING) throw failure("overloaded", {}, { retryAfter: RETRY_SECONDS });
}

/** The file is not what its first bytes promise. */
export const corrupt = (cause?: unknown): BoardError => new Problems().add("file", "corrupt_file").toError({ cause });

const isTimeout = (error: unknown): boolean => error instanceof Error && error.message.startsWith("timeout:");

/** The refusal for a decoding that went on for too long, or null when that is not what happened. */
export function slowness(error: unknown): BoardError | null {
  return isTimeout(error) ? failure("overloaded", {}, { cause: error }) : null;
}

/** Opens a picture for decoding; `pixels` is the number that its header announced. Damage is an error, a warning is not. */
export function openPicture(input: string | Buffer, pixels: number, animated = false): Sharp {
  const picture = sharp(input, { animated, failOn: "error", limitInputPixels: pixels, sequentialRead: true });
  return picture.timeout({ seconds: DECODING_SECONDS });
}
