import { Semaphore } from "./semaphore.js";

/** Lets tasks of each key run at once that take a fixed number of slots together; a key costs memory only while it has tasks. */
export class KeyedSemaphore {
  readonly #semaphores = new Map<string, Semaphore>();

  /** @param slots how many each key has */
  constructor(private readonly slots: number) {}

  /**
   * Waits for slots of the key, unless they are free: then there is no promise, since nearly every request comes here.
   * @param longest milliseconds to wait
   * @param slots how many; all of the key at the most
   * @returns gives them back, to be called once
   * @throws Error (by rejection) when they were not free in time
   */
  acquire(key: string, longest: number, slots = 1): (() => void) | Promise<() => void> {
    const semaphore = this.#semaphores.get(key) ?? new Semaphore(this.slots);
    this.#semaphores.set(key, semaphore);
    const given = (release: () => void) => () => {
      release();
      if (semaphore.isIdle) this.#semaphores.delete(key);
    };
    const free = semaphore.take(slots);
    return free ? given(free) : semaphore.acquire(longest, slots).then(given); // while one waits, others run
  }
}
