/**
 * The composition root: builds every part from the configuration. Tests open a board of their own and close it again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { Authenticator } from "./runtime/auth/authenticator.js";
import { KnownAddresses } from "./runtime/auth/known-addresses.js";
import { loadSecret } from "./runtime/auth/secret.js";
import type { Config } from "./config.js";
import { PrismaClient } from "./database/__generated__/client.js";
import { type Database, sql } from "./database/client.js";
import { databaseOf } from "./database/database.js";
import { openDatabase } from "./database/open.js";
import { StatementNames } from "./database/prepared.js";
import { openRedis, type Redis } from "./database/redis.js";
import type { Pools } from "./database/replica.js";
import { Replicas } from "./database/replicas.js";
import { ReadingPool } from "./database/reading-pool.js";
import { sourceOf } from "./database/request-scope.js";
import { ClientTurns, createPool } from "./database/statements.js";
import { type Transact, transactor } from "./database/transaction.js";
import { isInTransaction } from "./database/unit.js";
import { BoardEvents } from "./runtime/events/events.js";
import { observed } from "./runtime/jobs/observed.js";
import { startJobs } from "./runtime/jobs/queue.js";
import { tasks } from "./operations/tasks.js";
import { Limiter } from "./runtime/limits/limiter.js";
import { chooseLimitStore } from "./runtime/limits/store.js";
import { AccountAdmin } from "./resources/accounts/account.admin.js";
import { AccountService } from "./resources/accounts/account.service.js";
import { CommentService } from "./resources/comments/comment.service.js";
import { CommentVoteService } from "./resources/votes/comment-vote.service.js";
import { DmailService } from "./resources/dmails/dmail.service.js";
import { BlacklistService } from "./resources/users/blacklist.service.js";
import { AutocompleteService } from "./resources/autocomplete/autocomplete.service.js";
import { BanService } from "./resources/bans/ban.service.js";
import { FavoriteGroupService } from "./resources/favorite-groups/favorite-group.service.js";
import { FavoriteService } from "./resources/favorites/favorite.service.js";
import { ArtistService } from "./resources/artists/artist.service.js";
import { ArtistCommentaryService } from "./resources/artist-commentaries/artist-commentary.service.js";
import { ArtistUrlService } from "./resources/artists/artist-url.service.js";
import { ForumPostService } from "./resources/forum/forum-post.service.js";
import { ForumTopicService } from "./resources/forum/forum-topic.service.js";
import { MediaIntake } from "./resources/uploads/media-intake.js";
import { ModActionService } from "./resources/mod-actions/mod-action.js";
import { NoteCopyService } from "./resources/notes/note.copy.js";
import { NoteService } from "./resources/notes/note.service.js";
import { PoolService } from "./resources/pools/pool.service.js";
import { PostAppealService } from "./resources/post-appeals/post-appeal.service.js";
import { PostFlagService } from "./resources/post-flags/post-flag.service.js";
import { PostMemory } from "./resources/posts/post.memory.js";
import { PostModerationService } from "./resources/posts/post-moderation.service.js";
import { PostService } from "./resources/posts/post.service.js";
import { TagEditService } from "./resources/posts/post.tag-edit.js";
import { PostVoteService } from "./resources/votes/post-vote.service.js";
import { RelatedTagService } from "./resources/related-tags/related-tag.service.js";
import { SessionService } from "./resources/session/session.service.js";
import { StorageAudit } from "./operations/storage-audit.js";
import { TagRelationApplier } from "./resources/tag-relations/tag-relation.apply.js";
import { TagRelationService } from "./resources/tag-relations/tag-relation.service.js";
import { TagService } from "./resources/tags/tag.service.js";
import { Thumbnails } from "./operations/thumbnails.js";
import { PostingMaker } from "./search/postings/maker.js";
import { UploadService } from "./resources/uploads/upload.service.js";
import { UserFeedbackService } from "./resources/user-feedbacks/user-feedback.service.js";
import { UserService } from "./resources/users/user.service.js";
import { UserSettingsService } from "./resources/users/user.settings.js";
import { VoteSearchService } from "./resources/votes/vote.search.js";
import { versionServices, type VersionServices } from "./resources/histories.js";
import { WikiPageService } from "./resources/wiki-pages/wiki-page.service.js";
import { openDecoder } from "./media/decoder/open.js";
import type { Decoding } from "./media/decoder/decoder.js";
import { openStorage } from "./storage/open.js";
import type { Storage } from "./storage/storage.js";
import { TagCache } from "./tagging/tag-cache.js";
import { AuditLog } from "./runtime/telemetry/audit.js";
import { createLog, type Logger } from "./runtime/telemetry/log.js";
import type { ServerName } from "./runtime/telemetry/definitions.js";
import { readQueue } from "./runtime/telemetry/queue-readings.js";
import { openTelemetry, type Telemetry } from "./runtime/telemetry/telemetry.js";

/** How much later than it should a statement may be cancelled. */
const SILENCE_MILLISECONDS = 5_000;

