/** Limits how many of something may be open at the same time for each key. */
export class KeyedLimit {
  readonly #open = new Map<string, number>();

  /** @param limit the maximum for one key */
  constructor(private readonly limit: number) {}

  /** Counts one for the key, until `release`. @returns false if the key is at its limit */
  tryAcquire(key: string): boolean {
    const open = this.#open.get(key) ?? 0;
    if (open >= this.limit) return false;
    this.#open.set(key, open + 1);
    return true;
  }

  release(key: string): void {
    const open = (this.#open.get(key) ?? 1) - 1;
    if (open > 0) this.#open.set(key, open);
    else this.#open.delete(key);
  }
}
