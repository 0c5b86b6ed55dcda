/**
 * Work that many ask for at the same time, done once for all of them. Whoever comes while it is being done waits for the
 * next time, which begins afterwards and is for everybody who came meanwhile: so nobody is ever answered with what was read
 * before they asked, and there is never more than one at work for each key.
 */
import { setImmediate } from "node:timers/promises";

export class Together<T> {
  private readonly running = new Map<string, Promise<T>>();
  private readonly waiting = new Map<string, Promise<T>>();

  /** What the work of this key gives; it rejects for all of them together. */
  do(key: string, work: () => Promise<T>): Promise<T> {
    const waiting = this.waiting.get(key) ?? this.wait(key, work);
    this.waiting.set(key, waiting);
    return waiting;
  }

  /** Begins when nobody is at it, and when the requests that have arrived by now are read: they join. */
  private async wait(key: string, work: () => Promise<T>): Promise<T> {
    await this.running.get(key)?.catch(() => undefined);
    await setImmediate();
    this.waiting.delete(key);
    const doing = work();
    this.running.set(key, doing);
    try {
      return await doing;
    } finally {
      if (this.running.get(key) === doing) this.running.delete(key);
    }
  }
}
