/** Lets a fixed number of tasks run at once; the others wait in the order in which they came. */
export class Semaphore {
  #running = 0;
  readonly #waiting = new Set<() => void>();

  /** @param slots how many tasks may run at once */
  constructor(private readonly slots: number) {}

  /** How many tasks wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether no task runs or waits. */
  get isIdle(): boolean {
    return this.#running === 0;
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
   * Waits for a slot.
   * @param longest milliseconds to wait; without, for as long as it takes
   * @returns gives the slot back, to be called once
   * @throws Error when no slot was free in time
   */
  async acquire(longest?: number): Promise<() => void> {
    if (this.#running < this.slots) this.#running += 1;
    else await this.#turn(longest);
    return () => this.#release();
  }

  #turn(longest: number | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.add(go);
      if (longest === undefined) return;
      timer = setTimeout(() => {
        this.#waiting.delete(go);
        reject(new Error(`no slot was free within ${longest} ms`));
      }, longest);
    });
  }

  /** Hands the slot straight to the next in line, so that a newcomer can't slip in between. */
  #release(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#running -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
