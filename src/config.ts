/** Environment -> frozen Config. The only reader of `process.env`; all errors are reported at once. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import proxyAddr from "proxy-addr";
import { z } from "zod";
import { withSettings } from "./database/settings.js";
import { MAX_INT } from "./lib/integers.js";
import { withoutByteOrderMark } from "./lib/text.js";

const MiB = 1024 * 1024;

function integer(fallback: number, min = 0, max = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const error = `must be an integer ${range}`;
  return z.coerce.number(error).int(error).min(min, error).max(max, error).default(fallback);
}

/** The longest time in milliseconds that timers of Node and PostgreSQL take, with what is added to it here; beyond it, timers end at once. */
const LONGEST_MS = 2_000_000_000;

const milliseconds = (fallback: number, min: number) => integer(fallback, min, LONGEST_MS);

const yesOrNo = z.enum(["true", "false", "1", "0", "yes", "no"]);
const isYes = (word: z.infer<typeof yesOrNo>): boolean => word === "true" || word === "1" || word === "yes";

const flag = (fallback: boolean) => yesOrNo.default(fallback ? "true" : "false").transform(isYes);

const httpUrl = z
  .string()
  .refine(
    (url) => /^https?:\/\/.*[^/]$/.test(url) && URL.canParse(url),
    "must be an http(s) URL without a trailing slash",
  );

/** Whether a URL consists of a scheme and a host only. */
function isOrigin(text: string): boolean {
  const url = /^https?:\/\/.*[^/]$/.test(text) && URL.canParse(text) ? new URL(text) : null;
  return url !== null && url.href === `${url.origin}/`;
}

/** A number of hops, or addresses and networks as `proxy-addr` reads them. */
function isProxies(text: string): boolean {
  if (/^\d+$/.test(text)) return true;
  try {
    proxyAddr.compile(text.split(",").map((each) => each.trim()));
    return true;
  } catch {
    return false;
  }
}

const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((word) => word.trim())
      .filter(Boolean),
  );

/** Whether a URL with one of these starts can be used; that of a Unix socket may have a user without a host. */
const isUrl = (url: string, starts: readonly string[]): boolean =>
  starts.some((start) => url.startsWith(start)) && !url.includes("#") && URL.canParse(url.replace("@/", "@localhost/"));
const mustBeUrl = (starts: readonly string[]): string =>
  `must be a URL that starts with ${starts.join(" or ")}, its password percent-encoded`;

const POSTGRES = ["postgres://", "postgresql://"];
const REDIS = ["redis://", "rediss://"];

/** Marks the limits of which accounts in their first week have a fifth; `docs/configuration.md` explains it. */
const IN_FIRST_WEEK = " \\*";

