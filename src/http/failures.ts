/** What went wrong, as the caller is told. */
import { extensionsOf } from "../../graphql/shared/errors.js";
import { failureAnswer, formatOf } from "../../rest/adapter/envelope.js";
import { toBoardError } from "../database/faults.js";
import type { BoardError } from "../errors.js";
import type { Answer, Exchange, Step } from "./exchange.js";

/** What is refused for want of room is told by the request's own line; a second one would make the crowd dearer. */
const isOwnFault = ({ status, key, cause }: BoardError): boolean =>
  status >= 500 && (key !== "overloaded" || cause !== undefined);

/** An error in the words of the table; counted, and noted where it is our own fault. */
export function refused(exchange: Exchange, error: unknown): BoardError {
  const found = toBoardError(error);
  exchange.board.telemetry.metrics.failed(found.key);
  if (isOwnFault(found)) exchange.log.error({ err: found.cause ?? error }, found.reason);
  return found;
}

/** Answers with what the steps after it throw, in this form. */
const failures =
  (tell: (failure: BoardError, exchange: Exchange) => Answer): Step =>
  async (exchange, next) => {
    try {
      return await next();
    } catch (error) {
      return tell(refused(exchange, error), exchange);
    }
  };

export const restFailures = failures((failure, { path, request }) =>
  failureAnswer(formatOf(path, request.headers.accept), failure),
);

export const graphqlFailures = failures((failure) => ({
  status: failure.status,
  headers: {
    "Content-Type": "application/json; charset=utf-8",
    ...(failure.retryAfter === undefined ? {} : { "Retry-After": String(failure.retryAfter) }),
  },
  body: JSON.stringify({ errors: [{ message: failure.reason, extensions: extensionsOf(failure) }] }),
}));
