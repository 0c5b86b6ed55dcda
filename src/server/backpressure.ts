/**
 * Requests that a process works on at once: past a bound they are refused, since a queue that grows helps nobody.
 *
 * Work is what lies between a request's last byte and its answer's first. Bodies that arrive slowly and answers that are
 * taken slowly cost a connection (see `connections.ts`) and nothing else, so that slow clients stand in nobody's way.
 */
import type { Request, RequestHandler, Response } from "express";
import { failure } from "../errors.js";
import { timeoutBody, timeoutReader } from "./slow-clients.js";

/** What of the configuration is needed here. */
export interface Bounds {
  BODY_STALL_MS: number;
  SEND_TIMEOUT_MS: number;
}

/** How many requests a process works on. */
export class Workload {
  private working = 0;

  /** @param limit how many at once */
  constructor(private readonly limit: number) {}

  get isFull(): boolean {
    return this.working >= this.limit;
  }

  begin(): void {
    this.working += 1;
  }

  end(): void {
    this.working -= 1;
  }
}

const RETRY_SECONDS = 1;

/** A request whose client is gone is worked on no longer than this, in milliseconds; statements and decodings end before. */
const ABANDONED_MS = 60_000;

/** Counts the requests that are worked on. @throws BoardError 503 past the bound */
export function backpressure(workload: Workload, { BODY_STALL_MS, SEND_TIMEOUT_MS }: Bounds): RequestHandler {
  return (request, response, next) => {
    if (workload.isFull) throw failure("overloaded", {}, { retryAfter: RETRY_SECONDS });
    let state: "arriving" | "working" | "answered" = "arriving";
    const begin = () => {
      if (state !== "arriving") return;
      state = "working";
      workload.begin();
    };
    onceAnswered(response, () => {
      if (state === "working") workload.end();
      state = "answered";
      timeoutReader(request.socket, SEND_TIMEOUT_MS);
    });
    if (hasBody(request)) {
      timeoutBody(request, response, BODY_STALL_MS);
      request.once("end", begin);
    } else begin();
    next();
  };
}

const hasBody = ({ headers }: Request): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

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
