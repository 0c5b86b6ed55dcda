/** Counts what is open by whose it is, against a limit for each. */
export class Tally {
  readonly #open = new Map<string, number>();

  /** @param limit how many one key may have at the same time */
  constructor(private readonly limit: number) {}

  /** Takes one for the key, until it is given back. @returns false when the key has as many as it may */
  take(key: string): boolean {
    const open = this.#open.get(key) ?? 0;
    if (open >= this.limit) return false;
    this.#open.set(key, open + 1);
    return true;
  }

  giveBack(key: string): void {
    const open = (this.#open.get(key) ?? 1) - 1;
    if (open > 0) this.#open.set(key, open);
    else this.#open.delete(key);
  }
}
