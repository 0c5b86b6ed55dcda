/** Maps errors of PostgreSQL, the driver, Prisma and the file storage to failures of the table in `errors.ts`. */
import { BoardError, failure } from "../errors.js";
import { hasCode, hasMessage } from "../lib/error-code.js";
import { StorageUnavailableError, StorageRefusedError } from "../storage/storage.js";

/** query_canceled, as by a statement timeout */
const TIMED_OUT = /^57014$/;

/**
 * Connection failures, shutdowns, servers that take no writes (a standby, after a failover), too many connections, full and failing disks, no memory or process left;
 * Prisma's codes for timeouts of connections and transactions, and the names of the same errors in its driver adapter.
 */
const UNAVAILABLE_CODES =
  /^(ENOSPC|EDQUOT|EROFS|EIO|EMFILE|ENFILE|ENOMEM|EAGAIN|ECONNREFUSED|ECONNRESET|EPIPE|57P0[123]|25006|53\d{3}|08\d{3}|P1001|P1002|P1008|P1017|P2024|P2028|P2034|40P01|40001|DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/;
/** The same of the driver, which has no codes for it, and of the system in PostgreSQL's words. */
const UNAVAILABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|is not queryable|the database system is|No space left on device|Read-only file system/;

/** Violated constraints that no validation caught: check_violation, foreign_key_violation, too long, out of range, invalid text. */
const REFUSED = /^(23514|23503|22001|22021|22003|P2003)$/;

/** unique_violation: a concurrent write was faster. */
const TAKEN = /^(23505|P2002)$/;

/** To catch the errors of a write with: throws the failure that is made if it is such an error, otherwise the error. */
export const ifTaken =
  (make: (details: { cause: unknown }) => BoardError) =>
  (error: unknown): never => {
    throw !(error instanceof BoardError) && hasCode(error, TAKEN) ? make({ cause: error }) : error;
  };

export const nameTaken = ifTaken((details) => failure("name_taken", { parameter: "name" }, details));

/** The failure for an error; unexpected errors are `internal`, with the error as cause. */
export function toBoardError(error: unknown): BoardError {
  if (error instanceof BoardError) return error;
  if (error instanceof StorageUnavailableError || error instanceof StorageRefusedError)
    return failure("storage_unavailable", {}, { cause: error });
  if (hasCode(error, TIMED_OUT)) return failure("statement_timeout", {}, { retryAfter: 10, cause: error });
  if (hasCode(error, UNAVAILABLE_CODES) || hasMessage(error, UNAVAILABLE_MESSAGES))
    return failure("overloaded", {}, { cause: error });
  if (hasCode(error, TAKEN)) return failure("already_exists", {}, { cause: error });
  if (hasCode(error, REFUSED))
    return failure("invalid_record", { messages: "the record is invalid" }, { cause: error });
  return failure("internal", {}, { cause: error });
}

/** Whether an error says that the database or the file storage can't be used now, whatever is done with it. */
export const isOutage = (error: unknown): boolean =>
  ["overloaded", "storage_unavailable"].includes(toBoardError(error).key);
