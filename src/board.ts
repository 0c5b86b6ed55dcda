/**
 * The composition root: builds every part from the configuration. Tests open a board of their own and close it again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { Authenticator } from "./runtime/auth/authenticator.js";
import { KnownAddresses } from "./runtime/auth/known-addresses.js";
import { loadSecret } from "./runtime/auth/secret.js";
import type { Config } from "./config.js";
import { type Database, sql } from "./database/client.js";
import { databaseOf } from "./database/database.js";
import { openDatabase } from "./database/open.js";
import { StatementNames } from "./database/prepared.js";
import { openRedis, type Redis } from "./database/redis.js";
import type { Pools } from "./database/replica.js";
import { Replicas } from "./database/replicas.js";
import { ReadingPool } from "./database/reading-pool.js";
import { sourceOf } from "./database/request-scope.js";
import { SharedConnection } from "./database/shared-connection.js";
import { ClientConnections, createPool, GENERIC_PLANS } from "./database/statements.js";
import { type Transact, transactor } from "./database/transaction.js";
import { openPrisma } from "./database/prisma.js";
import { BoardEvents } from "./runtime/events/events.js";
import { observed } from "./runtime/jobs/observed.js";
import { startJobs } from "./runtime/jobs/queue.js";
import { tasks } from "./operations/tasks.js";
import { Limiter } from "./runtime/limits/limiter.js";
import { chooseLimitStore } from "./runtime/limits/store.js";
import { MediaIngest } from "./resources/uploads/media-ingest.js";
import { PostMemory } from "./resources/posts/post.memory.js";
import { SessionService } from "./resources/session/session.service.js";
import { StorageAudit } from "./operations/storage-audit.js";
import { Thumbnails } from "./operations/thumbnails.js";
import { PostingMaker } from "./search/postings/maker.js";
import { POST_LISTS, versionServices, type VersionServices } from "./resources/histories.js";
import { openServices, type Parts, type Services } from "./resources/registry.js";
import { openDecoder } from "./media/decoder/open.js";
import type { Decoding } from "./media/decoder/decoder.js";
import { openStorage } from "./storage/open.js";
import type { Storage } from "./storage/storage.js";
import { TagCache } from "./tagging/tag-cache.js";
import { AuditLog } from "./runtime/telemetry/audit.js";
import { createLog, type Logger } from "./runtime/telemetry/log.js";
import type { PoolName, ServerName } from "./runtime/telemetry/definitions.js";
import { readQueue } from "./runtime/telemetry/queue-readings.js";
import { openTelemetry, type Telemetry } from "./runtime/telemetry/telemetry.js";

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

/** The parts of a board besides the services of its resources. */
class BoardParts implements AsyncDisposable {
  readonly limiter: Limiter;
  readonly authenticator: Authenticator;
  readonly knownAddresses: KnownAddresses;
  readonly ingest: MediaIngest;
  readonly postMemory: PostMemory;
  readonly sessions: SessionService;
  readonly storageAudit: StorageAudit;
  readonly tagCache: TagCache;
  readonly thumbnails: Thumbnails;
  readonly postings: PostingMaker;
  /** the histories of records, by the name of the record */
  readonly versions: VersionServices;

  private readiness = { until: 0, answer: Promise.resolve(false) };

  constructor(
    readonly config: Config,
    readonly log: Logger,
    readonly secret: string,
    readonly databaseUrl: string,
    readonly pool: pg.Pool,
    /** null if everything reads from the primary */
    readonly replicas: Replicas | null,
    readonly database: Database,
    readonly events: BoardEvents,
    /** runs a unit of work in one transaction */
    readonly transact: Transact,
    readonly storage: Storage,
    readonly decoder: Decoding,
    readonly telemetry: Telemetry,
    private readonly audit: AuditLog,
    redis: Redis | null,
    /** what is to be closed with the board, in reverse order */
    private readonly resources: AsyncDisposable[],
  ) {
    const { metrics } = telemetry;
    this.tagCache = new TagCache(database, replicas ? () => sourceOf()?.epoch : undefined);
    metrics.watchCache("tag_words", this.tagCache.reads.tags);
    metrics.watchCache("search_tags", this.tagCache.reads.sets);
    this.limiter = new Limiter(config, chooseLimitStore(config, pool, redis));
    const { limiter } = this;
    this.sessions = new SessionService({ database, transact, config, log });
    this.knownAddresses = new KnownAddresses(database, secret);
    this.authenticator = new Authenticator(
      database,
      transact,
      limiter,
      this.sessions,
      this.knownAddresses,
      audit,
      config,
    );
    this.ingest = new MediaIngest({ database, transact, config, storage, decoder, limiter });
    this.postMemory = new PostMemory(config.POST_MEMORY_BYTES);
    metrics.watchCache("posts", this.postMemory.reads);
    this.storageAudit = new StorageAudit({ database, transact, storage, decoder });
    this.thumbnails = new Thumbnails({ database, transact, storage, decoder });
    this.postings = new PostingMaker(transact);
    this.versions = versionServices({ database, config });
  }