/** One line per variable: name, type, default. `docs/configuration.md` is generated from the descriptions. */
export const variables = z.object({
  HOST: z.string().min(1).default("127.0.0.1").describe("address to listen on"),
  PORT: integer(3000, 0, 65535).describe("port to listen on; 0 chooses a free one"),
  WORKERS: integer(1, 1, 256).describe(
    "server processes that share the port; one per core, and at least two to be reloaded without downtime",
  ),
  DRAIN_MS: integer(2_000, 0, 300_000).describe(
    "milliseconds that a server keeps serving after SIGTERM, with `/readyz` at 503 for load balancers; not after SIGINT (Ctrl-C)",
  ),
  ENV_FILE: z
    .string()
    .optional()
    .describe(
      "file of further settings, one `NAME=value` per line, overridden by the environment; read again on a reload (SIGHUP)",
    ),
  DATA_DIR: z.string().min(1).default("./data").describe("folder of the embedded database, files and secret"),
  DATABASE_URL: z
    .string()
    .refine((url) => isUrl(url, POSTGRES), mustBeUrl(POSTGRES))
    .transform((url) => withSettings(url))
    .optional()
    .describe("PostgreSQL to use instead of the embedded one"),
  DATABASE_REPLICA_URLS: list
    .refine((urls) => urls.every((url) => isUrl(url, POSTGRES)), `each ${mustBeUrl(POSTGRES)}`)
    .transform((urls) => urls.map((url) => withSettings(url)))
    .describe("streaming replicas of DATABASE_URL for reads, separated by commas"),
  DATABASE_REPLICA_LAG_MS: integer(5_000, 1_000, 600_000).describe(
    "maximum lag of a replica in milliseconds; beyond it, it is not read from",
  ),
  DATABASE_CONNECTIONS: integer(20, 1, 1000).describe(
    "maximum number of database connections of all WORKERS together, and as many to each replica",
  ),
  DATABASE_CONNECTIONS_PER_CLIENT: integer(4, 1, 1000).describe(
    "maximum number of connections in each process for one user, or for one address without login; further statements wait",
  ),
  DATABASE_WAIT_MS: milliseconds(2_000, 10).describe(
    "longest wait for a database connection, in milliseconds; then 503",
  ),
  MAX_REQUESTS: integer(256, 1).describe("maximum number of concurrent requests per process; beyond it 503"),
  MAX_REQUESTS_PER_ADDRESS: integer(6, 1).describe(
    "maximum number of concurrent requests of one address (IPv6: /64) per process; a request for many records counts several times; further ones wait for up to ten seconds",
  ),
  MAX_CONNECTIONS: integer(1_000, 1).describe(
    "maximum number of connections per process; beyond it idle ones are closed, or new ones get 503 if none is idle",
  ),
  MAX_CONNECTIONS_PER_ADDRESS: integer(250, 1).describe(
    "maximum number of connections of one address (IPv6: /64) per process, except trusted proxies (TRUST_PROXY); a quarter may be WebSockets",
  ),
  REQUEST_TIMEOUT_MS: milliseconds(300_000, 100).describe("time limit for receiving a request, in milliseconds"),
  BODY_STALL_MS: milliseconds(20_000, 100).describe(
    "milliseconds within which each further kibibyte of a body has to arrive",
  ),
  SEND_TIMEOUT_MS: milliseconds(30_000, 100).describe(
    "milliseconds after which a client that reads nothing of its response is disconnected",
  ),
  RESPONSE_BYTES_IN_FLIGHT: integer(256 * MiB, 1).describe(
    "maximum bytes of responses of more than 64 KiB that their clients have not read yet, in each process; beyond it, the address with the most loses its oldest",
  ),
  REDIS_URL: z
    .string()
    .refine((url) => isUrl(url, REDIS), mustBeUrl(REDIS))
    .optional()
    .describe("Redis for limits and events of several servers; one database number per board"),
  LIMITS_STORE: z
    .enum(["memory", "postgres", "redis"])
    .optional()
    .describe(
      "where limits are counted; by default `redis` with REDIS_URL, otherwise `memory`, which all WORKERS share. Several servers on one database without Redis need `postgres`",
    ),
  STATEMENT_TIMEOUT_MEMBER_MS: milliseconds(3_000, 100).describe(
    "statement timeout of visitors and Members, in milliseconds",
  ),
  STATEMENT_TIMEOUT_GOLD_MS: milliseconds(6_000, 100).describe("statement timeout of Gold, in milliseconds"),
  STATEMENT_TIMEOUT_MS: milliseconds(9_000, 100).describe(
    "statement timeout of Platinum and above, and of everything else, in milliseconds",
  ),
  BOARD_NAME: z.string().min(1).max(100).default("Graphbooru").describe("name of the board on its pages"),
  BOARD_DESCRIPTION: z
    .string()
    .max(300)
    .default("")
    .describe("one sentence about the board, for search engines and link previews"),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, "must be http(s)://host without a path or a trailing slash")
    .optional()
    .describe("base of URLs in responses; by default the request's host"),
  TRUST_PROXY: z
    .string()
    .refine(isProxies, "must be a number of hops, or addresses and networks separated by commas")
    .optional()
    .describe("trusted reverse proxies: number of hops, or their addresses"),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info")
    .describe("minimum severity to log"),
  SERVER_TIMING: flag(false).describe(
    "report each request's database time in the header `Server-Timing`, in milliseconds",
  ),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/-]{16,}=*$/, "must be a bearer token: 16 or more letters, digits or any of -._~+/")
    .optional()
    .describe(
      "bearer token, 16 or more characters, required for `/metrics`; without it, `/metrics` is available only on the machine itself, and not through a proxy",
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine((url) => /^https?:/.test(url) && URL.canParse(url), "must be an http or https URL")
    .optional()
    .describe("OpenTelemetry collector for traces (OTLP over HTTP); without it, there are none"),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/, "must be name=value,name=value")
    .optional()
    .describe("headers for the collector, `name=value,name=value`, values percent-encoded"),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds(5_000, 10).describe(
    "maximum delay of spans before they are sent, in milliseconds",
  ),
  OTEL_SERVICE_NAME: z.string().min(1).default("graphbooru").describe("name of this server in traces"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe("share of requests to trace, 0 to 1, unless `traceparent` decides"),
  LEGACY_COOKIES: flag(true).describe(
    "set and accept the REST interface's own cookies (`user_name` and `password_hash`, the API key) besides the session's",
  ),
  SECRET: z.string().min(32).optional().describe("key that signs cookies; by default generated and stored in DATA_DIR"),
  PASSWORD_SALT: z.string().min(1).default("choujin-steiner").describe("salt of the legacy password hash"),
  BCRYPT_COST: integer(12, 4, 16).describe("bcrypt cost, as a power of two"),
  REQUIRE_LOGIN: flag(false).describe("refuse anonymous reads"),
  MAX_POSTS_PER_PAGE: integer(100, 1, 1000).describe("maximum number of posts per page"),
  MAX_PER_PAGE: integer(1000, 1, 1000).describe("maximum number of other records per page"),
  MAX_PAGE: integer(1000, 1).describe("maximum page number"),
  MAX_UPLOAD_BYTES: integer(100 * MiB, 1, MAX_INT).describe("maximum size of a file, in bytes"),
  MAX_BODY_BYTES: integer(1 * MiB, 1024).describe("maximum size of a body without its file, in bytes"),
  UPLOAD_BYTES_PER_ADDRESS: integer(300 * MiB, 1).describe(
    "maximum bytes of uploads in progress from one address, in each process; beyond it 421. One file of MAX_UPLOAD_BYTES is always allowed",
  ),
  UPLOAD_BYTES_PER_USER: integer(300 * MiB, 1).describe("the same for one account"),
  UPLOAD_BYTES_IN_FLIGHT: integer(1024 * MiB, 1).describe("the same for everybody together; beyond it 503"),
  MAX_PIXELS: integer(150_000_000, 1).describe(
    "maximum size of a picture, in pixels; all frames together ten times that",
  ),
  DECODING_MEMORY_BYTES: integer(512 * MiB, 256 * MiB).describe(
    "memory of the decoders for all WORKERS together, in bytes; at most two thirds of it for one file",
  ),
  VIDEOS: flag(true).describe("accept videos if ffmpeg and ffprobe are on the path"),
  MAX_VIDEO_SECONDS: integer(140, 1).describe("maximum length of a video, in seconds"),
  TAGS_PER_SEARCH: integer(40, 1).describe("maximum number of terms in a search"),
  TAGS_PER_POST: integer(1250, 1).describe("maximum number of tags on a post"),
  UPLOADS_PER_DAY: integer(50, 0).describe(
    "pending uploads a day below Contributor, including files that replace those of pending posts",
  ),
  FAILED_UPLOADS_PER_HOUR: integer(30, 1).describe("uploads an hour below Admin whose file is refused while decoding"),
  FLAGS_PER_DAY: integer(10, 0).describe("post flags a day below Janitor"),
  APPEALS_PER_DAY: integer(10, 0).describe("post appeals a day"),
  COMMENTS_PER_HOUR: integer(60, 1).describe("comments an hour below Gold"),
  ACCOUNTS_PER_HOUR: integer(20, 1).describe("sign-ups an hour from one address"),
  DMAILS_PER_HOUR: integer(60, 1).describe(`dmails an hour below Builder${IN_FIRST_WEEK}`),
  FORUM_POSTS_PER_HOUR: integer(60, 1).describe(`forum topics and posts an hour below Builder${IN_FIRST_WEEK}`),
  POST_EDITS_PER_HOUR: integer(1_000, 1).describe(`post edits an hour below Builder${IN_FIRST_WEEK}`),
  NEW_TAGS_PER_HOUR: integer(10_000, 1).describe(
    `new tags an hour, by edits and uploads below Builder that bring more than 20${IN_FIRST_WEEK}`,
  ),
  POOL_POSTS_PER_HOUR: integer(10_000, 1).describe(
    `posts an hour added to and removed from pools, by edits below Builder of more than 20${IN_FIRST_WEEK}`,
  ),
  RECORD_EDITS_PER_HOUR: integer(300, 1).describe(
    `edits of wiki pages, artists, commentaries, pools, notes, comments and forum, and alias and implication requests, an hour below Builder${IN_FIRST_WEEK}`,
  ),
  VOTES_PER_HOUR: integer(1_000, 1).describe(
    `votes and favorites, added and removed, an hour below Builder${IN_FIRST_WEEK}`,
  ),
  LOGIN_ATTEMPTS_PER_HOUR: integer(60, 1).describe("failed logins an hour for each name and each address"),
  LIMIT_ANONYMOUS: integer(500, 1).describe("requests an hour for an address without login"),
  LIMIT_MEMBER: integer(3_000, 1).describe("requests an hour for Member"),
  LIMIT_GOLD: integer(10_000, 1).describe("requests an hour for Gold"),
  LIMIT_PLATINUM: integer(20_000, 1).describe("requests an hour for Platinum and above"),
  LIMIT_ADDRESS: integer(60_000, 1).describe("requests an hour of all users at one address together"),
  LIMIT_SUGGESTIONS: integer(6_000, 1).describe("suggestions an hour for a user, or for an address without login"),
  VERSION_MERGE_MINUTES: integer(0, 0, MAX_INT).describe(
    "minutes within which a user's edits of one record share a version",
  ),
  SOURCE_TIMEOUT_MS: milliseconds(20_000, 10).describe("time limit for downloading a source, in milliseconds"),
  SOURCE_ALLOW_HOSTS: list
    .refine((all) => all.every((each) => /:\d+$/.test(each) && isOrigin(`http://${each}`)), "each must be host:port")
    .describe("host:port list of sources that are allowed despite a private address"),
  IMPORT_LOGIN: z.string().min(1).optional().describe("account at the source site of `board import`"),
  IMPORT_API_KEY: z.string().min(1).optional().describe("API key of IMPORT_LOGIN; sent only to that site"),
  STORAGE: z
    .enum(["disk", "s3"])
    .default("disk")
    .describe(
      "where files of posts are stored: `disk` is DATA_DIR, `s3` a bucket of an S3-compatible store ([storage.md](storage.md))",
    ),
  S3_ENDPOINT: httpUrl.optional().describe("URL of the S3-compatible store; by default AWS' own"),
  S3_BUCKET: z.string().min(3).optional().describe("bucket of the files; it must exist"),
  S3_REGION: z
    .string()
    .min(1)
    .optional()
    .describe("region of the bucket; by default AWS_REGION, with S3_ENDPOINT `us-east-1`"),
  S3_PREFIX: z
    .string()
    .regex(
      /^(?!.*(?:^|\/)\.\.?(?:\/|$))[\w.-]+(\/[\w.-]+)*$/,
      "must be names separated by slashes, without one at either end",
    )
    .optional()
    .describe("prefix of the files' keys, followed by a slash; by default none"),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().describe("credentials of the store; by default those of AWS' tools"),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe("secret of S3_ACCESS_KEY_ID"),
  S3_FORCE_PATH_STYLE: yesOrNo
    .transform(isYes)
    .optional()
    .describe("put the bucket in the path of URLs instead of the host; by default with S3_ENDPOINT"),
  S3_PUBLIC_URL: httpUrl
    .optional()
    .describe(
      "base of file URLs in responses, the bucket's own or a CDN's; by default the board serves files at `/data`",
    ),
  S3_TIMEOUT_MS: milliseconds(10_000, 10).describe(
    "milliseconds within which the store must respond or make progress; then 503",
  ),
  POST_CACHE_BYTES: integer(64 * MiB, 0).describe(
    "size of each process's cache of posts, in bytes; about 3,000 per post",
  ),
  GRAPHQL_MAX_DEPTH: integer(15, 3).describe("maximum depth of a GraphQL query"),
  GRAPHQL_MAX_COMPLEXITY: integer(5_000, 100).describe("maximum cost of a GraphQL query"),
  GRAPHQL_MAX_RESPONSE_BYTES: integer(2 * MiB, 1024).describe("maximum size of a GraphQL response, in bytes"),
  GRAPHQL_MAX_ALIASES: integer(50, 1).describe("maximum number of aliases in a GraphQL document"),
  JOBS: flag(true).describe(
    "run background jobs in the server; otherwise `board jobs run` runs them in a separate process",
  ),
});

