/** Limits the requests to a site: a number per second, and fewer when it says so or returns errors. */
import { setTimeout as sleep } from "node:timers/promises";
import { ImportError, Interrupted } from "./source.js";

/** A site that may well answer later: overloaded, restarting, not reachable, or cut off in the middle. */
export class SiteTrouble extends Error {
  override name = "SiteTrouble";
  constructor(
    message: string,
    /** what it says itself about how long to wait, in seconds */
    readonly retryAfter: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** How quick, and until when. */
export interface PaceOptions {
  /** most requests a second */
  rate: number;
  /** aborted when the import is to end: nothing is waited for any more */
  signal: AbortSignal;
  /** pause after the first trouble, in milliseconds; doubled each time */
  firstPause?: number;
}

const ATTEMPTS = 5;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;
/** A site that wants to be left alone for longer is left alone until the next run. In seconds. */
const LONGEST_RETRY_AFTER = 900;

/** Has questions to one site follow each other at a distance. */
export class Pace {
  private next = 0;

  constructor(private readonly options: PaceOptions) {}

  /**
   * Asks in its turn, and again after a pause while there is trouble.
   * @throws SiteTrouble the last one, after five attempts
   * @throws Interrupted when the import is to end
   * @throws ImportError when the site asks for a very long pause
   */
  async ask<T>(question: () => Promise<T>, attempts = ATTEMPTS): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      await this.turn();
      try {
        return await question();
      } catch (error) {
        if (!(error instanceof SiteTrouble) || attempt >= attempts) throw error;
        await this.pause(this.pauseAfter(error, attempt));
      }
    }
  }

  private async turn(): Promise<void> {
    const now = performance.now();
    const start = Math.max(now, this.next);
    this.next = start + 1_000 / this.options.rate;
    await this.pause(start - now);
  }

  private pauseAfter({ retryAfter, message }: SiteTrouble, attempt: number): number {
    if (retryAfter !== null && retryAfter > LONGEST_RETRY_AFTER)
      throw new ImportError(`${message}; it asks to be left alone for ${retryAfter} seconds.`);
    const own = Math.min((this.options.firstPause ?? FIRST_PAUSE) * 2 ** (attempt - 1), LONGEST_PAUSE);
    return retryAfter === null ? own : Math.max(retryAfter * 1_000, Math.min(own, 1_000));
  }

  private async pause(milliseconds: number): Promise<void> {
    const { signal } = this.options;
    if (milliseconds > 0) await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw new Interrupted();
  }
}

/** `Retry-After` as seconds: a number of them, or a date. Null for anything else. */
export function readRetryAfter(value: string | null | undefined, now = Date.now()): number | null {
  const text = value?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date = /^[a-z]{3}/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1_000));
}
