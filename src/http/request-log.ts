/** One line of log for each request, its id in `X-Request-Id`, and the number of SQL statements that it took. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Request, RequestHandler, Response } from "express";
import { type Options, pinoHttp } from "pino-http";
import type { Board } from "../board.js";
import { type Logger, redactUrl } from "../runtime/telemetry/log.js";
import { type RequestRecord, recordOf } from "./request-record.js";
import { addressOf } from "./viewer.js";

const GIVEN_ID = /^[\w.-]{1,64}$/;

/** The id that a proxy gave a request, where it is a plain word, or a new one. */
export function chooseRequestId({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && GIVEN_ID.test(given) ? given : randomUUID();
}

export const logOf = (request: Request, board: Board): Logger => request.log ?? board.log;

/** What is logged of a request; the address is its caller's, also behind a proxy. */
const asLogged = (
  id: unknown,
  { method = "", url = "" }: Pick<IncomingMessage, "method" | "url">,
  address: string,
) => ({
  id,
  method,
  url: redactUrl(url),
  address,
});

/** A request as the library tells of it. */
interface Logged {
  id: unknown;
  method: string;
  url: string;
  raw: Request;
}

/** What is to be logged of a request that met no middleware, in the line that the others get. */
export interface Answered {
  request: IncomingMessage;
  /** of its caller */
  address: string;
  status: number;
  record: RequestRecord;
}

export function logAnswered(log: Logger, { request, address, status, record }: Answered): void {
  const level = status >= 500 ? "error" : "info";
  if (!log.isLevelEnabled(level)) return;
  const req = asLogged(record.id, request, address);
  const responseTime = Math.round(performance.now() - record.startedAt);
  const told = status >= 500 ? "request errored" : "request completed";
  log[level]({ req, ...factsOf(record), res: { status }, responseTime }, told);
}

export function requestLog(board: Board): RequestHandler {
  const options: Options = {
    logger: board.log,
    genReqId(request, response) {
      const id = chooseRequestId(request);
      response.setHeader("X-Request-Id", id);
      return id;
    },
    serializers: {
      req: ({ id, method, url, raw }: Logged) => asLogged(id, { method, url }, addressOf(raw)),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
    },
    customProps: (request) => factsOf(recordOf(request)),
    customLogLevel(request, response, error) {
      if (error || response.statusCode >= 500) return "error";
      return request.url === "/metrics" && response.statusCode === 200 ? "silent" : "info";
    },
    autoLogging: { ignore: (request) => request.url === "/healthz" || request.url === "/readyz" },
  };
  return pinoHttp(options) as RequestHandler;
}

/** What is told of a request beside what it is and its status; nothing before it is recorded. */
function factsOf(record: RequestRecord | undefined): object {
  if (!record) return {};
  const { route, statements, operation, span } = record;
  return {
    route: route.path,
    statements,
    ...(operation === undefined ? {} : { operation }),
    ...(span ? { trace_id: span.traceId } : {}),
  };
}

export const serverTiming = (milliseconds: number): string => `db;dur=${milliseconds.toFixed(3)}`;

/** Says in `Server-Timing` how many milliseconds the statements took that had been answered when the headers went out. */
export const timeRequest: RequestHandler = (request, response, next) => {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => Response;
  const timed = (...args: unknown[]) => {
    const milliseconds = recordOf(request)?.milliseconds ?? 0;
    response.setHeader("Server-Timing", serverTiming(milliseconds));
    return writeHead(...args);
  };
  Object.assign(response, { writeHead: timed });
  next();
};