/** A database that takes longer over nothing is as good as away. */
const READY_MILLISECONDS = 3_000;
/** For so long an answer of the database stands for those that follow. */
const READY_FOR_MILLISECONDS = 1_000;

export interface BoardOverrides {
  log?: Logger;
  /** where what happens to accounts is recorded; the log by default */
  audit?: AuditLog;
  storage?: Storage;
  decoder?: Decoding;
}

export class Board implements AsyncDisposable {
  readonly accountAdmin: AccountAdmin;
  readonly accounts: AccountService;
  readonly limiter: Limiter;
  readonly authenticator: Authenticator;
  readonly knownAddresses: KnownAddresses;
  readonly artistCommentaries: ArtistCommentaryService;
  readonly artists: ArtistService;
  readonly artistUrls: ArtistUrlService;
  readonly comments: CommentService;
  readonly commentVotes: CommentVoteService;
  readonly dmails: DmailService;
  readonly autocomplete: AutocompleteService;
  readonly blacklists: BlacklistService;
  readonly bans: BanService;
  readonly favoriteGroups: FavoriteGroupService;
  readonly favorites: FavoriteService;
  readonly forumPosts: ForumPostService;
  readonly forumTopics: ForumTopicService;
  readonly intake: MediaIntake;
  readonly modActions: ModActionService;
  readonly noteCopies: NoteCopyService;
  readonly notes: NoteService;
  readonly pools: PoolService;
  readonly postAppeals: PostAppealService;
  readonly postFlags: PostFlagService;
  readonly postMemory: PostMemory;
  readonly postModeration: PostModerationService;
  readonly posts: PostService;
  readonly postVotes: PostVoteService;
  readonly relatedTags: RelatedTagService;
  readonly sessions: SessionService;
  readonly storageAudit: StorageAudit;
  readonly tagAliases: TagRelationService;
  readonly tagCache: TagCache;
  readonly tagEdits: TagEditService;
  readonly tagImplications: TagRelationService;
  readonly tagRelationApplier: TagRelationApplier;
  readonly tags: TagService;
  readonly thumbnails: Thumbnails;
  readonly postings: PostingMaker;
  readonly uploads: UploadService;
  readonly userFeedbacks: UserFeedbackService;
  readonly users: UserService;
  readonly voteSearch: VoteSearchService;
  readonly userSettings: UserSettingsService;
  /** the histories of records, by the name of the record */
  readonly versions: VersionServices;
  readonly wikiPages: WikiPageService;

  private readiness = { until: 0, answer: Promise.resolve(false) };

