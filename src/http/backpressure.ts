/**
 * Concurrent requests of a process: beyond a limit they are refused, since a growing queue helps nobody.
 *
 * A request counts from its last byte to the first byte of its response. Slow bodies and slow readers
 * cost only a connection (see `connections.ts`) and the memory of an unread response, so slow clients don't affect others. An address
 * has few requests in progress at a time, and fewer if they are large (`beginWork` takes a weight); its others wait: however
 * many it sends, other clients are served soon.
 */
import type { Config } from "../config.js";
import { overloaded } from "../errors.js";
import { FairSemaphore, KeyedSemaphore } from "../lib/semaphore.js";
import { andThen, type MaybePromise } from "../lib/maybe-promise.js";
import { type HeavyLane, HeavyWork } from "../runtime/limits/heavy-lane.js";
import { addressKey } from "../runtime/limits/limiter.js";
import { hasBody } from "./body.js";
import type { Step } from "./exchange.js";
import { timeoutBody, timeoutReader, UnreadResponses } from "./slow-clients.js";

export type Bounds = Pick<Config, "BODY_STALL_MS" | "SEND_TIMEOUT_MS" | "RESPONSE_BYTES_IN_FLIGHT">;

/** Longest wait of a request for others of its address. */
const TURN_WAIT_MS = 10_000;

/**
 * Total weight of the large requests that run at once, over all addresses: each blocks the event loop for some milliseconds at a
 * time, which delays all others. The rest wait, with addresses served in turn.
 */
const LARGE_AT_ONCE = 6;

/** After this many milliseconds a large request is waiting for the database rather than computing: another one starts. */
const LARGE_MS = 100;

/** Limits the requests in progress of a process, in all and for each address. */
export class ConcurrencyLimit {
  private running = 0;
  private readonly shares: KeyedSemaphore;
  private readonly large = new FairSemaphore(LARGE_AT_ONCE);

  constructor(private readonly bounds: Pick<Config, "MAX_REQUESTS" | "MAX_REQUESTS_PER_ADDRESS">) {
    this.shares = new KeyedSemaphore(bounds.MAX_REQUESTS_PER_ADDRESS);
  }

  get isFull(): boolean {
    return this.running >= this.bounds.MAX_REQUESTS;
  }

  /**
   * Starts a request as soon as its address has a free slot; while it waits it does not count.
   * @param weight how many ordinary requests it counts as; at most one less than the limit of the address, so that it need not wait for one that takes long
   * @returns ends the request, to be called once
   * @throws BoardError 503 over the limit
   */
  begin(address: string, weight = 1): MaybePromise<() => void> {
    const key = addressKey(address);
    const most = Math.max(1, this.bounds.MAX_REQUESTS_PER_ADDRESS - 1);
    const share = this.shares.acquire(key, TURN_WAIT_MS, Math.min(weight, most));
    if (!(share instanceof Promise) && weight === 1) return this.enter(share);
    return this.beginInTurn(key, weight, share);
  }

  private async beginInTurn(key: string, weight: number, share: MaybePromise<() => void>): Promise<() => void> {
    const release = await Promise.resolve(share).catch((cause: unknown) => {
      throw overloaded(cause);
    });
    if (weight === 1) return this.enter(release);
    const endLarge = await this.turnOfLarge(key, weight).catch((error: unknown) => {
      release();
      throw error;
    });
    return this.enter(() => {
      endLarge();
      release();
    });
  }

  /** @param release frees the slots of the request @throws BoardError 503, with them freed */
  private enter(release: () => void): () => void {
    if (this.isFull) {
      release();
      throw overloaded();
    }
    this.running += 1;
    return () => {
      this.running -= 1;
      release();
    };
  }

  /** Waits until a large request may run. @throws BoardError 503 when that takes too long */
  private async turnOfLarge(key: string, weight: number): Promise<() => void> {
    const end = await this.large.acquire(key, weight, TURN_WAIT_MS).catch((cause: unknown) => {
      throw overloaded(cause);
    });
    const timer = setTimeout(end, LARGE_MS);
    return () => {
      clearTimeout(timer);
      end();
    };
  }
}

/** A request whose client has disconnected counts no longer than this, in milliseconds; statements and decodings end before. */
const ABANDONED_MS = 60_000;

/** Refuses requests over the limit, and counts others from `beginWork` until the response begins. */
export const shed = (limit: ConcurrencyLimit, lane: HeavyLane, bounds: Bounds): Step => {
  const { BODY_STALL_MS, SEND_TIMEOUT_MS, RESPONSE_BYTES_IN_FLIGHT } = bounds;
  const unread = new UnreadResponses(RESPONSE_BYTES_IN_FLIGHT);
  return (exchange, next) => {
    if (limit.isFull) throw overloaded();
    const { request, response, address } = exchange;
    let isAnswered = false;
    let end: (() => void) | undefined;
    let held = 0;
    const begun = (done: () => void) => {
      if (isAnswered) done();
      else end = done;
      if (response.closed) throw overloaded(); // the client has disconnected
    };
    const begin = (weight: number) => {
      held = weight;
      end?.(); // freed first: requests that hold what this one waits for may be waiting for it
      end = undefined;
      const done = limit.begin(address, weight);
      return andThen(done, begun);
    };
    const heavy = (exchange.heavy = new HeavyWork(lane, () => addressKey(address)));
    exchange.beginWork = (weight = 1) => (weight > held ? begin(weight) : undefined);
    exchange.endWork = (bytes = 0) => {
      if (isAnswered) return;
      isAnswered = true;
      heavy.close();
      end?.();
      timeoutReader(response, SEND_TIMEOUT_MS);
      unread.add(addressKey(address), response, bytes);
    };
    response.on("close", () => {
      heavy.close();
      if (!isAnswered) setTimeout(exchange.endWork, ABANDONED_MS).unref();
    });
    if (hasBody(request)) timeoutBody(request, response, BODY_STALL_MS);
    return next();
  };
};
