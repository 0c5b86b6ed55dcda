/** Counts in the memory of the process. The library that counts in PostgreSQL and Redis makes promises and a timer for each key in memory, too. */
import { getOrMake } from "../../lib/get-or-make.js";
import type { Counter, LimitStore, Used } from "./store.js";

const HOUR_MS = 3_600_000;

interface Window {
  points: number;
  /** milliseconds of the clock */
  readonly end: number;
}

/** Number of expired windows that are removed for each new one, so that no request removes very many. */
const REMOVED_AT_ONCE = 2;

export class MemoryCounter implements Counter {
  /** by key, ordered by their ends, since all have the same length; some have expired */
  readonly windows = new Map<string, Window>();

  /** @param duration milliseconds @param now milliseconds of a monotonic clock */
  constructor(
    private readonly duration: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  count(key: string, times = 1): Used {
    const now = this.now();
    const window = this.current(key, now) ?? this.open(key, now);
    window.points += times;
    return { points: window.points, msBeforeNext: window.end - now };
  }

  read(key: string): Used | null {
    const now = this.now();
    const window = this.current(key, now);
    return window ? { points: window.points, msBeforeNext: window.end - now } : null;
  }

  private current(key: string, now: number): Window | null {
    const window = this.windows.get(key);
    return window && window.end > now ? window : null;
  }

  private open(key: string, now: number): Window {
    this.windows.delete(key); // a window that has ended, which would keep its place in the order
    this.removeEnded(now);
    const window = { points: 0, end: now + this.duration };
    this.windows.set(key, window);
    return window;
  }

  private removeEnded(now: number): void {
    let left = REMOVED_AT_ONCE;
    for (const [key, { end }] of this.windows) {
      if (left === 0 || end > now) return;
      this.windows.delete(key);
      left -= 1;
    }
  }
}

/** Counts in the memory of this process. */
export function memoryStore(): LimitStore & { counter(name: string): MemoryCounter } {
  const counters = new Map<string, MemoryCounter>();
  return { counter: (name) => getOrMake(counters, name, () => new MemoryCounter(HOUR_MS)) };
}
