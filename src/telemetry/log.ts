/** Structured logs on standard output, one line of JSON each, with everything secret taken out. */
import { type Logger, pino } from "pino";

const SECRET_PARAMETERS = /([?&](?:api_key|password_hash|password|csrf_token)=)[^&]*/gi;

/** A URL as it may be logged: values of secret parameters are replaced. */
export const redactUrl = (url: string): string => url.replace(SECRET_PARAMETERS, "$1[redacted]");

export type { Logger };

/** @param destination a file descriptor's path or stream, for tests; standard output by default */
export function createLog(level: string, destination?: { write(line: string): void }): Logger {
  const options = {
    level,
    base: { pid: process.pid },
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
