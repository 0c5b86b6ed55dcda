/**
 * Environment -> frozen Config. The only reader of `process.env`; every fault is listed in one go.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";

const MiB = 1024 * 1024;

const integer = (fallback: number, min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z.coerce.number().int().min(min).max(max).default(fallback);

const yesOrNo = z.enum(["true", "false", "1", "0", "yes", "no"]);
const isYes = (word: z.infer<typeof yesOrNo>): boolean => word === "true" || word === "1" || word === "yes";

const flag = (fallback: boolean) => yesOrNo.default(fallback ? "true" : "false").transform(isYes);

const httpUrl = z
  .string()
  .refine(
    (url) => /^https?:\/\/.*[^/]$/.test(url) && URL.canParse(url),
    "must be an http(s) URL without a trailing slash",
  );

const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((word) => word.trim())
      .filter(Boolean),
  );

const POSTGRES_URL = /^postgres(ql)?:\/\//;
const POSTGRES_URLS = "each must be a URL that starts with postgres:// or postgresql://";

/** What all accounts younger than a week at one address may do together is what one of the others may. */
const IN_FIRST_WEEK =
  "; a fifth of it in an account's first week, and all such accounts of one address together no more than it";

/** One line per variable: name, type, default. `docs/configuration.md` is generated from the descriptions. */
export const variables = z.object({
  HOST: z.string().min(1).default("127.0.0.1").describe("address to listen on"),
  PORT: integer(3000, 0, 65535).describe("port to listen on; 0 takes a free one"),
  WORKERS: integer(1, 1, 256).describe("server processes, which share the port; at most as many as there are cores"),
  DRAIN_MS: integer(2_000, 0, 300_000).describe(
    "milliseconds that a server goes on serving after SIGTERM, while `/readyz` is 503, for balancers to notice; not after SIGINT (Ctrl-C)",
  ),
  ENV_FILE: z
    .string()
    .optional()
    .describe(
      "file of further settings, a line `NAME=value` for each, which the environment overrides; processes that a reload (SIGHUP) starts read it anew",
    ),
  DATA_DIR: z.string().min(1).default("./data").describe("folder of the embedded database, files and secrets"),
  DATABASE_URL: z
    .string()
    .regex(POSTGRES_URL, "must start with postgres:// or postgresql://")
    .optional()
    .describe("PostgreSQL to use in place of the embedded one"),
  DATABASE_REPLICA_URLS: list
    .refine((urls) => urls.every((url) => POSTGRES_URL.test(url) && URL.canParse(url)), POSTGRES_URLS)
    .describe("streaming replicas of DATABASE_URL that reads go to, separated by commas"),
  DATABASE_REPLICA_LAG_MS: integer(5_000, 1_000, 600_000).describe(
    "milliseconds that a replica may be behind; further behind it is not read from",
  ),
  DATABASE_CONNECTIONS: integer(20, 1, 1000).describe(
    "most connections to the database, of all WORKERS together; and as many to each replica",
  ),
  DATABASE_CONNECTIONS_PER_CLIENT: integer(4, 1, 1000).describe(
    "of them in each process for one user, or one address without login, at a time; its other statements wait",
  ),
  DATABASE_WAIT_MS: integer(2_000, 10).describe(
    "longest wait of a request for a connection to the database, in milliseconds; past it 503",
  ),
  MAX_REQUESTS: integer(256, 1).describe("requests that each process works on at once; past them 503"),
  MAX_REQUESTS_PER_ADDRESS: integer(6, 1).describe(
    "of them for one address (IPv6: /64) at a time, one that asks for many records counted several times; its others wait, for ten seconds at the most",
  ),
  MAX_CONNECTIONS: integer(1_000, 1).describe(
    "connections that each process keeps; past them those close that ask nothing, and where there are none of these, 503",
  ),
  MAX_CONNECTIONS_PER_ADDRESS: integer(250, 1).describe(
    "of them for one address (IPv6: /64); not for those of TRUST_PROXY, whose clients are told apart by their requests",
  ),
  REQUEST_TIMEOUT_MS: integer(300_000, 100).describe("longest time in which a request arrives, in milliseconds"),
  BODY_STALL_MS: integer(20_000, 100).describe(
    "milliseconds in each of which another kibibyte of a request's body has to arrive",
  ),
  SEND_TIMEOUT_MS: integer(30_000, 100).describe(
    "milliseconds after which a client loses its connection that takes nothing of its answer",
  ),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, "must start with redis:// or rediss://")
    .optional()
    .describe(
      "Redis by which several servers count limits and tell each other events; one database number for each board",
    ),
  LIMITS_STORE: z
    .enum(["memory", "postgres", "redis"])
    .optional()
    .describe(
      "where limits are counted: `redis` with REDIS_URL, else `postgres` with more than one of WORKERS, else `memory`; several servers on one database without Redis need `postgres`",
    ),
  STATEMENT_TIMEOUT_MEMBER_MS: integer(3_000, 100).describe(
    "longest SQL statement of a visitor or Member, in milliseconds",
  ),
  STATEMENT_TIMEOUT_GOLD_MS: integer(6_000, 100).describe("longest SQL statement of Gold, in milliseconds"),
  STATEMENT_TIMEOUT_MS: integer(9_000, 100).describe(
    "longest SQL statement of Platinum and above, and of everything else, in milliseconds",
  ),
  BOARD_NAME: z.string().min(1).max(100).default("Graphbooru").describe("name of the board, on its pages"),
  BOARD_DESCRIPTION: z
    .string()
    .max(300)
    .default("")
    .describe("one sentence about it, for search engines and link previews"),
  PUBLIC_URL: z
    .string()
    .regex(/^https?:\/\/[^/]+[^/]$/, "must be http(s)://host without a path or a trailing slash")
    .optional()
    .describe("base of the URLs in answers; by default the request's own host"),
  TRUST_PROXY: z.string().optional().describe("reverse proxies that are believed: how many hops, or their addresses"),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info")
    .describe("least severe level that is logged"),
  SERVER_TIMING: flag(false).describe("tell each request's database time in `Server-Timing`, in milliseconds"),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/-]{16,}=*$/, "must be a bearer token: 16 or more letters, digits or any of -._~+/")
    .optional()
    .describe(
      "token (`Authorization: Bearer`) without which nobody reads `/metrics`; by default it is read on the machine itself, and not through a proxy",
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine((url) => /^https?:/.test(url) && URL.canParse(url), "must be an http or https URL")
    .optional()
    .describe("OpenTelemetry collector that traces are sent to (OTLP over HTTP); without, none are made"),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/, "must be name=value,name=value")
    .optional()
    .describe("headers that the collector wants, `name=value,name=value`, values percent-encoded"),
  OTEL_BSP_SCHEDULE_DELAY: integer(5_000, 10).describe(
    "milliseconds after which spans are sent to the collector, at most",
  ),
  OTEL_SERVICE_NAME: z.string().min(1).default("graphbooru").describe("name of this server in traces"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe("share of requests that are traced, 0 to 1, where `traceparent` does not say whether one is"),
  LEGACY_COOKIES: flag(true).describe(
    "`POST /session.json` sets the REST interface's own cookies (`user_name` and `password_hash`, the API key) beside that of the session, and they are believed",
  ),
  SECRET: z.string().min(32).optional().describe("key that signs cookies; generated and kept in DATA_DIR by default"),
  PASSWORD_SALT: z.string().min(1).default("choujin-steiner").describe("salt of the legacy password hash"),
  BCRYPT_COST: integer(12, 4, 16).describe("cost of bcrypt, as a power of two"),
  REQUIRE_LOGIN: flag(false).describe("refuse anonymous reads"),
  MAX_POSTS_PER_PAGE: integer(100, 1, 1000).describe("most posts in one listing"),
  MAX_PER_PAGE: integer(1000, 1, 1000).describe("most records in one listing of anything else"),
  MAX_PAGE: integer(1000, 1).describe("greatest page number"),
  MAX_UPLOAD_BYTES: integer(100 * MiB, 1).describe("largest file, in bytes"),
  MAX_BODY_BYTES: integer(1 * MiB, 1024).describe("largest body, in bytes, what it has of a file apart"),
  UPLOAD_BYTES_PER_ADDRESS: integer(300 * MiB, 1).describe(
    "most bytes of files that one address may have on their way, from their arrival until they are stored or refused, in each process; past them 421. One file of MAX_UPLOAD_BYTES always has room",
  ),
  UPLOAD_BYTES_PER_USER: integer(300 * MiB, 1).describe("the same for one account"),
  UPLOAD_BYTES_IN_FLIGHT: integer(1024 * MiB, 1).describe("the same for everybody together; past them 503"),
  MAX_PIXELS: integer(150_000_000, 1).describe("largest picture, in pixels; all frames together ten times that"),
  DECODING_MEMORY_BYTES: integer(512 * MiB, 256 * MiB).describe(
    "memory of the processes that decode files, of all WORKERS together, in bytes; two thirds of it at most are for one file",
  ),
  VIDEOS: flag(true).describe("take videos, where ffmpeg and ffprobe are on the path"),
  MAX_VIDEO_SECONDS: integer(140, 1).describe("longest video, in seconds"),
  TAGS_PER_SEARCH: integer(40, 1).describe("most terms in one search"),
  TAGS_PER_POST: integer(1250, 1).describe("most tags on one post"),
  UPLOADS_PER_DAY: integer(50, 0).describe("pending uploads a day below Contributor"),
  FAILED_UPLOADS_PER_HOUR: integer(30, 1).describe(
    "uploads an hour whose file is refused when it is decoded, below Admin",
  ),
  FLAGS_PER_DAY: integer(10, 0).describe("flags of posts a day below Janitor"),
  APPEALS_PER_DAY: integer(10, 0).describe("appeals of posts a day"),
  COMMENTS_PER_HOUR: integer(60, 1).describe("comments an hour below Gold"),
  ACCOUNTS_PER_HOUR: integer(20, 1).describe("sign-ups an hour from one address"),
  DMAILS_PER_HOUR: integer(60, 1).describe(`dmails an hour below Builder${IN_FIRST_WEEK}`),
  FORUM_POSTS_PER_HOUR: integer(60, 1).describe(`topics and posts of the forum an hour below Builder${IN_FIRST_WEEK}`),
  POST_EDITS_PER_HOUR: integer(1_000, 1).describe(`edits of posts an hour below Builder${IN_FIRST_WEEK}`),
  RECORD_EDITS_PER_HOUR: integer(300, 1).describe(
    `edits of wiki pages, artists, commentaries, pools, notes, comments and forum, and requests for aliases and implications, an hour below Builder${IN_FIRST_WEEK}`,
  ),
  VOTES_PER_HOUR: integer(1_000, 1).describe(
    `votes and favorites, given and taken back, an hour below Builder${IN_FIRST_WEEK}`,
  ),
  LOGIN_ATTEMPTS_PER_HOUR: integer(60, 1).describe("failed logins an hour, for each name and each address"),
  LIMIT_ANONYMOUS: integer(500, 1).describe("requests an hour for an address without login"),
  LIMIT_MEMBER: integer(3_000, 1).describe("requests an hour for Member"),
  LIMIT_GOLD: integer(10_000, 1).describe("requests an hour for Gold"),
  LIMIT_PLATINUM: integer(20_000, 1).describe("requests an hour for Platinum and above"),
  LIMIT_ADDRESS: integer(60_000, 1).describe("requests an hour of all users at one address together"),
  VERSION_MERGE_MINUTES: integer(0, 0).describe("minutes in which a user's edits of one record share a version"),
  SOURCE_TIMEOUT_MS: integer(20_000, 10).describe("longest download of a source URL, in milliseconds"),
  SOURCE_ALLOW_HOSTS: list.describe("host:port list that sources may come from although their address is private"),
  IMPORT_LOGIN: z.string().min(1).optional().describe("account at the site that `board import` reads from"),
  IMPORT_API_KEY: z.string().min(1).optional().describe("API key of IMPORT_LOGIN; sent to that site alone"),
  STORAGE: z
    .enum(["disk", "s3"])
    .default("disk")
    .describe(
      "where files of posts are: `disk` is DATA_DIR, `s3` a bucket of an S3-compatible store ([storage.md](storage.md))",
    ),
  S3_ENDPOINT: httpUrl.optional().describe("URL of the S3-compatible store; by default AWS' own"),
  S3_BUCKET: z.string().min(3).optional().describe("bucket of the files; it has to be there"),
  S3_REGION: z.string().min(1).optional().describe("its region; by default AWS_REGION, with S3_ENDPOINT `us-east-1`"),
  S3_PREFIX: z
    .string()
    .regex(/^[\w.-]+(\/[\w.-]+)*$/, "must be names separated by slashes, without one at either end")
    .optional()
    .describe("what the keys of the files begin with, a slash follows it; by default nothing"),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().describe("the store's credentials; by default those AWS' tools find"),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe("the secret that belongs to S3_ACCESS_KEY_ID"),
  S3_FORCE_PATH_STYLE: yesOrNo
    .transform(isYes)
    .optional()
    .describe("have the bucket in the path of URLs rather than in the host; by default with S3_ENDPOINT"),
  S3_PUBLIC_URL: httpUrl
    .optional()
    .describe(
      "base of the files' URLs in answers, the bucket's own or a CDN's; by default the board serves them at `/data`",
    ),
  S3_TIMEOUT_MS: integer(10_000, 10).describe(
    "milliseconds in which the store has to answer, take or send something; past it 503",
  ),
  GRAPHQL_MAX_DEPTH: integer(15, 3).describe("deepest GraphQL query"),
  GRAPHQL_MAX_COMPLEXITY: integer(5_000, 100).describe("most costly GraphQL query"),
  GRAPHQL_MAX_ANSWER_BYTES: integer(2 * MiB, 1024).describe("largest answer to a GraphQL query, in bytes"),
  GRAPHQL_MAX_ALIASES: integer(50, 1).describe("most aliases in one GraphQL document"),
  JOBS: flag(true).describe(
    "run background jobs in the server; without, `board jobs run` does it in processes of its own",
  ),
});

