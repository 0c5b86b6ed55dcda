/** Lets a fixed number of tasks run at once; the others wait in the order in which they came. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param slots how many tasks may run at once */
  constructor(slots: number) {
    this.#free = slots;
  }

  /** How many tasks wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs the task as soon as a slot is free, and answers what it answers or throws what it throws. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.#acquire();
    try {
      return await task();
    } finally {
      this.#release();
    }
  }

  #acquire(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Hands the slot straight to the next in line, so that a newcomer can't slip in between. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next) return next();
    this.#free += 1;
  }
}
