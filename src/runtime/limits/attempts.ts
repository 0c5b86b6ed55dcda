/** Attempts in progress by key, so that concurrent attempts are limited like consecutive ones. */
export class Attempts {
  readonly #running = new Map<string, number>();
  #ended = 0;
  #waiting: (() => void)[] = [];

  /** @param limit how many may fail for one key */
  constructor(private readonly limit: number) {}

  /**
   * Starts an attempt once all those in progress could fail without this one exceeding the limit.
   * @param failures how many have failed for each key; throws if these are too many already
   */
  async begin(keys: readonly string[], failures: () => Promise<number[]>): Promise<void> {
    for (;;) {
      const before = this.#ended;
      const failed = await failures();
      if (this.#ended !== before) continue; // one may have failed meanwhile
      const hasRoom = keys.every((key, index) => (failed[index] ?? 0) + (this.#running.get(key) ?? 0) < this.limit);
      if (hasRoom) break;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    for (const key of keys) this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
  }

  /** Ends an attempt, after a failure was counted. */
  end(keys: readonly string[]): void {
    for (const key of keys) {
      const left = (this.#running.get(key) ?? 1) - 1;
      if (left > 0) this.#running.set(key, left);
      else this.#running.delete(key);
    }
    this.#ended += 1;
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
