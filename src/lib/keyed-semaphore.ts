import { Semaphore } from "./semaphore.js";

/** Lets a fixed number of tasks of each key run at once; a key costs memory only while it has tasks. */
export class KeyedSemaphore {
  readonly #semaphores = new Map<string, Semaphore>();

  /** @param slots how many tasks of one key may run at once */
  constructor(private readonly slots: number) {}

  /**
   * Waits for a slot of the key.
   * @param longest milliseconds to wait
   * @returns gives the slot back, to be called once
   * @throws Error when no slot was free in time
   */
  async acquire(key: string, longest: number): Promise<() => void> {
    const semaphore = this.#semaphores.get(key) ?? new Semaphore(this.slots);
    this.#semaphores.set(key, semaphore);
    const release = await semaphore.acquire(longest); // while one waits, others run
    return () => {
      release();
      if (semaphore.isIdle) this.#semaphores.delete(key);
    };
  }
}
