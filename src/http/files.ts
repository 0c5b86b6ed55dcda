/**
 * The files of posts at `/data/...`: with the type of their extension, immutable, with ranges, and unable to run as pages,
 * whatever they contain.
 */
import send from "send";
import { failureAnswer } from "../../rest/adapter/envelope.js";
import type { Board } from "../board.js";
import { failure } from "../errors.js";
import { decodeUri } from "../lib/text.js";
import { contentType, parseKey } from "../storage/keys.js";
import { type Answer, type Exchange, type Headers, STREAMED } from "./exchange.js";
import type { Handler } from "./site.js";
import { SECURITY_HEADERS } from "./static-headers.js";
import { storedFiles } from "./stored-files.js";

const YEAR = 365 * 24 * 3600 * 1000;

/** In the format of `send`. */
const CACHE_CONTROL = `public, max-age=${YEAR / 1000}, immutable`;

/** Share of MAX_REQUESTS that may wait for files of a remote store. */
const WAITING_SHARE = 1 / 4;

const HEADERS: Headers = {
  ...SECURITY_HEADERS,
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** Sends files. An error before the head is sent becomes an ordinary response. */
export function files({ storage, config }: Pick<Board, "storage" | "config">): Handler {
  const sendStored = storedFiles(storage, Math.ceil(config.MAX_REQUESTS * WAITING_SHARE), CACHE_CONTROL);
  return async (exchange) => {
    await exchange.beginWork();
    const key = decodeUri(exchange.path.slice("/data/".length));
    const parsed = key === null ? null : parseKey(key);
    if (key === null || !parsed) throw failure("not_found");
    const { response } = exchange;
    const headers = { ...exchange.headers, ...HEADERS, "Content-Type": contentType(parsed.ext) };
    for (const [name, value] of Object.entries(headers)) if (value !== "") response.setHeader(name, value);
    const path = storage.localPath(key);
    try {
      await (path === null ? sendStored(exchange, key) : sendLocal(exchange, path));
      return STREAMED;
    } catch (error) {
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      return refusal(error);
    }
  };
}

/** Settles when the head has been sent. */
const sendLocal = ({ request, response, endWork }: Exchange, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const stream = send(request, encodeURI(path), { dotfiles: "allow", immutable: true, maxAge: YEAR });
    response.once("close", resolve);
    stream
      .once("headers", () => setImmediate(endWork))
      .once("end", resolve)
      .once("directory", () => reject(failure("not_found")))
      .once("error", (error) => (response.headersSent ? response.destroy() : reject(error as Error)))
      .pipe(response);
  });

/**
 * A failed precondition, and a range beyond the end of the file, are answered as HTTP requires. Other errors of the client are invalid
 * file names; those of the file system and of a remote store are in the table, or our own fault.
 */
function refusal(error: unknown): Answer {
  const {
    status = 500,
    code,
    headers = {},
  } = error as { status?: number; code?: string; headers?: Record<string, string> };
  if (status === 412 || status === 416) return { status, headers, body: null };
  if (status >= 500 && code !== "ENOENT") throw error;
  return failureAnswer("json", failure("not_found"));
}
