/** Limits the requests to a site: a number per second, and fewer when it says so or returns errors. */
import { setTimeout as sleep } from "node:timers/promises";
import { ImportError, Interrupted } from "./source.js";

/** A transient error of a site: overloaded, restarting, unreachable, or an incomplete response. */
export class SiteUnavailable extends Error {
  constructor(
    message: string,
    /** its `Retry-After`, in seconds */
    readonly retryAfter: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface PaceOptions {
  /** maximum number of requests per second */
  rate: number;
  /** aborted to stop waiting */
  signal: AbortSignal;
  /** delay before the first retry, in milliseconds; doubled for each further one */
  firstPause?: number;
}

const ATTEMPTS = 5;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;
/** Longest accepted `Retry-After` in seconds; a longer one ends the import. */
const LONGEST_RETRY_AFTER = 900;

/** Spaces out the requests to one site, and retries them with exponential back-off. */
export class Pace {
  private next = 0;

  constructor(private readonly options: PaceOptions) {}

  /**
   * Sends a request when it is due, and retries it while the site is unavailable.
   * @throws SiteUnavailable after the last attempt
   * @throws Interrupted if the signal is aborted
   * @throws ImportError if the site's `Retry-After` is too long
   */
  async run<T>(send: () => Promise<T>, attempts = ATTEMPTS): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      await this.turn();
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof SiteUnavailable) || attempt >= attempts) throw error;
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

  private pauseAfter({ retryAfter, message }: SiteUnavailable, attempt: number): number {
    if (retryAfter !== null && retryAfter > LONGEST_RETRY_AFTER)
      throw new ImportError(`${message}; it asks to retry after ${retryAfter} seconds.`);
    const backoff = Math.min((this.options.firstPause ?? FIRST_PAUSE) * 2 ** (attempt - 1), LONGEST_PAUSE);
    return retryAfter === null ? backoff : Math.max(retryAfter * 1_000, Math.min(backoff, 1_000));
  }

  private async pause(milliseconds: number): Promise<void> {
    const { signal } = this.options;
    if (milliseconds > 0) await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw new Interrupted();
  }
}

/** `Retry-After`, a number of seconds or a date, in seconds; null if invalid. */
export function readRetryAfter(value: string | null | undefined, now = Date.now()): number | null {
  const text = value?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date = /^[a-z]{3}/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1_000));
}
