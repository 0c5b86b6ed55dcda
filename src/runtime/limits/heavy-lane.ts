/**
 * A lane for work that is known to hold the event loop for long before it begins: long bodies, URLs and documents, and the whole
 * schema. A process does one piece of it at a time, addresses take turns, and after each the lane rests for as long as it took, so
 * that all such work together has half of the loop's time, and everybody else the other half.
 */
import { failure } from "../../errors.js";
import { FairQueue } from "../../lib/fair-queue.js";

/** Bodies and URLs of at least this many characters are heavy work. */
export const HEAVY_LENGTH = 8_000;

/** Pieces of work that wait; with another one the address that has the most waiting has one less. */
const MOST_WAITING = 64;
const LONGEST_WAIT_MS = 10_000;
/** Longest rest: work may have waited for something else as well. */
const LONGEST_REST_MS = 200;
const RETRY_SECONDS = 1;
const overloaded = () => failure("overloaded", {}, { retryAfter: RETRY_SECONDS });

interface Waiter {
  go(): void;
  refuse(): void;
}

export class HeavyLane {
  private readonly waiting = new FairQueue<Waiter>();
  private isTaken = false;

  /** How many pieces of work wait. */
  get size(): number {
    return this.waiting.size;
  }

  /**
   * Does a piece of work when its turn has come. @param key of the address
   * @throws BoardError 503 when that takes too long, or too much waits; what the work throws
   */
  async run<T>(key: string, work: () => T): Promise<T> {
    const leave = await this.enter(key);
    try {
      return work();
    } finally {
      leave();
    }
  }

  /**
   * Waits for the turn.
   * @param key of the address
   * @returns ends the work; may be called more than once
   * @throws BoardError 503 when it takes too long, or too much waits
   */
  async enter(key: string): Promise<() => void> {
    if (this.isTaken) await this.turn(key);
    this.isTaken = true;
    const began = performance.now();
    let hasLeft = false;
    return () => {
      if (!hasLeft) setTimeout(() => this.next(), Math.min(performance.now() - began, LONGEST_REST_MS));
      hasLeft = true;
    };
  }

  private turn(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = () => {
        clearTimeout(timer);
        reject(overloaded());
      };
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const waiter = { go, refuse };
      const timer = setTimeout(() => {
        this.waiting.remove(key, waiter);
        refuse();
      }, LONGEST_WAIT_MS);
      this.waiting.push(key, waiter);
      if (this.waiting.size > MOST_WAITING) this.waiting.dropOfLongest()?.refuse();
    });
  }

  private next(): void {
    const next = this.waiting.shift();
    if (next) next.go();
    else this.isTaken = false;
  }
}

/** The heavy work of one request, which is one piece, whatever it consists of. */
export class HeavyWork {
  private leaving: Promise<() => void> | undefined;
  private isOver = false;

  constructor(
    private readonly lane: HeavyLane,
    private readonly keyOf: () => string,
  ) {}

  /** Does it when its turn has come, and all of it. @throws BoardError 503 as `HeavyLane.enter`; what the work throws */
  async run<T>(work: () => T): Promise<T> {
    await this.begin();
    try {
      return work();
    } finally {
      this.end();
    }
  }

  /** Begins it when its turn has come, unless it has begun. @throws BoardError 503 as `HeavyLane.enter` */
  async begin(): Promise<void> {
    this.leaving ??= this.lane.enter(this.keyOf());
    const leave = await this.leaving;
    if (!this.isOver) return;
    leave();
    throw overloaded(); // nobody waits for the answer any more
  }

  /** Ends it; there may be more of it later. */
  end(): void {
    const { leaving } = this;
    this.leaving = undefined;
    void leaving?.then((leave) => leave()).catch(() => undefined);
  }

  /** Ends it for good: the request is answered, or given up. */
  close(): void {
    this.isOver = true;
    this.end();
  }
}
