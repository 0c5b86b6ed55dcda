/** Maps errors of PostgreSQL, the driver, Prisma and the file storage to failures of the table in `errors.ts`. */
import { BoardError, failure } from "../errors.js";
import { StorageAwayError, StorageRefusedError } from "../storage/storage.js";

const text = (error: unknown): string => {
  const fault = error as { code?: unknown; message?: unknown; meta?: unknown; cause?: unknown };
  const parts = [fault?.code, fault?.message, safeJson(fault?.meta), safeJson(fault?.cause)];
  return parts.map(String).join(" ");
};

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

/** query_canceled, as by a statement timeout */
const TIMED_OUT = /\b57014\b|statement timeout/;

/**
 * Connection failures, shutdowns, too many connections, full disks; Prisma's codes for timeouts of connections and transactions,
 * and the names of the same errors in its driver adapter.
 */
const AWAY =
  /\b(ENOSPC|EDQUOT|EROFS|EMFILE|ENFILE|ECONNREFUSED|ECONNRESET|EPIPE|57P0[123]|53300|08\d{3}|P1001|P1002|P1008|P1017|P2024|P2028|P2034|40P01|40001|DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)\b|Connection terminated|timeout exceeded when trying to connect|Query read timeout|is not queryable|the database system is|No space left on device|Read-only file system/;

/** Violated constraints that no validation caught: check_violation, foreign_key_violation, too long, out of range, invalid text. */
const REFUSED = /\b(23514|23503|22001|22021|22003|P2003)\b/;

/** unique_violation: a concurrent write was faster. */
const TAKEN = /\b(23505|P2002)\b/;

/** To catch the errors of a write with: throws the failure that is made if it is such an error, otherwise the error. */
export const ifTaken =
  (make: (details: { cause: unknown }) => BoardError) =>
  (error: unknown): never => {
    throw !(error instanceof BoardError) && TAKEN.test(text(error)) ? make({ cause: error }) : error;
  };

export const nameTaken = ifTaken((details) => failure("name_taken", {}, details));

/** The failure for an error; unexpected errors are `internal`, with the error as cause. */
export function toBoardError(error: unknown): BoardError {
  if (error instanceof BoardError) return error;
  if (error instanceof StorageAwayError || error instanceof StorageRefusedError)
    return failure("storage_away", {}, { cause: error });
  const message = text(error);
  if (TIMED_OUT.test(message)) return failure("statement_timeout", {}, { retryAfter: 10, cause: error });
  if (AWAY.test(message)) return failure("overloaded", {}, { cause: error });
  if (TAKEN.test(message)) return failure("already_exists", {}, { cause: error });
  if (REFUSED.test(message)) return failure("invalid_record", { messages: "the record is invalid" }, { cause: error });
  return failure("internal", {}, { cause: error });
}