  /** The dependencies of the services. */
  forServices(): Parts {
    const { database, transact, config, log, audit, authenticator, limiter, ingest, tagCache, postMemory } = this;
    const { uploads } = this.telemetry.metrics.families;
    return {
      database,
      transact,
      config,
      log,
      audit,
      authenticator,
      limiter,
      ingest,
      tagCache,
      memory: postMemory,
      lists: POST_LISTS,
      onUpload: (outcome) => uploads.inc({ outcome }),
    };
  }

  /** Whether the database responds in time. Checked at most once a second, however many requests come. */
  isReady(): Promise<boolean> {
    const now = performance.now();
    if (now >= this.readiness.until)
      this.readiness = { until: now + READY_FOR_MILLISECONDS, answer: this.askWhetherReady() };
    return this.readiness.answer;
  }

  private async askWhetherReady(): Promise<boolean> {
    const answer = this.database.query(sql`SELECT 1`).then(
      () => true,
      () => false,
    );
    return Promise.race([answer, sleep(READY_MILLISECONDS, false, { ref: false })]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.events[Symbol.asyncDispose]();
    for (const resource of this.resources.toReversed()) await resource[Symbol.asyncDispose]();
  }
}

/** A board: its parts, and a service for each row of the registry. */
export type Board = BoardParts & Services;

/**
 * Opens a board: starts the embedded database unless there is another, migrates, and starts the jobs.
 * If a later step fails, what was opened is closed again.
 */
export async function openBoard(config: Config, overrides: BoardOverrides = {}): Promise<Board> {
  const resources: AsyncDisposable[] = [];
  try {
    return await build(config, overrides, resources);
  } catch (error) {
    for (const resource of resources.toReversed()) await resource[Symbol.asyncDispose]();
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
    new SharedConnection({ ...GENERIC_PLANS, connectionString: url, application_name: "graphbooru", onStatement }),
  );
}

/** A server's pools. */
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
  const [general, prepared] = [metrics.watchPools(server, "general"), metrics.watchPools(server, "prepared")];
  return {
    pool: general.watch(createPool({ ...options, connections: connections.general, onStatement: general.onStatement })),
    preparing: prepared.watch(
      createPool({
        ...options,
        connections: connections.prepared,
        genericPlans: true,
        onStatement: prepared.onStatement,
      }),
    ),
  };
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

async function build(config: Config, overrides: BoardOverrides, resources: AsyncDisposable[]): Promise<Board> {
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
  await storage.sweepTemporary();
  const decoder = overrides.decoder ?? openDecoder(config, log);
  resources.push(decoder);
  const redis = config.REDIS_URL === undefined ? null : await openRedis(config.REDIS_URL, log);
  if (redis) resources.push({ [Symbol.asyncDispose]: () => Promise.resolve(redis.disconnect()) });
  const shared = openShared(config, url, telemetry);
  if (shared) resources.push(shared);
  const database = databaseOf(prisma, pool, reading, shared);
  const events = new BoardEvents(url, log, database, redis);
  const parts = new BoardParts(
    config,
    log,
    secret,
    url,
    pool,
    replicas,
    database,
    events,
    transactor({ pool, prisma, names, events }),
    storage,
    decoder,
    telemetry,
    overrides.audit ?? new AuditLog(log),
    redis,
    resources,
  );
  const board: Board = Object.assign(parts, openServices(parts.forServices()));
  const jobs = observed(tasks(board), telemetry, config.STATEMENT_TIMEOUT_MS);
  const { metrics } = telemetry;
  metrics.beforeReadingShared(() => readQueue(database, metrics.families, Object.keys(jobs)));
  if (config.JOBS) resources.push(await startJobs(url, jobs, log));
  return board;
}
