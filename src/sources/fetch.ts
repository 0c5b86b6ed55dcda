import { rm } from "node:fs/promises";
import type { Dispatcher } from "undici";
import { BoardError, invalid, type ProblemKey } from "../errors.js";
import { codeOf } from "../lib/error-code.js";
import { isOfDisk, receiveFile, type Received } from "../lib/files.js";
import { checkedTarget, type Target } from "./target.js";

export interface DownloadOptions {
  path: string;
  /** largest body, in bytes */
  maxBytes: number;
  /** time limit for the whole download, redirects included, in milliseconds */
  timeoutMs: number;
  /** timeout for the connection, the headers and each part of the body, in milliseconds; 10 seconds by default */
  stallMs?: number;
  /** `host:port` for which private addresses and other ports are allowed */
  allowHosts: readonly string[];
  /** called with the size of each chunk; an error that it throws ends the download */
  onBytes?: (bytes: number) => void;
}

const USER_AGENT = "Graphbooru/0.1 (image board; downloads what a user named as source)";
const MAX_REDIRECTS = 4;
/** Informational responses (1xx) before the response: a site can send millions, and each costs as much time as kilobytes of a file. */
const MAX_INFORMATIONAL = 10;
const STALL_MS = 10_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const TIMEOUTS = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ETIMEDOUT",
  "ETIMEOUT",
]);

/**
 * Downloads the source of a post from a user's URL. To prevent requests to private machines (SSRF), only web ports of public
 * addresses are allowed, also for each of at most four redirects.
 * @throws BoardError 420 on the field `source`: `source_scheme`, `source_address`, `source_status`, `source_timeout`,
 *   `file_too_large` or `source_failed`; the file is removed
 */
export async function downloadSource(url: string, options: DownloadOptions): Promise<Received> {
  const deadline = AbortSignal.timeout(options.timeoutMs);
  try {
    return await follow(url, options, deadline);
  } catch (error) {
    await rm(options.path, { force: true });
    throw deadline.aborted ? problem("source_timeout", error) : refusal(error);
  }
}

async function follow(first: string, options: DownloadOptions, signal: AbortSignal): Promise<Received> {
  let target = checkedTarget(first, options.allowHosts);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const found = await fetchOnce(target, options, signal);
    if (typeof found !== "string") return found;
    target = checkedTarget(found, options.allowHosts, target.url);
  }
  throw invalid("source", "source_failed");
}

/**
 * One request, with an agent of its own, because `lookup` is checked for this target only.
 * @returns where a redirect leads, or the received body
 */
async function fetchOnce(target: Target, options: DownloadOptions, signal: AbortSignal) {
  const stall = Math.min(options.stallMs ?? STALL_MS, options.timeoutMs);
  const { Agent, request } = await import("undici"); // most processes never need it
  const connect = { lookup: target.lookup, timeout: stall };
  const agent = new Agent({ connect, headersTimeout: stall, bodyTimeout: stall });
  let informational = 0;
  const onInfo = () => {
    if ((informational += 1) > MAX_INFORMATIONAL) throw invalid("source", "source_failed");
  };
  try {
    // No compression: a small body could expand without limit, and media files don't become smaller.
    const headers = { "user-agent": USER_AGENT, accept: "*/*", "accept-encoding": "identity" };
    const response = await request(target.url, { dispatcher: agent, signal, headers, onInfo });
    return await receive(response, options, signal);
  } finally {
    await agent.destroy();
  }
}

async function receive(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { path, maxBytes, onBytes }: DownloadOptions,
  signal: AbortSignal,
): Promise<string | Received> {
  const location = headerOf(headers, "location");
  if (REDIRECTS.has(statusCode) && location !== null) return location;
  if (statusCode < 200 || statusCode > 299) throw refused(statusCode, headerOf(headers, "retry-after"));
  if ((headerOf(headers, "content-encoding") ?? "identity") !== "identity") throw invalid("source", "source_failed");
  if (Number(headerOf(headers, "content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  return receiveFile(body, { path, maxBytes, tooLarge: () => tooLarge(maxBytes), onBytes, signal });
}

function headerOf(headers: Dispatcher.ResponseData["headers"], name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

const tooLarge = (limit: number): BoardError => invalid("source", "file_too_large", { limit });

const problem = (key: ProblemKey, cause: unknown): BoardError => invalid("source", key, {}, { cause });

/** An error response of a site: the cause of `source_status` errors, for callers that retry. */
export class SourceAnswer extends Error {
  override name = "SourceAnswer";
  constructor(
    readonly status: number,
    /** the header, unparsed */
    readonly retryAfter: string | null,
  ) {
    super(`the site responded with ${status}`);
  }
}

const refused = (status: number, retryAfter: string | null): BoardError =>
  invalid("source", "source_status", { status }, { cause: new SourceAnswer(status, retryAfter) });

/** Errors of our own disk are not reported as errors of the source. */
const refusal = (error: unknown): unknown =>
  error instanceof BoardError || isOfDisk(error)
    ? error
    : problem(TIMEOUTS.has(codeOf(error)) ? "source_timeout" : "source_failed", error);