type Variables = z.infer<typeof variables>;

export interface Config extends Readonly<Variables> {
  /** absolute path of DATA_DIR */
  readonly dataDir: string;
  /** absolute path of the uploaded files, including temporary ones */
  readonly mediaDir: string;
  /** names in ENV_FILE that are no settings, such as misspelt ones */
  readonly unknownSettings: readonly string[];
}

/** An invalid configuration; `faults` has one sentence for each variable. */
export class ConfigError extends Error {
  override name = "ConfigError";
  constructor(readonly faults: string[]) {
    super(faults.join("\n"));
  }
}

const present = (env: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));

function settingsOf(file: string | undefined): Record<string, string | undefined> {
  if (!file) return {};
  const text = readSettings(file);
  const faults = linesIgnored(text).map((line) => `ENV_FILE: line ${line} of ${file} is not NAME=VALUE`);
  if (faults.length > 0) throw new ConfigError(faults);
  return parseEnv(text);
}

function readSettings(file: string): string {
  try {
    return withoutByteOrderMark(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigError([`ENV_FILE: ${file} can't be read (${(error as NodeJS.ErrnoException).code})`]);
  }
}

/** Numbers of the lines that `parseEnv` would silently ignore. Values in quotes may have several lines. */
function linesIgnored(text: string): number[] {
  const unquoted = text.replaceAll(
    /=[ \t]*(["'`])[^]*?\1/g,
    (value) => `=${"\n".repeat(value.split("\n").length - 1)}`,
  );
  const isRead = (line: string) => /^\s*(#|$|(export\s+)?[\w.-]+\s*=)/.test(line);
  return unquoted.split("\n").flatMap((line, index) => (isRead(line) ? [] : [index + 1]));
}

/**
 * Reads and checks the environment, and the file of settings named by it.
 * @throws ConfigError with all faults at once
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const settings = settingsOf(env.ENV_FILE);
  const given = { ...present(settings), ...present(env) };
  const issues = variables.safeParse(given).error?.issues ?? [];
  const invalid = new Set<unknown>(issues.map((issue) => issue.path[0]));
  const valid = variables.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !invalid.has(name))));
  const faults = [
    ...issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`),
    ...contradictions({ ...given, ...valid }), // an invalid one counts as given
  ];
  if (faults.length > 0) throw new ConfigError(faults);
  const dataDir = path.resolve(valid.DATA_DIR);
  const unknownSettings = Object.keys(settings).filter((name) => !(name in variables.shape));
  return Object.freeze({ ...valid, dataDir, mediaDir: path.join(dataDir, "media"), unknownSettings });
}

/** Errors of settings that are valid, but not together with others. */
function contradictions(settings: Variables): string[] {
  const faults = settings.STORAGE === "s3" ? missingForS3(settings) : [];
  if (settings.LIMITS_STORE === "redis" && !settings.REDIS_URL) faults.push("LIMITS_STORE: redis requires REDIS_URL");
  if (settings.DATABASE_REPLICA_URLS.length > 0 && !settings.DATABASE_URL)
    faults.push("DATABASE_REPLICA_URLS: the embedded database has no replicas; it needs DATABASE_URL");
  return faults;
}

/** Errors of the settings for an S3-compatible store, a sentence for each variable. */
export function missingForS3(settings: Variables): string[] {
  const { S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = settings;
  const faults: string[] = [];
  if (!settings.S3_BUCKET) faults.push("S3_BUCKET: STORAGE=s3 needs the name of a bucket");
  if (id && !secret) faults.push("S3_SECRET_ACCESS_KEY: required with S3_ACCESS_KEY_ID");
  if (secret && !id) faults.push("S3_ACCESS_KEY_ID: required with S3_SECRET_ACCESS_KEY");
  return faults;
}
