/**
 * Batches counts of one key that arrive while an earlier one is being sent to a shared store:
 * many users behind one address cost the store hardly more than one. A single count never waits.
 */
import type { MaybePromise } from "../../lib/maybe-promise.js";
import type { Counter, Used } from "./store.js";

interface Waiting {
  times: number;
  resolve: (used: Used) => void;
  reject: (error: unknown) => void;
}

/** A counter that is called once for several counts of a key. */
export class BatchingCounter implements Counter {
  private readonly queues = new Map<string, Waiting[]>();

  /** @param counter adds a number, and returns the new count */
  constructor(private readonly counter: Counter) {}

  count(key: string, times = 1): Promise<Used> {
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(key) ?? [];
      queue.push({ times, resolve, reject });
      if (!this.queues.has(key)) void this.send(key, queue);
    });
  }

  read(key: string): MaybePromise<Used | null> {
    return this.counter.read(key);
  }

  private async send(key: string, queue: Waiting[]): Promise<void> {
    this.queues.set(key, queue);
    while (queue.length > 0) {
      const batch = queue.splice(0);
      try {
        const all = batch.reduce((sum, { times }) => sum + times, 0);
        const { points, msBeforeNext } = await this.counter.count(key, all);
        let reached = points - all;
        for (const { times, resolve } of batch) resolve({ points: (reached += times), msBeforeNext });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.queues.delete(key);
  }
}
