/**
 * Requests that a process works on at once: past a bound they are refused, since a queue that grows helps nobody.
 *
 * Work is what lies between a request's last byte and its answer's first. Bodies that arrive slowly and answers that are
 * taken slowly cost a connection (see `connections.ts`) and nothing else, so that slow clients stand in nobody's way. An address
 * has few requests at work at a time, and fewer where they are large (`beginWork` takes a weight); its others wait for them: however
 * many it sends, the next client's turn comes soon.
 */
import type { Config } from "../config.js";
import { failure } from "../errors.js";
import { FairSemaphore } from "../lib/fair-semaphore.js";
import { KeyedSemaphore } from "../lib/keyed-semaphore.js";
import { type HeavyLane, HeavyWork } from "../runtime/limits/heavy-lane.js";
import { addressKey } from "../runtime/limits/limiter.js";
import { hasBody } from "./body.js";
import type { Step } from "./exchange.js";
import { timeoutBody, timeoutReader } from "./slow-clients.js";

/** What of the configuration is needed here. */
export interface Bounds {
  BODY_STALL_MS: number;
  SEND_TIMEOUT_MS: number;
}

/** Longest wait of a request for those that its address has at work already. */
const TURN_WAIT_MS = 10_000;
const RETRY_SECONDS = 1;

const overloaded = (cause?: unknown) => failure("overloaded", {}, { retryAfter: RETRY_SECONDS, cause });

/**
 * Weight of the large requests that run at once, of all addresses together: each blocks the event loop for some milliseconds at a
 * time, which delays all that are running. The rest wait, addresses in turns.
 */
const LARGE_AT_ONCE = 6;

/** A large request that takes longer than this waits for the database and holds nobody up: another one begins, in milliseconds. */
const LARGE_MS = 100;

/** The requests that a process works on, bounded in all and for each address. */
export class Workload {
  private working = 0;
  private readonly shares: KeyedSemaphore;
  private readonly large = new FairSemaphore(LARGE_AT_ONCE);

  constructor(private readonly bounds: Pick<Config, "MAX_REQUESTS" | "MAX_REQUESTS_PER_ADDRESS">) {
    this.shares = new KeyedSemaphore(bounds.MAX_REQUESTS_PER_ADDRESS);
  }

  get isFull(): boolean {
    return this.working >= this.bounds.MAX_REQUESTS;
  }

  /**
   * Begins to work on a request, as soon as the address has a turn; waiting for that is no work.
   * @param weight how many ordinary requests it is as large as; past all that the address may have, it is at work alone
   * @returns what ends the work, to be called once
   * @throws BoardError 503 when there is too much of it
   */
  begin(address: string, weight = 1): (() => void) | Promise<() => void> {
    const key = addressKey(address);
    const share = this.shares.acquire(key, TURN_WAIT_MS, weight);
    if (!(share instanceof Promise) && weight === 1) return this.enter(share);
    return this.beginInTurn(key, weight, share);
  }

  private async beginInTurn(
    key: string,
    weight: number,
    share: (() => void) | Promise<() => void>,
  ): Promise<() => void> {
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

  /** @param release gives back what the request has taken @throws BoardError 503, with that given back */
  private enter(release: () => void): () => void {
    if (this.isFull) {
      release();
      throw overloaded();
    }
    this.working += 1;
    return () => {
      this.working -= 1;
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

/** A request whose client is gone is worked on no longer than this, in milliseconds; statements and decodings end before. */
const ABANDONED_MS = 60_000;

/** Refuses what is too much as it comes, and bounds what is worked on from `beginWork` until the answer begins. */
export const shed =
  (workload: Workload, lane: HeavyLane, { BODY_STALL_MS, SEND_TIMEOUT_MS }: Bounds): Step =>
  (exchange, next) => {
    if (workload.isFull) throw overloaded();
    const { request, response, address } = exchange;
    let isAnswered = false;
    let end: (() => void) | undefined;
    let held = 0;
    const begun = (done: () => void) => {
      if (isAnswered) done();
      else end = done;
      if (response.closed) throw overloaded(); // nobody waits for the answer any more
    };
    const begin = (weight: number) => {
      held = weight;
      end?.(); // it may be waited for by those who hold what it waits for
      end = undefined;
      const done = workload.begin(address, weight);
      return done instanceof Promise ? done.then(begun) : begun(done);
    };
    const heavy = (exchange.heavy = new HeavyWork(lane, () => addressKey(address)));
    response.once("close", () => heavy.close());
    exchange.beginWork = (weight = 1) => (weight > held ? begin(weight) : undefined);
    exchange.endWork = () => {
      if (isAnswered) return;
      isAnswered = true;
      heavy.close();
      end?.();
      timeoutReader(request.socket, SEND_TIMEOUT_MS);
    };
    response.once("close", () => isAnswered || setTimeout(exchange.endWork, ABANDONED_MS).unref());
    if (hasBody(request)) timeoutBody(request, response, BODY_STALL_MS);
    return next();
  };
