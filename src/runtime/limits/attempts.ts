/** Attempts that are under way, by whom they are for: those made at once are no more than those made one after the other. */
export class Attempts {
  readonly #running = new Map<string, number>();
  #ended = 0;
  #waiting: (() => void)[] = [];

  /** @param limit how many may fail for one key */
  constructor(private readonly limit: number) {}

  /**
   * Begins an attempt as soon as all that are under way could fail without this one being past the limit.
   * @param failures how many have failed for each key; throws when that is too many already
   */
  async begin(keys: readonly string[], failures: () => Promise<number[]>): Promise<void> {
    for (;;) {
      const before = this.#ended;
      const failed = await failures();
      if (this.#ended !== before) continue; // one has failed meanwhile, perhaps
      const hasRoom = keys.every((key, index) => (failed[index] ?? 0) + (this.#running.get(key) ?? 0) < this.limit);
      if (hasRoom) break;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    for (const key of keys) this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
  }

  /** Ends an attempt, after its failure was counted. */
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