  constructor(
    readonly config: Config,
    readonly log: Logger,
    readonly secret: string,
    readonly databaseUrl: string,
    readonly pool: pg.Pool,
    /** null where everything reads the primary */
    readonly replicas: Replicas | null,
    readonly database: Database,
    readonly events: BoardEvents,
    /** runs a unit of work in one transaction */
    readonly transact: Transact,
    readonly storage: Storage,
    readonly decoder: Decoding,
    readonly telemetry: Telemetry,
    audit: AuditLog,
    redis: Redis | null,
    /** what is to be closed with the board, in reverse order */
    private readonly resources: AsyncDisposable[],
  ) {
    this.tagCache = new TagCache(database, replicas ? () => sourceOf()?.epoch : undefined);
    telemetry.metrics.watchCache("tag_words", this.tagCache.reads.words);
    telemetry.metrics.watchCache("search_tags", this.tagCache.reads.sets);
    const parts = { database, transact, config };
    this.limiter = new Limiter(config, chooseLimitStore(config, pool, redis));
    this.sessions = new SessionService({ ...parts, log });
    this.knownAddresses = new KnownAddresses(database, secret);
    this.authenticator = new Authenticator(
      database,
      transact,
      this.limiter,
      this.sessions,
      this.knownAddresses,
      audit,
      config,
    );
    this.artistCommentaries = new ArtistCommentaryService(parts);
    this.artists = new ArtistService(parts);
    this.artistUrls = new ArtistUrlService(database, config);
    this.forumPosts = new ForumPostService(parts);
    this.forumTopics = new ForumTopicService(parts);
    this.intake = new MediaIntake({ ...parts, storage, decoder, limiter: this.limiter });
    this.comments = new CommentService(parts);
    this.commentVotes = new CommentVoteService(database, transact);
    this.dmails = new DmailService(parts);
    this.bans = new BanService(parts);
    this.modActions = new ModActionService(database, config);
    this.noteCopies = new NoteCopyService(transact);
    this.favoriteGroups = new FavoriteGroupService(parts);
    this.favorites = new FavoriteService(parts);
    this.notes = new NoteService(parts);
    this.pools = new PoolService(parts);
    this.postAppeals = new PostAppealService(parts);
    this.postFlags = new PostFlagService(parts);
    this.postModeration = new PostModerationService({ database, transact, intake: this.intake });
    this.postMemory = new PostMemory(config.POST_MEMORY_BYTES);
    telemetry.metrics.watchCache("posts", this.postMemory.reads);
    const { tagCache, postMemory: memory, intake } = this;
    this.posts = new PostService({ ...parts, tagCache, memory, intake });
    this.postVotes = new PostVoteService(transact, database);
    this.storageAudit = new StorageAudit({ database, transact, storage, decoder });
    this.tagAliases = new TagRelationService("alias", parts);
    this.tagImplications = new TagRelationService("implication", parts);
    this.tagRelationApplier = new TagRelationApplier({ ...parts, intake: this.intake, log });
    this.tags = new TagService(database, config);
    this.autocomplete = new AutocompleteService(database);
    this.blacklists = new BlacklistService({ database, tagCache: this.tagCache, config });
    this.tagEdits = new TagEditService({ database, config });
    this.relatedTags = new RelatedTagService({ database, config, tags: this.tags });
    this.thumbnails = new Thumbnails({ database, transact, storage, decoder });
    this.postings = new PostingMaker(transact);
    const { uploads } = telemetry.metrics.families;
    this.uploads = new UploadService({
      database,
      transact,
      config,
      intake: this.intake,
      onOutcome: (outcome) => uploads.inc({ outcome }),
    });
    const { authenticator, limiter } = this;
    this.accounts = new AccountService({ ...parts, authenticator, limiter, audit });
    this.accountAdmin = new AccountAdmin({ ...parts, audit });
    this.users = new UserService(database, config, this.limiter);
    this.userSettings = new UserSettingsService(parts);
    this.userFeedbacks = new UserFeedbackService(database, config);
    this.voteSearch = new VoteSearchService(database, config);
    this.versions = versionServices(database, config);
    this.wikiPages = new WikiPageService(parts);
  }

