/**
 * Files of a remote store, sent as `send` sends local ones: with ranges, conditions and HEAD.
 * They are streamed; nothing is cached.
 */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import fresh from "fresh";
import parseRange from "range-parser";
import { overloaded, requireFound } from "../errors.js";
import { type ByteRange, type Storage, StorageUnavailableError, type StoredFile } from "../storage/storage.js";
import type { Exchange } from "./exchange.js";

/** The bytes to send, both ends included. */
type Range = Required<Pick<ByteRange, "start" | "end">>;

/**
 * @param mostWaiting requests that may wait for the store at a time: one that hangs must not use up all requests
 * @param cacheControl of existing files
 * @returns sends the file of a key; the response has its type already
 */
export function storedFiles(
  storage: Pick<Storage, "stat" | "open">,
  mostWaiting: number,
  cacheControl: string,
): (exchange: Exchange, key: string) => Promise<void> {
  let waiting = 0;
  /** @throws BoardError 503 when too many wait already */
  const awaited = async <T>(answer: () => Promise<T>): Promise<T> => {
    if (waiting >= mostWaiting) throw overloaded();
    waiting += 1;
    try {
      return await answer();
    } finally {
      waiting -= 1;
    }
  };
  return async ({ request, response, endWork }, key) => {
    const file = requireFound(await awaited(() => storage.stat(key)));
    const headers = { "Accept-Ranges": "bytes", "Cache-Control": cacheControl, ...namesOf(file) };
    response.setHeaders(new Map(Object.entries(headers)));
    const range = answerHead(request, response, file);
    if (range === null) return endWork();
    if (response.closed) throw overloaded(); // the reader has left
    const stream = await awaited(async () => {
      const opened = storage.open(key, { ...range, version: file.version });
      response.once("close", () => opened.destroy(overloaded()));
      await once(opened, "readable"); // until the head is sent, an error can still be a response
      return opened;
    });
    endWork();
    const bytes = range.end - range.start + 1;
    // an error breaks the connection, so that the reader notices that the file is truncated
    pipeline(
      stream,
      (chunks: AsyncIterable<Buffer>) => exactly(chunks, bytes),
      response,
      () => undefined,
    );
  };
}

/**
 * Passes on a body of the announced length.
 * @throws StorageUnavailableError if it has another: the reader would wait for the rest, or take what is too much for the next response
 */
async function* exactly(chunks: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const chunk of chunks) {
    left -= chunk.length;
    if (left < 0) break;
    yield chunk;
  }
  if (left !== 0) throw new StorageUnavailableError("the file storage sent another number of bytes than it announced");
}

/**
 * Sets the headers, and responds at once without a body to conditional requests and HEAD.
 * @returns the bytes to send, null when there are none
 * @throws 412 for a precondition that fails, 416 for a range outside of the file
 */
function answerHead(request: IncomingMessage, response: ServerResponse, { size }: StoredFile): Range | null {
  if (isAboutAnother(request, response)) throw refusal(412);
  const names = { etag: response.getHeader("ETag"), "last-modified": response.getHeader("Last-Modified") };
  if (fresh(request.headers, names)) {
    response.removeHeader("Content-Type");
    response.writeHead(304).end();
    return null;
  }
  const range = rangeOf(request, response, size);
  if (range === null) throw refusal(416, { "Content-Range": `bytes */${size}` });
  response.setHeader("Content-Length", String(range.end - range.start + 1));
  if (request.method !== "HEAD" && size > 0) return range;
  response.end();
  return null;
}

/** Whether the request is about other content than this (If-Match, If-Unmodified-Since). */
function isAboutAnother({ headers }: IncomingMessage, response: ServerResponse): boolean {
  const { "if-match": match, "if-unmodified-since": since = "" } = headers;
  if (match) return match !== "*" && !match.includes(String(response.getHeader("ETag")).slice("W/".length));
  return Date.parse(String(response.getHeader("Last-Modified"))) > Date.parse(since);
}

const namesOf = ({ size, mtime }: StoredFile) => ({
  "Last-Modified": mtime.toUTCString(),
  ETag: `W/"${size.toString(16)}-${mtime.getTime().toString(16)}"`,
});

/** The requested bytes, both ends included: all, or one range, which is set on the response; null for one outside of the file. */
function rangeOf({ headers }: IncomingMessage, response: ServerResponse, size: number): Range | null {
  const whole = { start: 0, end: size - 1 };
  if (headers.range === undefined || !/^ *bytes=/.test(headers.range) || !isRangeFresh(headers, response)) return whole;
  const ranges = parseRange(size, headers.range);
  if (ranges === -1) return null;
  const [range, ...others] = Array.isArray(ranges) ? ranges : [];
  if (!range || others.length > 0) return whole;
  response.statusCode = 206;
  response.setHeader("Content-Range", `bytes ${range.start}-${range.end}/${size}`);
  return range;
}

/** Whether a requested range is of the content that the client has already (If-Range). */
function isRangeFresh(headers: IncomingMessage["headers"], response: ServerResponse): boolean {
  const condition = headers["if-range"];
  if (typeof condition !== "string") return true;
  if (condition.includes('"')) return condition === response.getHeader("ETag");
  return Date.parse(String(response.getHeader("Last-Modified"))) <= Date.parse(condition);
}

/** As in `send`, so that both respond alike. */
const refusal = (status: number, headers: Record<string, string> = {}): Error =>
  Object.assign(new Error(`refused with ${status}`), { status, headers });
