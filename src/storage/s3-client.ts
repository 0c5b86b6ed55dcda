/** The client of an S3-compatible store: its configuration, timeouts and errors. */
import { S3Client } from "@aws-sdk/client-s3";
import type { Config } from "../config.js";
import { StorageUnavailableError, StorageRefusedError } from "./storage.js";

// The SDK would write a warning about older Node versions to standard error.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";

/** Attempts of a request, for errors that may be transient and are no timeouts. */
export const ATTEMPTS = 3;

const CONNECT_MS = 3_000;

const ignore = (): void => undefined;
/** Errors are thrown; the SDK would also write some of them to standard error. */
const SILENT = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A client; without keys in the configuration it uses those of AWS's default chain (environment, profile, the machine's role). */
export function connectS3(config: Config): S3Client {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  const region = config.S3_REGION ?? (config.S3_ENDPOINT ? "us-east-1" : undefined);
  // Each client that reads a file holds a connection to the store, so MAX_CONNECTIONS limits them.
  const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };
  return new S3Client({
    ...(region ? { region } : {}),
    ...(config.S3_ENDPOINT ? { endpoint: config.S3_ENDPOINT } : {}),
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
    forcePathStyle: config.S3_FORCE_PATH_STYLE ?? config.S3_ENDPOINT !== undefined,
    // Many stores don't support the SDK's checksums; all support Content-MD5.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    expectContinueHeader: false,
    maxAttempts: ATTEMPTS,
    logger: SILENT,
    requestHandler: {
      connectionTimeout: Math.min(CONNECT_MS, config.S3_TIMEOUT_MS),
      socketTimeout: 0, // `IdleTimeout` excludes the time in which the reader is slow
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

/** Aborts its signal unless it is reset or paused in time. */
export class IdleTimeout implements Disposable {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly milliseconds: number) {
    this.reset();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  reset(): void {
    this.pause();
    this.#timer = setTimeout(() => this.abort(), this.milliseconds);
  }

  /** Stops the timeout until the next `reset`. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  abort(): void {
    this.pause();
    this.#controller.abort();
  }

  [Symbol.dispose](): void {
    this.pause();
  }
}

interface Fault {
  name?: string;
  code?: unknown;
  $metadata?: { httpStatusCode?: number };
}

/** Codes of the system, and of a parser that was sent no HTTP. */
const NETWORK = /^(ECONN|EHOST|ENET|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_|HPE_)/;
const TIMEOUT = /^(AbortError|TimeoutError)$/;
const BUSY = /^(SlowDown|Throttling|RequestTimeout|OperationAborted)/;
/** What arrived is not what was sent. */
const DAMAGED = /^(BadDigest|IncompleteBody)$/;

export const statusOf = (error: unknown): number | undefined => (error as Fault).$metadata?.httpStatusCode;

/** Whether the object or the bucket does not exist. */
export const isMissing = (error: unknown): boolean => statusOf(error) === 404;

/** Whether the store is unreachable or overloaded, after the SDK's retries. */
function isUnavailable(error: unknown): boolean {
  const { name = "", code } = error as Fault;
  const status = statusOf(error);
  if (status !== undefined && (status >= 500 || status === 429)) return true;
  return (
    BUSY.test(name) || DAMAGED.test(name) || TIMEOUT.test(name) || (typeof code === "string" && NETWORK.test(code))
  );
}

/** By a clock that was set meanwhile. The SDK then has the store's time for the next request, but can't repeat one that streams a file. */
const SKEWED = "RequestTimeTooSkewed";

/** Whether to retry: transient errors, but not timeouts. */
export function isWorthRetrying(error: unknown): boolean {
  const { name = "" } = error as Fault;
  return name === SKEWED || (isUnavailable(error) && !TIMEOUT.test(name));
}

/** Whether the settings are wrong, or were changed in the store: credentials, their rights, the bucket. */
const isRefused = (error: unknown): boolean =>
  [401, 403].includes(statusOf(error) ?? 0) || /^(Credentials|NoSuchBucket$)/.test((error as Error).name);

/**
 * A StorageUnavailableError if the store is unavailable, or a proxy responds in its place, a StorageRefusedError if it refuses the credentials; that an
 * object is missing, and errors of the program, unchanged.
 */
export function toStorageError(error: unknown): unknown {
  const { name, message } = error as Error;
  if (isRefused(error)) {
    const reason = [statusOf(error), name].join(" ").trim();
    return new StorageRefusedError(`the file storage refuses the request (${reason}); check the S3_ settings`, {
      cause: error,
    });
  }
  // 412: the file was replaced between `stat` and `open`; a retry reads the new version
  if (!isUnavailable(error) && (statusOf(error) === undefined || isMissing(error))) return error;
  const reason = name === "AbortError" ? "timeout" : message || name;
  return new StorageUnavailableError(`the file storage is unavailable (${reason})`, { cause: error });
}
