/**
 * A lane for work that is known beforehand to block the event loop for long: long bodies, URLs, documents, and introspection.
 * A process runs one piece at a time, addresses take turns, and after each the lane pauses for as long as it took, so
 * that all such work together has half of the loop's time.
 */
import { failure } from "../../errors.js";
import { FairQueue } from "../../lib/fair-queue.js";

/** Bodies and URLs of at least this many characters are heavy work. */
export const HEAVY_LENGTH = 8_000;

/** Maximum number of waiting pieces; one more drops one of the address with the most. */
const MOST_WAITING = 64;
const LONGEST_WAIT_MS = 10_000;
/** Longest pause: work may have waited for something else as well. */
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

  /** Number of waiting pieces. */
  get size(): number {
    return this.waiting.size;
  }

  /**
   * Runs a piece of work when its turn has come. @param key of the address
   * @throws BoardError 503 if that takes too long, or too much waits; errors of the work
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
   * @throws BoardError 503 if it takes too long, or too much waits
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
    let timer: NodeJS.Timeout | undefined;
    const turn = new Promise<void>((resolve, reject) => {
      const waiter = { go: resolve, refuse: () => reject(overloaded()) };
      timer = setTimeout(() => {
        this.waiting.remove(key, waiter);
        waiter.refuse();
      }, LONGEST_WAIT_MS);
      this.waiting.push(key, waiter);
      if (this.waiting.size > MOST_WAITING) this.waiting.dropOfLongest()?.refuse();
    });
    return turn.finally(() => clearTimeout(timer));
  }

  private next(): void {
    const next = this.waiting.shift();
    if (next) next.go();
    else this.isTaken = false;
  }
}

/** The heavy work of one request, which counts as one piece. */
export class HeavyWork {
  private leaving: Promise<() => void> | undefined;
  private isOver = false;

  constructor(
    private readonly lane: HeavyLane,
    private readonly keyOf: () => string,
  ) {}

  /** Runs a function when the turn has come. @throws BoardError 503 as `HeavyLane.enter`; errors of the function */
  async run<T>(work: () => T): Promise<T> {
    await this.begin();
    try {
      return work();
    } finally {
      this.end();
    }
  }

  /** Waits for the turn, unless it has come already. @throws BoardError 503 as `HeavyLane.enter` */
  async begin(): Promise<void> {
    this.leaving ??= this.lane.enter(this.keyOf());
    const leave = await this.leaving;
    if (!this.isOver) return;
    leave();
    throw overloaded(); // the client has disconnected
  }

  /** Ends the turn; there may be another one later. */
  end(): void {
    const { leaving } = this;
    this.leaving = undefined;
    void leaving?.then((leave) => leave()).catch(() => undefined);
  }

  /** Ends it for good: the request was answered or aborted. */
  close(): void {
    this.isOver = true;
    this.end();
  }
}