type Variables = z.infer<typeof variables>;

export interface Config extends Readonly<Variables> {
  /** absolute path of DATA_DIR */
  readonly dataDir: string;
  /** absolute path of the uploaded files, and of those that are still being made */
  readonly mediaDir: string;
}

/** A configuration that can't be used; `faults` has one sentence for each variable. */
export class ConfigError extends Error {
  override name = "ConfigError";
  constructor(readonly faults: string[]) {
    super(faults.join("\n"));
  }
}

const present = (env: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));

function settingsOf(file: string | undefined): Record<string, string | undefined> {
  if (!file) return {};
  try {
    return parseEnv(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigError([`ENV_FILE: ${file} can't be read (${(error as NodeJS.ErrnoException).code})`]);
  }
}

/**
 * Reads and checks the environment, and the file of settings that it names.
 * @throws ConfigError with all faults at once
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const result = variables.safeParse({ ...present(settingsOf(env.ENV_FILE)), ...present(env) });
  if (!result.success) {
    throw new ConfigError(result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`));
  }
  if (result.data.LIMITS_STORE === "redis" && !result.data.REDIS_URL)
    throw new ConfigError(["LIMITS_STORE: redis needs REDIS_URL"]);
  if (result.data.DATABASE_REPLICA_URLS.length > 0 && !result.data.DATABASE_URL)
    throw new ConfigError(["DATABASE_REPLICA_URLS: the embedded database has no replicas; it needs DATABASE_URL"]);
  const faults = result.data.STORAGE === "s3" ? missingForS3(result.data) : [];
  if (faults.length > 0) throw new ConfigError(faults);
  const dataDir = path.resolve(result.data.DATA_DIR);
  return Object.freeze({ ...result.data, dataDir, mediaDir: path.join(dataDir, "media") });
}

/** Of one request; a file is put by one, so that it is there whole or not at all. */
const S3_MAX_BYTES = 5 * 1024 * MiB;

/** What keeps files from being in an S3-compatible store, in a sentence for each variable; nothing when they can be. */
export function missingForS3(settings: Variables): string[] {
  const { S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = settings;
  const faults: string[] = [];
  if (!settings.S3_BUCKET) faults.push("S3_BUCKET: STORAGE=s3 needs the name of a bucket");
  if (id && !secret) faults.push("S3_SECRET_ACCESS_KEY: S3_ACCESS_KEY_ID needs its secret");
  if (secret && !id) faults.push("S3_ACCESS_KEY_ID: S3_SECRET_ACCESS_KEY needs the key that it is the secret of");
  if (settings.MAX_UPLOAD_BYTES > S3_MAX_BYTES)
    faults.push(`MAX_UPLOAD_BYTES: S3 takes files of at most ${S3_MAX_BYTES} bytes`);
  return faults;
}
