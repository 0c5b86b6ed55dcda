import { Semaphore } from "./semaphore.js";
import { getOrMake } from "./get-or-make.js";

/** Runs tasks that together take a fixed number of slots per key; a key takes memory only while it has tasks. */
export class KeyedSemaphore {
  readonly #semaphores = new Map<string, Semaphore>();

  /** @param slots number of slots of each key */
  constructor(private readonly slots: number) {}

  /**
   * Waits for slots of the key. If they are free, no promise is returned, since nearly every request calls this.
   * @param longest milliseconds to wait
   * @param slots number of slots; at most all of the key
   * @returns releases them, to be called once
   * @throws Error (by rejection) if they were not free in time
   */
  acquire(key: string, longest: number, slots = 1): (() => void) | Promise<() => void> {
    const semaphore = this.#semaphoreOf(key);
    const free = semaphore.take(slots);
    const given = (release: () => void) => this.#releasing(key, semaphore, release);
    return free ? given(free) : semaphore.acquire(longest, slots).then(given); // while one waits, others run
  }

  /** Acquires a slot that is free now. @returns releases it, to be called once; null if there is none */
  take(key: string): (() => void) | null {
    const semaphore = this.#semaphoreOf(key);
    const free = semaphore.take();
    return free && this.#releasing(key, semaphore, free);
  }

  #semaphoreOf(key: string): Semaphore {
    return getOrMake(this.#semaphores, key, () => new Semaphore(this.slots));
  }

  #releasing(key: string, semaphore: Semaphore, release: () => void): () => void {
    return () => {
      release();
      if (semaphore.isIdle) this.#semaphores.delete(key);
    };
  }
}
