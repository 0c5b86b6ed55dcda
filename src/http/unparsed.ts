/** Responses on connections without a parsed request, for which Node has no object: they are written as text. */
import { type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { failureAnswer } from "../../rest/adapter/envelope.js";
import { type BoardError, failure, STATUS_NAMES } from "../errors.js";
import { CORS_HEADERS, SECURITY_HEADERS } from "./static-headers.js";

/** Bytes that the URL and the headers of a request may have together: a search that is too long is refused with its reason. */
export const MAX_HEAD_BYTES = 65_536;

/** A response as text, after which the connection ends. */
export function written(status: number, headers: Readonly<Record<string, unknown>> = {}, body = ""): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  const start = [`HTTP/1.1 ${status} ${STATUS_NAMES[status] ?? STATUS_CODES[status]}`, "Connection: close"];
  return [...start, ...lines, `Content-Length: ${body.length}`, "", body].join("\r\n");
}

/** A refusal as text, in JSON and ASCII, after which the connection ends. */
export function writtenRefusal(error: BoardError): string {
  const { status, headers, body } = failureAnswer("json", error);
  return written(status, { ...SECURITY_HEADERS, ...CORS_HEADERS, ...headers }, body as string);
}

/** The statuses of errors of Node's parser; 400 for all others. */
const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/** Those that are refused with a reason. */
const REFUSALS: Readonly<Record<string, BoardError>> = {
  HPE_HEADER_OVERFLOW: failure("head_too_long", { limit: MAX_HEAD_BYTES }),
  HPE_INVALID_URL: failure("invalid_url"),
};

/** Answers what can't be parsed as Node itself does, but an invalid URL, and a head that is too long, with a reason. @param onRefused gets its name */
export function answerUnparsed(http: Server, onRefused: (key: BoardError["key"]) => void): void {
  http.on("clientError", ({ code = "" }: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: ServerResponse }) => {
    const refusal = REFUSALS[code];
    if (refusal) onRefused(refusal.key);
    // not in the middle of another response
    if (socket.writable && !socket._httpMessage?.headersSent)
      socket.write(refusal ? writtenRefusal(refusal) : written(STATUSES[code] ?? 400));
    socket.destroy();
  });
}
