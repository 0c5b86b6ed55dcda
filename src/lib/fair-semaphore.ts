import { Semaphore } from "./semaphore.js";

/**
 * Runs tasks that together take a fixed number of slots. If some wait, their keys are served fairly (start-time fair
 * queuing): each key's tasks get as many slots as those of any other, so that a small one goes before the large ones of others,
 * however many these are. The tasks of a key are served in order.
 */
export class FairSemaphore {
  readonly #semaphore: Semaphore;
  /** while anything waits, virtual finish time of each key's latest task, if all keys were served at the same speed, in slots */
  readonly #finishes = new Map<string, number>();
  /** that of the task served last */
  #served = 0;

  /**
   * @param slots number of slots
   * @param mostWaiting maximum number of waiting tasks; one more drops the last of the key with the most
   */
  constructor(slots: number, mostWaiting?: number) {
    this.#semaphore = new Semaphore(slots, mostWaiting);
  }

  get waiting(): number {
    return this.#semaphore.waiting;
  }

  /**
   * Waits for slots.
   * @param slots number of slots; at most all
   * @param longest milliseconds to wait
   * @returns releases them; may be called more than once
   * @throws Error if they were not free in time, or too many wait
   */
  async acquire(key: string, slots: number, longest: number): Promise<() => void> {
    const free = this.#semaphore.take(slots);
    if (free) return free;
    if (this.waiting === 0) {
      this.#finishes.clear();
      this.#served = 0;
    }
    const finish = Math.max(this.#served, this.#finishes.get(key) ?? 0) + slots;
    this.#finishes.set(key, finish);
    const release = await this.#semaphore.acquire(longest, slots, finish).catch((error: unknown) => {
      this.#finishes.set(key, (this.#finishes.get(key) ?? slots) - slots); // it has taken none
      throw error;
    });
    this.#served = finish;
    return release;
  }
}
