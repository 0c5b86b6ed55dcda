/**
 * A lane for work that is known beforehand to block the event loop for long: long bodies, URLs, documents, and introspection.
 * A process runs one piece at a time, addresses take turns, and after each the lane pauses for as long as it took, so
 * that all such work together has half of the loop's time.
 */
import { overloaded } from "../../errors.js";
import { FairSemaphore } from "../../lib/semaphore.js";

/** Bodies and URLs of at least this many characters are heavy work. */
export const HEAVY_LENGTH = 8_000;

/** Maximum number of waiting pieces; one more drops one of the address with the most. */
const MOST_WAITING = 64;
const LONGEST_WAIT_MS = 10_000;
/** Longest pause: work may have waited for something else as well. */
const LONGEST_REST_MS = 200;
/** After this many milliseconds a piece waits for something else, such as the database: the next one starts. */
const LONGEST_TURN_MS = 200;

export class HeavyLane {
  readonly lane = new FairSemaphore(1, MOST_WAITING);

  /**
   * Runs a piece of work when its turn has come. @param key of the address
   * @throws BoardError 503 if that takes too long, or too much waits; errors of the work
   */
  run<T>(key: string, work: () => T): Promise<T> {
    return new HeavyWork(this, () => key).run(work);
  }

  /**
   * Waits for the turn.
   * @param key of the address
   * @returns ends the work; may be called more than once
   * @throws BoardError 503 if it takes too long, or too much waits
   */
  async enter(key: string): Promise<() => void> {
    const release = await this.lane.acquire(key, 1, LONGEST_WAIT_MS).catch(() => {
      throw overloaded();
    });
    const began = performance.now();
    const timer = setTimeout(release, LONGEST_TURN_MS);
    return () => {
      clearTimeout(timer);
      setTimeout(release, Math.min(performance.now() - began, LONGEST_REST_MS));
    };
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
