import { rm } from "node:fs/promises";
import type { Dispatcher } from "undici";
import { BoardError, invalid, type ProblemKey } from "../errors.js";
import { streamToFile } from "../lib/stream-to-file.js";
import { checkedTarget, type Target } from "./target.js";

export interface DownloadOptions {
  /** where the body is written */
  path: string;
  /** largest body, in bytes */
  maxBytes: number;
  /** time limit for the whole download, redirects included, in milliseconds */
  timeoutMs: number;
  /** timeout for the connection, the headers and each part of the body, in milliseconds; 10 seconds by default */
  stallMs?: number;
  /** `host:port` for which private addresses and other ports are allowed */
  allowHosts: readonly string[];
  /** the User-Agent header; "Graphbooru ..." by default */
  userAgent?: string;
  /** called with the size of each chunk; an error that it throws ends the download */
  onBytes?: (bytes: number) => void;
  /** cancels the download, which then throws the signal's reason */
  signal?: AbortSignal;
}

export interface Download {
  /** after redirects */
  url: string;
  /** as declared by the server; not to be trusted */
  contentType: string | null;
}

const USER_AGENT = "Graphbooru (image board, fetching the source of a post)";
const MAX_REDIRECTS = 4;
const STALL_MS = 10_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const TIMEOUTS = new Set(["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "ETIMEDOUT"]);

/**
 * Downloads the source of a post from a user's URL. To prevent requests to private machines (SSRF), only web ports of public
 * addresses are allowed, also for each of at most four redirects.
 * @throws BoardError 420 on the field `source`: `source_scheme`, `source_address`, `source_status`, `source_timeout`,
 *   `file_too_large` or `source_failed`; the file is removed
 */
export async function downloadSource(url: string, options: DownloadOptions): Promise<Download> {
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
  try {
    return await follow(url, options, signal);
  } catch (error) {
    await rm(options.path, { force: true });
    options.signal?.throwIfAborted();
    throw deadline.aborted ? problem("source_timeout", error) : refusal(error);
  }
}

async function follow(first: string, options: DownloadOptions, signal: AbortSignal): Promise<Download> {
  let target = checkedTarget(first, options.allowHosts);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await fetchOnce(target, options, signal);
    if (!("location" in answer)) return answer;
    target = checkedTarget(answer.location, options.allowHosts, target.url);
  }
  throw invalid("source", "source_failed");
}

/** One request, with an agent of its own, because `lookup` is checked for this target only. */
async function fetchOnce(target: Target, options: DownloadOptions, signal: AbortSignal) {
  const stall = Math.min(options.stallMs ?? STALL_MS, options.timeoutMs);
  const { Agent, request } = await import("undici"); // most processes never need it
  const connect = { lookup: target.lookup, timeout: stall };
  const agent = new Agent({ connect, headersTimeout: stall, bodyTimeout: stall });
  try {
    // No compression: a small body could expand without limit, and media files don't become smaller.
    const headers = { "user-agent": options.userAgent ?? USER_AGENT, accept: "*/*", "accept-encoding": "identity" };
    const response = await request(target.url, { dispatcher: agent, signal, headers });
    return await receive(target, response, options, signal);
  } finally {
    await agent.destroy();
  }
}

type Fetched = Download | { location: string };

async function receive(
  { url }: Target,
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { path, maxBytes, onBytes }: DownloadOptions,
  signal: AbortSignal,
): Promise<Fetched> {
  const location = headerOf(headers, "location");
  if (REDIRECTS.has(statusCode) && location !== null) return { location };
  if (statusCode < 200 || statusCode > 299) throw refused(statusCode, headerOf(headers, "retry-after"));
  if ((headerOf(headers, "content-encoding") ?? "identity") !== "identity") throw invalid("source", "source_failed");
  if (Number(headerOf(headers, "content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  await streamToFile(body, path, (chunks) => capped(chunks, maxBytes, onBytes), signal);
  return { url: url.href, contentType: headerOf(headers, "content-type") };
}

function headerOf(headers: Dispatcher.ResponseData["headers"], name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

async function* capped(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  onBytes: DownloadOptions["onBytes"],
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    onBytes?.(chunk.length);
    yield chunk;
  }
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
    super(`the site answered ${status}`);
  }
}

const refused = (status: number, retryAfter: string | null): BoardError =>
  invalid("source", "source_status", { status }, { cause: new SourceAnswer(status, retryAfter) });

/** Local errors, such as a full disk, are not reported as errors of the source. */
const isLocal = (error: unknown): boolean => {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" || code === "EROFS" || syscall === "open";
};

function refusal(error: unknown): unknown {
  if (error instanceof BoardError || isLocal(error)) return error;
  const code = String((error as NodeJS.ErrnoException | undefined)?.code);
  return problem(TIMEOUTS.has(code) ? "source_timeout" : "source_failed", error);
}
