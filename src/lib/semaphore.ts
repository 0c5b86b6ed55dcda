/** A task that waits for its slots. */
interface Waiter {
  slots: number;
  go(): void;
}

/** Lets tasks run at once that take a fixed number of slots together; the others wait in the order in which they came. */
export class Semaphore {
  #taken = 0;
  readonly #waiting = new Set<Waiter>();

  /** @param slots how many there are */
  constructor(private readonly slots: number) {}

  /** How many tasks wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether no task runs or waits. */
  get isIdle(): boolean {
    return this.#taken === 0;
  }

  /** Runs the task as soon as a slot is free, and answers what it answers or throws what it throws. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await task();
    } finally {
      release();
    }
  }

  /**
   * Waits for slots; a newcomer waits for those who came before, also where its own are free.
   * @param longest milliseconds to wait; without, for as long as it takes
   * @param slots how many the task takes; all of them at the most
   * @returns gives the slots back, to be called once
   * @throws Error when they were not free in time
   */
  async acquire(longest?: number, slots = 1): Promise<() => void> {
    const free = this.take(slots);
    if (free) return free;
    const wanted = Math.min(slots, this.slots);
    await this.#turn(wanted, longest);
    return () => this.#give(wanted);
  }

  /**
   * Takes slots that are free at once, without the promise of `acquire`.
   * @param slots how many the task takes; all of them at the most
   * @returns gives the slots back, to be called once; null where the task has to wait for them
   */
  take(slots = 1): (() => void) | null {
    const wanted = Math.min(slots, this.slots);
    if (this.#waiting.size > 0 || !this.#hasRoom(wanted)) return null;
    this.#taken += wanted;
    return () => this.#give(wanted);
  }

  #give(slots: number): void {
    this.#taken -= slots;
    this.#admit();
  }

  #hasRoom = (slots: number): boolean => this.#taken + slots <= this.slots;

  #turn(slots: number, longest: number | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const waiter = { slots, go };
      this.#waiting.add(waiter);
      if (longest === undefined) return;
      timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        this.#admit(); // those behind it may take fewer
        reject(new Error(`no slot was free within ${longest} ms`));
      }, longest);
    });
  }

  /** Hands the slots straight to the next in line, so that a newcomer can't slip in between. */
  #admit(): void {
    for (const waiter of this.#waiting) {
      if (!this.#hasRoom(waiter.slots)) return;
      this.#waiting.delete(waiter);
      this.#taken += waiter.slots;
      waiter.go();
    }
  }
}
