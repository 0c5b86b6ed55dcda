/**
 * The composition root: builds every part from the configuration. Tests open a board of their own and close it again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Authenticator } from "./runtime/auth/authenticator.js";
import { KnownAddresses } from "./runtime/auth/known-addresses.js";
import { loadSecret } from "./runtime/auth/secret.js";
import type { Config } from "./config.js";
import { type Database, sql } from "./database/client.js";
import { databaseOf } from "./database/database.js";
import { openDatabase } from "./database/open.js";
import { StatementNames } from "./database/prepared.js";
import { openRedis } from "./database/redis.js";
import type { Pools } from "./database/replica.js";
import { Replicas } from "./database/replicas.js";
import { ReadingPool } from "./database/reading-pool.js";
import { sourceOf } from "./database/request-scope.js";
import { SharedConnection } from "./database/shared-connection.js";
import { APPLICATION, ClientConnections, createPool, withGenericPlans } from "./database/statements.js";
import { transactor } from "./database/transaction.js";
import { openPrisma } from "./database/prisma.js";
import { BoardEvents } from "./runtime/events/events.js";
import { observed } from "./runtime/jobs/observed.js";
import { startJobs } from "./runtime/jobs/queue.js";
import { tasks } from "./operations/tasks.js";
import { Limiter } from "./runtime/limits/limiter.js";
import { chooseLimitStore } from "./runtime/limits/store.js";
import { MediaIngest } from "./resources/uploads/media-ingest.js";
import { PostCache } from "./resources/posts/post.cache.js";
import { SessionService } from "./resources/session/session.service.js";
import { StorageAudit } from "./operations/storage-audit.js";
import { Thumbnails } from "./operations/thumbnails.js";
import { PostingMaker } from "./search/postings/maker.js";
import { POST_LISTS } from "./resources/histories.js";
import { openServices, type Services } from "./resources/registry.js";
import { openDecoder } from "./media/decoder/shared.js";
import type { Decoding } from "./media/decoder/decoder.js";
import { openStorage } from "./storage/open.js";
import type { Storage } from "./storage/storage.js";
import { TagCache } from "./tagging/tag-cache.js";
import { AuditLog } from "./runtime/telemetry/audit.js";
import { createLog, type Logger } from "./runtime/telemetry/log.js";
import type { PoolName, ServerName } from "./runtime/telemetry/definitions.js";
import { readQueue } from "./runtime/telemetry/queue-readings.js";
import { openTelemetry, type Telemetry } from "./runtime/telemetry/metrics.js";

/** How much later than due a statement may be cancelled. */
const SILENCE_MILLISECONDS = 5_000;

/** A database that takes longer for a trivial statement counts as unavailable. */
const READY_MILLISECONDS = 3_000;
/** How long a result of the readiness check is reused. */
const READY_FOR_MILLISECONDS = 1_000;

export interface BoardOverrides {
  log?: Logger;
  /** where account events are recorded; the log by default */
  audit?: AuditLog;
  storage?: Storage;
  decoder?: Decoding;
}

/** Whether the database responds in time. Checked at most once a second, however many requests come. */
function readinessOf(database: Database): () => Promise<boolean> {
  let until = 0;
  let answer = Promise.resolve(false);
  return () => {
    const now = performance.now();
    if (now < until) return answer;
    until = now + READY_FOR_MILLISECONDS;
    const responds = database.query(sql`SELECT 1`).then(
      () => true,
      () => false,
    );
    answer = Promise.race([responds, sleep(READY_MILLISECONDS, false, { ref: false })]);
    return answer;
  };
}

