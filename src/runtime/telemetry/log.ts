/** Structured logs on standard output, one line of JSON each, with everything secret taken out. */
import cluster from "node:cluster";
import { type Logger, pino } from "pino";

/** GraphQL's variables count as secret, since there may be anything in them. */
const SECRET = /api_?key|password|csrf_?token|^variables=/i;
/** What dmails say, and what is searched in them, is nobody's business: of a URL about them nothing of the query is logged. */
const PRIVATE = /dmail/i;

/** A URL as it may be logged: of each parameter whose name or value contains a secret, however encoded, only the name. */
export function redactUrl(url: string): string {
  const start = url.indexOf("?") + 1;
  if (start === 0) return url;
  if (PRIVATE.test(decoded(url))) return `${url.slice(0, start)}[redacted]`;
  return url.slice(0, start) + url.slice(start).split("&").map(redactPair).join("&");
}

const redactPair = (pair: string): string => (SECRET.test(decoded(pair)) ? `${pair.split("=")[0]}=[redacted]` : pair);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return decodeURIComponent(text.replace(/%(?![0-7][\da-f])/gi, "%25"));
  }
}

export type { Logger };

/** @param destination a file descriptor's path or stream, for tests; standard output by default */
export function createLog(level: string, destination?: { write(line: string): void }): Logger {
  const options = {
    level,
    base: { pid: process.pid, ...(cluster.worker ? { worker: cluster.worker.id } : {}) },
    timestamp: pino.stdTimeFunctions.isoTime,
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
  return destination ? pino(options, destination) : pino(options);
}
