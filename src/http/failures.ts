import { extensionsOf } from "../../graphql/shared/errors.js";
import { failureAnswer } from "../../rest/adapter/envelope.js";
import { toBoardError } from "../database/faults.js";
import type { BoardError } from "../errors.js";
import { attempt } from "../lib/maybe-promise.js";
import type { Answer, Exchange, Step } from "./exchange.js";
import { typeOfAnswer } from "./graphql.js";

/** Refusals under load are logged only in the request's own line: a second line each would make the overload worse. */
const isOwnFault = ({ status, key, cause }: BoardError): boolean =>
  status >= 500 && (key !== "overloaded" || cause !== undefined);

/** Converts an error to one of `errors.ts`; counts it, and logs it if it is our own fault. */
export function refused(exchange: Exchange, error: unknown): BoardError {
  const found = toBoardError(error);
  exchange.board.telemetry.metrics.failed(found.key);
  if (isOwnFault(found)) exchange.log.error({ err: found.cause ?? error }, found.reason);
  return found;
}

/** A step that turns errors of later steps into responses. */
const failures =
  (respond: (failure: BoardError, exchange: Exchange) => Answer): Step =>
  (exchange, next) =>
    attempt(next, (error) => respond(refused(exchange, error), exchange));

export const restFailures = failures((failure, { format }) => failureAnswer(format, failure));

export const graphqlFailures = failures((failure, exchange) => ({
  status: failure.status,
  headers: {
    "Content-Type": typeOfAnswer(exchange) ?? "application/json; charset=utf-8",
    ...(failure.retryAfter === undefined ? {} : { "Retry-After": String(failure.retryAfter) }),
  },
  body: JSON.stringify({ errors: [{ message: failure.reason, extensions: extensionsOf(failure) }] }),
}));
