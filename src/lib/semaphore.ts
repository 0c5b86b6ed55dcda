import { addTo } from "./add-to.js";
import { getOrMake } from "./get-or-make.js";

interface Waiter {
  slots: number;
  rank: number;
  go(): void;
  refuse(reason: string): void;
}

/** Runs tasks that together take a fixed number of slots; the others wait by rank, those of the same rank in order of arrival. */
export class Semaphore {
  #taken = 0;
  /** in the order of their turns */
  readonly #waiting: Waiter[] = [];

  /**
   * @param slots number of slots
   * @param mostWaiting maximum number of waiting tasks; one more drops the last of them
   */
  constructor(
    private readonly slots: number,
    private readonly mostWaiting = Infinity,
  ) {}

  get waiting(): number {
    return this.#waiting.length;
  }

  get isIdle(): boolean {
    return this.#taken === 0;
  }

  /** Runs the task as soon as a slot is free. @returns its result @throws its error */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await task();
    } finally {
      release();
    }
  }

  /**
   * Waits for slots; behind tasks that are waiting with the same or a lower rank, even if enough slots are free.
   * @param longest milliseconds to wait; by default no limit
   * @param slots number of slots; at most all
   * @returns releases the slots; may be called more than once
   * @throws Error if they were not free in time, or too many wait
   */
  async acquire(longest?: number, slots = 1, rank = 0): Promise<() => void> {
    const free = this.take(slots);
    if (free) return free;
    const wanted = Math.min(slots, this.slots);
    await this.#turn(wanted, rank, longest);
    return this.#releaseOf(wanted);
  }

  /**
   * Acquires slots that are free now, without the promise of `acquire`.
   * @param slots number of slots; at most all
   * @returns releases the slots; may be called more than once; null if the task has to wait
   */
  take(slots = 1): (() => void) | null {
    const wanted = Math.min(slots, this.slots);
    if (this.waiting > 0 || !this.#hasRoom(wanted)) return null;
    this.#taken += wanted;
    return this.#releaseOf(wanted);
  }

  #releaseOf(slots: number): () => void {
    let held = slots;
    return () => {
      this.#taken -= held;
      held = 0;
      this.#admit();
    };
  }

  #hasRoom = (slots: number): boolean => this.#taken + slots <= this.slots;

  #turn(slots: number, rank: number, longest: number | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const refuse = (reason: string) => {
        clearTimeout(timer);
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        this.#admit(); // later tasks may need fewer slots
        reject(new Error(reason));
      };
      const waiter = { slots, rank, go, refuse };
      this.#waiting.splice(this.#waiting.findLastIndex((each) => each.rank <= rank) + 1, 0, waiter);
      if (longest !== undefined) timer = setTimeout(refuse, longest, `no slot was free within ${longest} ms`);
      if (this.waiting > this.mostWaiting) this.#waiting.at(-1)?.refuse("too many wait");
    });
  }

  /** Passes the slots directly to the next waiting task, so that a new one can't overtake it. */
  #admit(): void {
    for (let next = this.#waiting[0]; next && this.#hasRoom(next.slots); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#taken += next.slots;
      next.go();
    }
  }
}

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

/**
 * Runs tasks that together take a fixed number of slots. If some wait, their keys are served fairly (weighted fair
 * queuing): each key's tasks get as many slots as those of any other, so that a small one goes before the large ones of others,
 * however many these are. The tasks of a key are served in order.
 */
export class FairSemaphore {
  readonly #semaphore: Semaphore;
  /** slots that each waiting key would have had by now, if all were served at the same speed */
  #time = 0;
  /** while anything waits, the time at which each key's latest task would have ended */
  readonly #finishes = new Map<string, number>();
  /** how many tasks of each key wait */
  readonly #tasks = new Map<string, number>();

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
   * @param longest milliseconds to wait; by default no limit
   * @returns releases them; may be called more than once
   * @throws Error if they were not free in time, or too many wait
   */
  async acquire(key: string, slots: number, longest?: number): Promise<() => void> {
    const free = this.#semaphore.take(slots);
    if (free) return free;
    if (this.waiting === 0) {
      this.#finishes.clear();
      this.#time = 0;
    }
    const finish = Math.max(this.#time, this.#finishes.get(key) ?? 0) + slots;
    this.#finishes.set(key, finish);
    addTo(this.#tasks, key, 1);
    try {
      const release = await this.#semaphore.acquire(longest, slots, finish);
      this.#time += slots / this.#tasks.size;
      return release;
    } catch (error) {
      this.#finishes.set(key, (this.#finishes.get(key) ?? slots) - slots); // it has taken none
      throw error;
    } finally {
      addTo(this.#tasks, key, -1);
    }
  }
}
