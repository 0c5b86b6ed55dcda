/** Attempts of which a limited number may fail in an hour, counted by keys; concurrent ones are limited like consecutive ones. */
import { BoardError, failure, PROBLEMS } from "../../errors.js";
import { addTo } from "../../lib/add-to.js";
import type { Counter, LimitStore } from "./store.js";
import { Level } from "../auth/levels.js";
import type { SignedIn } from "../auth/viewer.js";

export class Attempts {
  readonly #running = new Map<string, number>();
  #ended = 0;
  #waiting: (() => void)[] = [];

  /**
   * @param failed counts the failures
   * @param limit how many may fail for one key
   * @param refusal the error beyond it, by the seconds until the hour ends
   */
  constructor(
    private readonly failed: Counter,
    private readonly limit: number,
    private readonly refusal: (retryAfter: number) => BoardError,
  ) {}

  /**
   * Runs an attempt once all those in progress could fail without this one exceeding the limit of any of its keys.
   * @param work gets a function that counts a failure
   * @throws BoardError if too many have failed; errors of the work
   */
  async run<T>(keys: readonly string[], work: (fail: () => Promise<unknown>) => Promise<T>): Promise<T> {
    await this.#begin(keys);
    try {
      return await work(() => Promise.all(keys.map(async (key) => this.failed.count(key))));
    } finally {
      this.#end(keys);
    }
  }

  async #begin(keys: readonly string[]): Promise<void> {
    for (;;) {
      const before = this.#ended;
      const failed = await this.#failures(keys);
      if (this.#ended !== before) continue; // one may have failed meanwhile
      const hasRoom = keys.every((key, index) => (failed[index] ?? 0) + (this.#running.get(key) ?? 0) < this.limit);
      if (hasRoom) break;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    for (const key of keys) addTo(this.#running, key, 1);
  }

  /** How many have failed for each key. @throws BoardError for a key at its limit */
  async #failures(keys: readonly string[]): Promise<number[]> {
    const seen = await Promise.all(keys.map(async (key) => this.failed.read(key)));
    const full = seen.find((each) => each && each.points >= this.limit);
    if (full) throw this.refusal(Math.max(1, Math.ceil(full.msBeforeNext / 1000)));
    return seen.map((each) => each?.points ?? 0);
  }

  #end(keys: readonly string[]): void {
    for (const key of keys) addTo(this.#running, key, -1);
    this.#ended += 1;
    for (const resume of this.#waiting.splice(0)) resume();
  }
}

/** Not errors of the board itself, nor sources that are pages or texts, which cost little. */
const isCostly = (error: unknown): boolean =>
  error instanceof BoardError &&
  error.code === "INVALID_RECORD" &&
  error.fields?.file?.includes(PROBLEMS.unsupported_file) !== true;

/** Limits files that are refused while decoding: each may have cost as much as an accepted one, or far more. */
export class FailedUploads {
  private readonly attempts: Attempts;

  /** @param limit per user below Admin and hour */
  constructor(store: LimitStore, limit: number) {
    const refusal = (retryAfter: number) => failure("failed_upload_limit", { limit }, { retryAfter });
    this.attempts = new Attempts(store.counter("failed-uploads", limit), limit, refusal);
  }

  /**
   * Decodes a file and counts it if it is refused. No more than may fail run at once; others wait.
   * @throws BoardError 421 if too many of this hour were refused; errors of decoding
   */
  async run<T>(uploader: SignedIn, decode: () => Promise<T>): Promise<T> {
    if (uploader.level >= Level.Admin) return decode();
    return this.attempts.run([`user:${uploader.id}`], (fail) =>
      decode().catch(async (error: unknown) => {
        if (isCostly(error)) await fail();
        throw error;
      }),
    );
  }
}
