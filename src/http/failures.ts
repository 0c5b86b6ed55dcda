/** The ends of the line: what is unknown, and what went wrong, as the caller is told. */
import type { ErrorRequestHandler, Request, RequestHandler } from "express";
import { extensionsOf } from "../../graphql/shared/errors.js";
import { formatOf, sendFailure } from "../../rest/adapter/envelope.js";
import type { Board } from "../board.js";
import { toBoardError } from "../database/faults.js";
import { BoardError, failure } from "../errors.js";
import { logOf } from "./request-log.js";

export const notFound: RequestHandler = () => {
  throw failure("not_found");
};

/** Errors of Express' own parsers and routing, which carry an HTTP status, in the words of the table. */
function toFailure(error: unknown): BoardError {
  const status = (error as { status?: unknown } | null)?.status;
  if (error instanceof BoardError || typeof status !== "number") return toBoardError(error);
  if (status === 413) return failure("body_too_large", { limit: (error as { limit?: number }).limit ?? 0 });
  return status === 404 ? failure("not_found") : status < 500 ? failure("malformed_body") : toBoardError(error);
}

/** What is refused for want of room is told by the request's own line; a second one would make the crowd dearer. */
const isOwnFault = ({ status, key, cause }: BoardError): boolean =>
  status >= 500 && (key !== "overloaded" || cause !== undefined);

/** An error in the words of the table; counted, and noted where it is our own fault. */
export function refused(board: Board, error: unknown, request: Request): BoardError {
  const found = toFailure(error);
  board.telemetry.metrics.failed(found.key);
  if (isOwnFault(found)) logOf(request, board).error({ err: found.cause ?? error }, found.reason);
  return found;
}

export const restFailure =
  (board: Board): ErrorRequestHandler =>
  (error, request, response, next) => {
    const found = refused(board, error, request);
    if (response.headersSent) return next(error);
    sendFailure(response, formatOf(request), found);
  };

export const graphqlFailure =
  (board: Board): ErrorRequestHandler =>
  (error, request, response, next) => {
    const found = refused(board, error, request);
    if (response.headersSent) return next(error);
    if (found.retryAfter !== undefined) response.set("Retry-After", String(found.retryAfter));
    response.status(found.status).json({ errors: [{ message: found.reason, extensions: extensionsOf(found) }] });
  };
