/** One line of log for each request, its id in `X-Request-Id`, and the number of SQL statements that it took. */
import { randomUUID } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import { type Options, pinoHttp } from "pino-http";
import type { Board } from "../board.js";
import { countStatements, type StatementCount } from "../database/statements.js";
import { type Logger, redactUrl } from "../telemetry/log.js";

const counts = new WeakMap<object, StatementCount>();

const GIVEN_ID = /^[\w.-]{1,64}$/;

/** The id of a request: the one that a proxy gave it, where it is a plain word, or a new one. */
export const requestIdOf = (request: Request): string => request.id as string;

export const logOf = (request: Request, board: Board): Logger => request.log ?? board.log;

export function requestLog(board: Board): RequestHandler {
  const options: Options = {
    logger: board.log,
    genReqId(request, response) {
      const given = request.headers["x-request-id"];
      const id = typeof given === "string" && GIVEN_ID.test(given) ? given : randomUUID();
      response.setHeader("X-Request-Id", id);
      return id;
    },
    serializers: {
      req: (request: { id: unknown; method: string; url: string; remoteAddress: string }) => ({
        id: request.id,
        method: request.method,
        url: redactUrl(request.url),
        address: request.remoteAddress,
      }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
    },
    customProps: (request) => ({ statements: counts.get(request)?.statements ?? 0 }),
    customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? "error" : "info"),
    autoLogging: { ignore: (request) => request.url === "/healthz" || request.url === "/readyz" },
  };
  return pinoHttp(options) as RequestHandler;
}

/** Everything that a request does further on is counted. */
export const countRequest: RequestHandler = (request, _response, next) => {
  const count = { statements: 0, milliseconds: 0 };
  counts.set(request, count);
  countStatements(count, next);
};

/** Says in `Server-Timing` how many milliseconds the statements took that had been answered when the headers went out. */
export const timeRequest: RequestHandler = (request, response, next) => {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => Response;
  const timed = (...args: unknown[]) => {
    const milliseconds = counts.get(request)?.milliseconds ?? 0;
    response.setHeader("Server-Timing", `db;dur=${milliseconds.toFixed(3)}`);
    return writeHead(...args);
  };
  Object.assign(response, { writeHead: timed });
  next();
};
