/**
 * Requests that a process works on at once: past a bound they are refused, since a queue that grows helps nobody.
 *
 * Work is what lies between a request's last byte and its answer's first. Bodies that arrive slowly and answers that are
 * taken slowly cost a connection (see `connections.ts`) and nothing else, so that slow clients stand in nobody's way. An address
 * has few requests at work at a time, and its others wait for them: however many it sends, the next client's turn comes soon.
 */
import type { Request, RequestHandler, Response } from "express";
import type { Config } from "../config.js";
import { failure } from "../errors.js";
import { KeyedSemaphore } from "../lib/keyed-semaphore.js";
import { type HeavyLane, HeavyWork } from "../runtime/limits/heavy-lane.js";
import { addressKey } from "../runtime/limits/limiter.js";
import { hasBody } from "./body.js";
import { timeoutBody, timeoutReader } from "./slow-clients.js";
import { addressOf } from "./viewer.js";

/** What of the configuration is needed here. */
export interface Bounds {
  BODY_STALL_MS: number;
  SEND_TIMEOUT_MS: number;
}

/** Longest wait of a request for those that its address has at work already. */
const TURN_WAIT_MS = 10_000;
const RETRY_SECONDS = 1;

const overloaded = (cause?: unknown) => failure("overloaded", {}, { retryAfter: RETRY_SECONDS, cause });

/** The requests that a process works on, bounded in all and for each address. */
export class Workload {
  private working = 0;
  private readonly shares: KeyedSemaphore;

  constructor(private readonly bounds: Pick<Config, "MAX_REQUESTS" | "MAX_REQUESTS_PER_ADDRESS">) {
    this.shares = new KeyedSemaphore(bounds.MAX_REQUESTS_PER_ADDRESS);
  }

  get isFull(): boolean {
    return this.working >= this.bounds.MAX_REQUESTS;
  }

  /**
   * Begins to work on a request, as soon as the address has a turn; waiting for that is no work.
   * @returns what ends the work, to be called once
   * @throws BoardError 503 when there is too much of it
   */
  async begin(address: string): Promise<() => void> {
    const release = await this.shares.acquire(addressKey(address), TURN_WAIT_MS).catch((cause: unknown) => {
      throw overloaded(cause);
    });
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
}

/** A request whose client is gone is worked on no longer than this, in milliseconds; statements and decodings end before. */
const ABANDONED_MS = 60_000;

/** Where a request has what begins the work on it, and what of that is heavy. */
const BEGIN = Symbol("begin");
const HEAVY = Symbol("heavy");
type Bounded = Request & { [BEGIN]?: () => Promise<void>; [HEAVY]?: HeavyWork };

/** Refuses what is too much as it comes, and has `takeTurn` bound what is worked on. @throws BoardError 503 past the bound */
export function backpressure(
  workload: Workload,
  lane: HeavyLane,
  { BODY_STALL_MS, SEND_TIMEOUT_MS }: Bounds,
): RequestHandler {
  return (request: Bounded, response, next) => {
    if (workload.isFull) throw overloaded();
    let isAnswered = false;
    let end: (() => void) | undefined;
    let begun: Promise<void> | undefined;
    const begin = async () => {
      const done = await workload.begin(addressOf(request));
      if (isAnswered) done();
      else end = done;
    };
    request[BEGIN] = () => (begun ??= begin());
    const heavy = (request[HEAVY] = new HeavyWork(lane, () => addressKey(addressOf(request))));
    response.once("close", () => heavy.close());
    onceAnswered(response, () => {
      isAnswered = true;
      heavy.close();
      end?.();
      timeoutReader(request.socket, SEND_TIMEOUT_MS);
    });
    if (hasBody(request)) timeoutBody(request, response, BODY_STALL_MS);
    next();
  };
}

/** Begins the work on a request that has arrived whole, if it has not begun. @throws BoardError 503 when there is too much of it */
export const beginWork = async (request: Bounded): Promise<void> => request[BEGIN]?.();

/** Begins it before what follows. */
export function workFirst(): RequestHandler {
  return async (request, _response, next) => {
    await beginWork(request);
    next();
  };
}

/** The heavy work of a request that has passed `backpressure`. */
export const heavyWorkOf = (request: Bounded): HeavyWork => request[HEAVY] as HeavyWork;

/** Calls back when the answer begins, or the request is given up by its client and, later, by us. */
function onceAnswered(response: Response, done: () => void): void {
  let isDone = false;
  const finish = () => {
    if (!isDone) done();
    isDone = true;
  };
  // what is answered to a client that has gone gets no head any more, yet it is ended
  for (const name of ["writeHead", "end"] as const) {
    const original = response[name].bind(response) as (...args: unknown[]) => Response;
    const told = (...args: unknown[]) => {
      finish();
      return original(...args);
    };
    Object.assign(response, { [name]: told });
  }
  response.once("close", () => isDone || setTimeout(finish, ABANDONED_MS).unref());
}
