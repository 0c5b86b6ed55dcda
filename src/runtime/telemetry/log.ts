/** Structured logs on standard output, one line of JSON each, without secrets. */
import cluster from "node:cluster";
import { type DestinationStream, type Logger, pino } from "pino";

/** GraphQL variables are treated as secrets, since they may contain any. */
const SECRET = /api_?key|password|csrf_?token|^variables=/i;
/** Dmails and searches of them are private, so the query of their URLs is not logged. */
const PRIVATE = /dmail/i;

/** A URL for the log, without the values of parameters whose name or value contains a secret, in any encoding. */
export function redactUrl(url: string): string {
  const start = url.indexOf("?") + 1;
  if (start === 0) return url;
  if (PRIVATE.test(decoded(url))) return `${url.slice(0, start)}[redacted]`;
  return url.slice(0, start) + url.slice(start).split("&").map(redactPair).join("&");
}

const redactPair = (pair: string): string => (SECRET.test(decoded(pair)) ? `${pair.split("=")[0]}=[redacted]` : pair);

/** Decodes the ASCII characters, of which secrets' names consist. What encodes no text would throw thousands of errors for one URL. */
const decoded = (text: string): string =>
  text.replace(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

export type { Logger };

/** Characters of lines that wait while standard output can't be written, as on a full disk; further lines are lost. */
const MOST_UNWRITTEN = 1_000_000;

let output: DestinationStream | undefined;

/**
 * Standard output, whose faults are not the board's: what can't be written is written with a later line. pino's own would end the process,
 * which would then try forever to write the rest: it would neither serve nor end.
 */
function openOutput(): DestinationStream {
  const opened = pino.destination({ dest: 1, sync: false, maxLength: MOST_UNWRITTEN });
  let isFaulty = false;
  opened.on("error", () => (isFaulty = true)).on("write", () => (isFaulty = false));
  process.prependListener("exit", () => isFaulty && opened.destroy());
  return opened;
}

/** Errors as pino shows them, but not the connection that the driver adds to those of idle ones, with the statements on it. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { client: _, ...shown } = pino.stdSerializers.err(error);
  return shown;
}

/** @param destination stream, for tests; standard output by default */
export function createLog(level: string, destination: DestinationStream = (output ??= openOutput())): Logger {
  const options = {
    level,
    base: { pid: process.pid, ...(cluster.worker ? { worker: cluster.worker.id } : {}) },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
    redact: {
      paths: [
        "req.headers.authorization",
        "req.headers.cookie",
        "*.password",
        "*.passwordHash",
        "*.password_hash",
        "*.api_key",
        "*.apiKey",
      ],
      censor: "[redacted]",
    },
  };
  return pino(options, destination);
}