  /** True when the database answers, and soon. It is asked once a second at the most, however many want to know. */
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

/**
 * Opens a board: starts the embedded database unless there is another, brings the tables up to date, and starts the jobs.
 * What was opened is closed again when a later step fails.
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

/** A server's pools: a third of the connections is for prepared statements. */
function openPools(config: Config, url: string, { metrics }: Telemetry, server: ServerName, turns: ClientTurns): Pools {
  const forPrepared = Math.max(1, Math.floor(config.DATABASE_CONNECTIONS / 3));
  const options = {
    url,
    wait: config.DATABASE_WAIT_MS,
    silence: config.STATEMENT_TIMEOUT_MS + SILENCE_MILLISECONDS,
    statementTimeout: config.STATEMENT_TIMEOUT_MS,
    turns,
  };
  const [general, prepared] = [metrics.watchPools(server, "general"), metrics.watchPools(server, "prepared")];
  const connections = Math.max(1, config.DATABASE_CONNECTIONS - forPrepared);
  return {
    pool: general.watch(createPool({ ...options, connections, onStatement: general.onStatement })),
    preparing: prepared.watch(
      createPool({ ...options, connections: forPrepared, genericPlans: true, onStatement: prepared.onStatement }),
    ),
  };
}

/** Null when there are none; nothing is asked of them before `watch`. */
function openReplicas(
  config: Config,
  url: string,
  pools: Pools,
  telemetry: Telemetry,
  log: Logger,
  turns: ClientTurns,
): Replicas | null {
  const { DATABASE_REPLICA_URLS: replicaUrls, DATABASE_REPLICA_LAG_MS: maxLag } = config;
  if (replicaUrls.length === 0) return null;
  const open = (replicaUrl: string) => openPools(config, replicaUrl, telemetry, "replica", turns);
  return new Replicas({ url, pools, replicaUrls, maxLag, open, log });
}

const MAX_PREPARED_WRITES = 300;

/** Prisma, which prepares the statements of transactions: PostgreSQL reads and plans them once a connection. */
function openPrisma(pool: pg.Pool, names: StatementNames): PrismaClient {
  const nameOf = (query: { sql: string }) => (isInTransaction() ? names.of(query.sql) : undefined);
  // the driver takes no name for a statement that is not to be prepared, which the type does not tell
  return new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator: nameOf as () => string }) });
}

async function build(config: Config, overrides: BoardOverrides, resources: AsyncDisposable[]): Promise<Board> {
  const log = overrides.log ?? createLog(config.LOG_LEVEL);
  const server = await openDatabase(config, log);
  resources.push(server);
  const { url } = server;
  const secret = await loadSecret(config);
  const telemetry = await openTelemetry(config, log);
  if (telemetry.tracing) resources.push(telemetry.tracing);
  const turns = new ClientTurns(config.DATABASE_CONNECTIONS_PER_CLIENT, config.DATABASE_WAIT_MS);
  const pools = openPools(config, url, telemetry, "primary", turns);
  const { pool, preparing } = pools;
  for (const each of [pool, preparing])
    each.on("error", (error) => log.warn({ err: error }, "database connection lost"));
  resources.push({ [Symbol.asyncDispose]: () => preparing.end() });
  const replicas = openReplicas(config, url, pools, telemetry, log, turns);
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
  const database = databaseOf(prisma, pool, reading);
  const events = new BoardEvents(url, log, database, redis);
  const board = new Board(
    config,
    log,
    secret,
    url,
    pool,
    replicas,
    database,
    events,
    transactor({ pool, prisma, names, herald: events }),
    storage,
    decoder,
    telemetry,
    overrides.audit ?? new AuditLog(log),
    redis,
    resources,
  );
  const jobs = observed(tasks(board), telemetry, config.STATEMENT_TIMEOUT_MS);
  const { metrics } = telemetry;
  metrics.beforeReadingShared(() => readQueue(database, metrics.families, Object.keys(jobs)));
  if (config.JOBS) resources.push(await startJobs(url, jobs, log));
  return board;
}
