/** A task that waits for its slots. */
interface Waiter {
  slots: number;
  /** virtual finish time, if all keys were served at the same speed, in slots; the smallest is served first */
  tag: number;
  go(): void;
}

/**
 * Runs tasks that together take a fixed number of slots. If some wait, their keys are served fairly (start-time fair
 * queuing): each key's tasks get as many slots as those of any other, so that a small one goes before the large ones of others,
 * however many these are. The tasks of a key are served in order.
 */
export class FairSemaphore {
  #taken = 0;
  readonly #waiting = new Set<Waiter>();
  /** finish time of each key's latest task, while anything waits */
  readonly #tags = new Map<string, number>();
  /** start time of the task served last */
  #served = 0;

  /** @param slots number of slots */
  constructor(private readonly slots: number) {}

  /**
   * Waits for slots.
   * @param slots number of slots; at most all
   * @param longest milliseconds to wait
   * @returns releases them; may be called more than once
   * @throws Error if they were not free in time
   */
  async acquire(key: string, slots: number, longest: number): Promise<() => void> {
    let held = Math.min(slots, this.slots);
    if (this.#waiting.size === 0 && this.#hasRoom(held)) this.#taken += held;
    else await this.#turn(key, held, longest);
    return () => {
      this.#taken -= held;
      held = 0;
      this.#admit();
    };
  }

  #hasRoom = (slots: number): boolean => this.#taken + slots <= this.slots;

  #turn(key: string, slots: number, longest: number): Promise<void> {
    const tag = Math.max(this.#served, this.#tags.get(key) ?? 0) + slots;
    this.#tags.set(key, tag);
    return new Promise((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const waiter = { slots, tag, go };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        this.#admit(); // later tasks may need fewer slots
        reject(new Error(`no slot was free within ${longest} ms`));
      }, longest);
      this.#waiting.add(waiter);
    });
  }

  #admit(): void {
    for (let next = this.#next(); next && this.#hasRoom(next.slots); next = this.#next()) {
      this.#waiting.delete(next);
      this.#taken += next.slots;
      this.#served = next.tag;
      next.go();
    }
    if (this.#waiting.size > 0) return;
    this.#tags.clear();
    this.#served = 0;
  }

  #next(): Waiter | undefined {
    let next: Waiter | undefined;
    for (const waiter of this.#waiting) if (!next || waiter.tag < next.tag) next = waiter;
    return next;
  }
}