/** Closes what was opened, the last first. @throws the first error, after all were closed */
async function close(resources: readonly AsyncDisposable[]): Promise<void> {
  const errors: unknown[] = [];
  for (const resource of resources.toReversed()) {
    try {
      await resource[Symbol.asyncDispose]();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** A board: its parts, and a service for each row of the registry. */
export type Board = Readonly<Awaited<ReturnType<typeof openParts>>> & Services;

/**
 * Opens a board: starts the embedded database unless there is another, migrates, and starts the jobs.
 * If a later step fails, what was opened is closed again.
 */
export async function openBoard(config: Config, overrides: BoardOverrides = {}): Promise<Board> {
  const resources: AsyncDisposable[] = [];
  try {
    const parts = await openParts(config, overrides, resources);
    const { metrics } = parts.telemetry;
    const services = openServices({
      ...parts,
      lists: POST_LISTS,
      onUpload: (outcome) => metrics.families.uploads.inc({ outcome }),
    });
    const board: Board = Object.assign(parts, services);
    const jobs = observed(tasks(board), parts.telemetry, config.STATEMENT_TIMEOUT_MS);
    metrics.beforeReadingShared(() => readQueue(parts.database, metrics.families, Object.keys(jobs)));
    if (config.JOBS) resources.push(await startJobs(parts.databaseUrl, jobs, parts.log));
    return board;
  } catch (error) {
    await close(resources);
    throw error;
  }
}

/** Number of connections of each kind: a third is for prepared statements, one of these for all small reads. */
function shareOut({ DATABASE_CONNECTIONS: all }: Config): Record<PoolName, number> {
  const forPrepared = Math.max(1, Math.floor(all / 3));
  const shared = forPrepared > 1 ? 1 : 0;
  return { general: Math.max(1, all - forPrepared), prepared: forPrepared - shared, shared };
}

/** The connection for small reads; null if there are too few connections for one of its own. */
function openShared(config: Config, url: string, { metrics }: Telemetry): SharedConnection | null {
  if (shareOut(config).shared === 0) return null;
  const shared = metrics.watchPools("primary", "shared");
  const { onStatement } = shared;
  return shared.watch(
    new SharedConnection({ connectionString: withGenericPlans(url), application_name: APPLICATION, onStatement }),
  );
}

function openPools(
  config: Config,
  url: string,
  { metrics }: Telemetry,
  server: ServerName,
  clients: ClientConnections,
): Pools {
  const connections = shareOut(config);
  const options = {
    url,
    wait: config.DATABASE_WAIT_MS,
    silence: config.STATEMENT_TIMEOUT_MS + SILENCE_MILLISECONDS,
    statementTimeout: config.STATEMENT_TIMEOUT_MS,
    clients,
  };
  const open = (name: PoolName) => {
    const watch = metrics.watchPools(server, name);
    const { onStatement } = watch;
    const genericPlans = name === "prepared";
    return watch.watch(createPool({ ...options, connections: connections[name], genericPlans, onStatement }));
  };
  return { pool: open("general"), preparing: open("prepared") };
}

/** Null if there are none; nothing is read from them before `watch`. */
function openReplicas(
  config: Config,
  url: string,
  pools: Pools,
  telemetry: Telemetry,
  log: Logger,
  clients: ClientConnections,
): Replicas | null {
  const { DATABASE_REPLICA_URLS: replicaUrls, DATABASE_REPLICA_LAG_MS: maxLag } = config;
  if (replicaUrls.length === 0) return null;
  const open = (replicaUrl: string) => openPools(config, replicaUrl, telemetry, "replica", clients);
  return new Replicas({ url, pools, replicaUrls, maxLag, open, log });
}

const MAX_PREPARED_WRITES = 300;

/**
 * Opens the parts of a board besides the services of its resources.
 * @param resources what is to be closed with the board is added to it
 */
async function openParts(config: Config, overrides: BoardOverrides, resources: AsyncDisposable[]) {
  const log = overrides.log ?? createLog(config.LOG_LEVEL);
  const server = await openDatabase(config, log);
  resources.push(server);
  const { url } = server;
  const secret = await loadSecret(config);
  const telemetry = await openTelemetry(config, log);
  if (telemetry.tracing) resources.push(telemetry.tracing);
  const clients = new ClientConnections(config.DATABASE_CONNECTIONS_PER_CLIENT, config.DATABASE_WAIT_MS);
  const pools = openPools(config, url, telemetry, "primary", clients);
  const { pool, preparing } = pools;
  for (const each of [pool, preparing])
    each.on("error", (error) => log.warn({ err: error }, "database connection lost"));
  resources.push({ [Symbol.asyncDispose]: () => preparing.end() });
  const replicas = openReplicas(config, url, pools, telemetry, log, clients);
  if (replicas) resources.push(replicas);
  const reading = { pool: new ReadingPool(pool, "pool"), preparing: new ReadingPool(preparing, "preparing") };
  const names = new StatementNames("write", MAX_PREPARED_WRITES);
  const prisma = openPrisma(reading.pool, names);
  resources.push({
    async [Symbol.asyncDispose]() {
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  });
  const storage = overrides.storage ?? (await openStorage(config, log));
  resources.push(storage);
  await storage.temporary.sweep();
  const decoder = overrides.decoder ?? openDecoder(config, log);
  resources.push(decoder);
  const redis = config.REDIS_URL === undefined ? null : await openRedis(config.REDIS_URL, log);
  if (redis) resources.push({ [Symbol.asyncDispose]: () => Promise.resolve(redis.disconnect()) });
  const shared = openShared(config, url, telemetry);
  if (shared) resources.push(shared);
  const database = databaseOf(prisma, pool, reading, shared);
  const events = new BoardEvents(url, log, database, redis);
  const transact = transactor({ pool, prisma, names, events });
  const audit = overrides.audit ?? new AuditLog(log);
  const tagCache = new TagCache(database, replicas ? () => sourceOf()?.epoch : undefined);
  const postCache = new PostCache(config.POST_CACHE_BYTES);
  const { metrics } = telemetry;
  metrics.watchCache("tag_words", tagCache.reads.tags);
  metrics.watchCache("search_tags", tagCache.reads.sets);
  metrics.watchCache("posts", postCache.reads);
  const limiter = new Limiter(config, chooseLimitStore(config, pool, redis));
  const sessions = new SessionService({ database, transact, config, log });
  const knownAddresses = new KnownAddresses(database, secret);
  return {
    config,
    log,
    audit,
    secret,
    databaseUrl: url,
    pool,
    /** null if everything reads from the primary */
    replicas,
    database,
    events,
    /** runs a unit of work in one transaction */
    transact,
    storage,
    decoder,
    telemetry,
    tagCache,
    postCache,
    limiter,
    sessions,
    knownAddresses,
    authenticator: new Authenticator(database, transact, limiter, sessions, knownAddresses, audit, config),
    ingest: new MediaIngest({ database, transact, config, storage, decoder, limiter }),
    storageAudit: new StorageAudit({ database, transact, storage, decoder }),
    thumbnails: new Thumbnails({ database, transact, storage, decoder }),
    postings: new PostingMaker(transact),
    isReady: readinessOf(database),
    async [Symbol.asyncDispose](): Promise<void> {
      await events[Symbol.asyncDispose]();
      await close(resources);
    },
  };
}
