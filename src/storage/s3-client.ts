/** The way to an S3-compatible store: the client that configuration describes, how long it is waited for, what its errors mean. */
import { S3Client } from "@aws-sdk/client-s3";
import type { Config } from "../config.js";
import { StorageAwayError } from "./storage.js";

// Which Node runs the board is the board's own affair; each command would say otherwise on standard error.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";

/** How often a request is tried that fails at once and may succeed the next time. */
export const ATTEMPTS = 3;

const CONNECT_MS = 3_000;

const ignore = (): void => undefined;
/** What goes wrong is thrown; the SDK would also write some of it to standard error. */
const SILENT = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A client; without keys of its own it takes those that AWS' tools find (environment, profile, the machine's role). */
export function connectS3(config: Config): S3Client {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  const region = config.S3_REGION ?? (config.S3_ENDPOINT ? "us-east-1" : undefined);
  // A reader who takes a video slowly holds a connection to the store as long; MAX_CONNECTIONS bounds them.
  const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };
  return new S3Client({
    ...(region ? { region } : {}),
    ...(config.S3_ENDPOINT ? { endpoint: config.S3_ENDPOINT } : {}),
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
    forcePathStyle: config.S3_FORCE_PATH_STYLE ?? config.S3_ENDPOINT !== undefined,
    // The SDK's own checksums travel in a way that many stores don't understand; Content-MD5 does the same for all.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    expectContinueHeader: false,
    maxAttempts: ATTEMPTS,
    logger: SILENT,
    requestHandler: {
      connectionTimeout: Math.min(CONNECT_MS, config.S3_TIMEOUT_MS),
      socketTimeout: 0, // `Patience` knows when it is the reader who is slow
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

/** Aborts its signal when nothing was heard for too long. */
export class Patience implements Disposable {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** @param milliseconds within which something has to be heard, again and again */
  constructor(private readonly milliseconds: number) {
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the timeout. */
  heard(): void {
    this.rest();
    this.#timer = setTimeout(() => this.end(), this.milliseconds);
  }

  /** Waits for nothing, until something is heard again. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  /** Gives up. */
  end(): void {
    this.rest();
    this.#controller.abort();
  }

  [Symbol.dispose](): void {
    this.rest();
  }
}

interface Fault {
  name?: string;
  code?: unknown;
  $metadata?: { httpStatusCode?: number };
}

const NETWORK = /^(ECONN|EHOST|ENET|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_)/;
const GIVEN_UP = /^(AbortError|TimeoutError)$/;
const BUSY = /^(SlowDown|Throttling|RequestTimeout|OperationAborted)/;

export const statusOf = (error: unknown): number | undefined => (error as Fault).$metadata?.httpStatusCode;

/** Whether there is no such object, or bucket. */
export const isMissing = (error: unknown): boolean => statusOf(error) === 404;

/** Whether the store can't be reached, or can't answer now; AWS' own retries are over by then. */
function isAway(error: unknown): boolean {
  const { name = "", code } = error as Fault;
  const status = statusOf(error);
  if (status !== undefined && (status >= 500 || status === 429)) return true;
  return BUSY.test(name) || GIVEN_UP.test(name) || (typeof code === "string" && NETWORK.test(code));
}

/** Whether to try again: not after a timeout. */
export const isWorthRetrying = (error: unknown): boolean =>
  isAway(error) && !GIVEN_UP.test((error as Fault).name ?? "");

/** A StorageAwayError for a store that is away; other errors are as they were. */
export function toStorageError(error: unknown): unknown {
  // a content other than was asked for: the reader came between two of them, and finds the new one next time
  if (!isAway(error) && statusOf(error) !== 412) return error;
  const { name, message } = error as Error;
  const what = name === "AbortError" ? "it is silent" : message || name;
  return new StorageAwayError(`the file storage does not answer (${what})`, { cause: error });
}
