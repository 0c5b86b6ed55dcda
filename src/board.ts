/**
 * The composition root: builds every part from the configuration. Tests open a board of their own and close it again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { Authenticator } from "./auth/authenticator.js";
import { loadSecret } from "./auth/secret.js";
import type { Config } from "./config.js";
import { PrismaClient } from "./database/client.js";
import { openDatabase } from "./database/open.js";
import { DirectReader } from "./database/direct.js";
import { openRedis, type Redis } from "./database/redis.js";
import { createPool } from "./database/statements.js";
import { transactor } from "./database/transaction.js";
import { BoardEvents } from "./events/events.js";
import { startJobs } from "./jobs/queue.js";
import { tasks } from "./jobs/tasks.js";
import { Limiter } from "./limits/limiter.js";
import { chooseLimitStore } from "./limits/store.js";
import { CommentService } from "./services/comment.service.js";
import { CommentVoteService } from "./services/comment-vote.service.js";
import { DmailService } from "./services/dmail.service.js";
import { AutocompleteService } from "./services/autocomplete.service.js";
import { BanService } from "./services/ban.service.js";
import { FavoriteService } from "./services/favorite.service.js";
import { ArtistService } from "./services/artist.service.js";
import { ArtistVersionService } from "./services/artist.versions.js";
import { ArtistCommentaryService } from "./services/artist-commentary.service.js";
import { ArtistCommentaryVersionService } from "./services/artist-commentary.versions.js";
import { ArtistUrlService } from "./services/artist-url.service.js";
import { ForumPostService } from "./services/forum-post.service.js";
import { ForumTopicService } from "./services/forum-topic.service.js";
import { MediaIntake } from "./services/media-intake.js";
import { ModActionService } from "./services/mod-action.js";
import { NoteCopyService } from "./services/note.copy.js";
import { NoteService } from "./services/note.service.js";
import { NoteVersionService } from "./services/note.versions.js";
import { PoolService } from "./services/pool.service.js";
import { PoolVersionService } from "./services/pool.versions.js";
import { PostAppealService } from "./services/post-appeal.service.js";
import { PostFlagService } from "./services/post-flag.service.js";
import { PostModerationService } from "./services/post-moderation.service.js";
import { PostService } from "./services/post.service.js";
import { PostVersionService } from "./services/post.versions.js";
import { PostVoteService } from "./services/post-vote.service.js";
import { RelatedTagService } from "./services/related-tag.service.js";
import { StorageAudit } from "./services/storage-audit.js";
import { TagRelationApplier } from "./services/tag-relation.apply.js";
import { TagRelationService } from "./services/tag-relation.service.js";
import { TagService } from "./services/tag.service.js";
import { Thumbnails } from "./services/thumbnails.js";
import { UploadService } from "./services/upload.service.js";
import { UserService } from "./services/user.service.js";
import { WikiPageService } from "./services/wiki-page.service.js";
import { WikiPageVersionService } from "./services/wiki-page.versions.js";
import { DiskStorage } from "./storage/disk.js";
import type { Storage } from "./storage/storage.js";
import { TagCache } from "./tags/tag-cache.js";
import { createLog, type Logger } from "./telemetry/log.js";

/** How much later than it should a statement may be cancelled. */
const SILENCE_MILLISECONDS = 5_000;

/** A database that takes longer over nothing is as good as away. */
const READY_MILLISECONDS = 3_000;

export interface BoardOverrides {
  log?: Logger;
  storage?: Storage;
}

export class Board implements AsyncDisposable {
  readonly limiter: Limiter;
  readonly authenticator: Authenticator;
  readonly artistCommentaries: ArtistCommentaryService;
  readonly artistCommentaryVersions: ArtistCommentaryVersionService;
  readonly artists: ArtistService;
  readonly artistUrls: ArtistUrlService;
  readonly artistVersions: ArtistVersionService;
  readonly comments: CommentService;
  readonly commentVotes: CommentVoteService;
  readonly dmails: DmailService;
  readonly autocomplete: AutocompleteService;
  readonly bans: BanService;
  readonly events: BoardEvents;
  readonly favorites: FavoriteService;
  readonly forumPosts: ForumPostService;
  readonly forumTopics: ForumTopicService;
  readonly intake: MediaIntake;
  readonly modActions: ModActionService;
  readonly noteCopies: NoteCopyService;
  readonly notes: NoteService;
  readonly noteVersions: NoteVersionService;
  readonly pools: PoolService;
  readonly poolVersions: PoolVersionService;
  readonly postAppeals: PostAppealService;
  readonly postFlags: PostFlagService;
  readonly postModeration: PostModerationService;
  readonly posts: PostService;
  readonly postVersions: PostVersionService;
  readonly postVotes: PostVoteService;
  readonly relatedTags: RelatedTagService;
  readonly storageAudit: StorageAudit;
  readonly tagAliases: TagRelationService;
  readonly tagCache: TagCache;
  readonly tagImplications: TagRelationService;
  readonly tagRelationApplier: TagRelationApplier;
  readonly tags: TagService;
  readonly thumbnails: Thumbnails;
  readonly uploads: UploadService;
  readonly users: UserService;
  readonly wikiPages: WikiPageService;
  readonly wikiPageVersions: WikiPageVersionService;

  constructor(
    readonly config: Config,
    readonly log: Logger,
    readonly secret: string,
    readonly databaseUrl: string,
    readonly pool: pg.Pool,
    preparing: pg.Pool,
    readonly prisma: PrismaClient,
    readonly storage: Storage,
    redis: Redis | null,
    /** what is to be closed with the board, in reverse order */
    private readonly resources: AsyncDisposable[],
  ) {
    this.events = new BoardEvents(databaseUrl, log, redis);
    const transact = transactor(prisma, this.events);
    const reader = new DirectReader(pool, preparing);
    this.tagCache = new TagCache(reader);
    this.limiter = new Limiter(config, chooseLimitStore(config, pool, redis));
    this.authenticator = new Authenticator(prisma, this.limiter, config);
    this.artistCommentaries = new ArtistCommentaryService({ prisma, transact, config });
    this.artistCommentaryVersions = new ArtistCommentaryVersionService(prisma, config);
    this.artists = new ArtistService({ prisma, transact, config });
    this.artistUrls = new ArtistUrlService(prisma, config);
    this.artistVersions = new ArtistVersionService(prisma, config);
    this.forumPosts = new ForumPostService({ prisma, transact, config });
    this.forumTopics = new ForumTopicService({ prisma, transact, config });
    this.intake = new MediaIntake({ storage, prisma, transact, config });
    this.comments = new CommentService({ prisma, transact, config });
    this.commentVotes = new CommentVoteService(transact);
    this.dmails = new DmailService({ prisma, transact, config });
    this.bans = new BanService({ prisma, transact, config });
    this.modActions = new ModActionService(prisma, config);
    this.noteCopies = new NoteCopyService(transact);
    this.favorites = new FavoriteService({ prisma, transact, config });
    this.notes = new NoteService({ prisma, transact, config });
    this.noteVersions = new NoteVersionService(prisma, config);
    this.pools = new PoolService({ prisma, transact, config });
    this.poolVersions = new PoolVersionService(prisma, config);
    this.postAppeals = new PostAppealService({ prisma, transact, config });
    this.postFlags = new PostFlagService({ prisma, transact, config });
    this.postModeration = new PostModerationService({ prisma, transact, intake: this.intake });
    this.posts = new PostService({ prisma, reader, tagCache: this.tagCache, transact, config, intake: this.intake });
    this.postVersions = new PostVersionService(prisma, config);
    this.postVotes = new PostVoteService(transact);
    this.storageAudit = new StorageAudit({ prisma, transact, storage });
    this.tagAliases = new TagRelationService("alias", { prisma, transact, config });
    this.tagImplications = new TagRelationService("implication", { prisma, transact, config });
    this.tagRelationApplier = new TagRelationApplier({ prisma, transact, config, intake: this.intake, log });
    this.tags = new TagService(prisma, config);
    this.autocomplete = new AutocompleteService(prisma);
    this.relatedTags = new RelatedTagService({ prisma, config, tags: this.tags });
    this.thumbnails = new Thumbnails({ prisma, transact, storage });
    this.uploads = new UploadService({ prisma, transact, config, intake: this.intake });
    this.users = new UserService(prisma, config, this.limiter);
    this.wikiPages = new WikiPageService({ prisma, transact, config });
    this.wikiPageVersions = new WikiPageVersionService(prisma, config);
  }

  /** True when the database answers, and soon. */
  async isReady(): Promise<boolean> {
    const answer = this.pool.query("SELECT 1").then(
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

/** The pools: a third of the connections is for prepared statements. */
function openPools(config: Config, url: string, log: Logger, resources: AsyncDisposable[]) {
  const forPrepared = Math.max(1, Math.floor(config.DATABASE_CONNECTIONS / 3));
  const options = {
    url,
    wait: config.DATABASE_WAIT_MS,
    silence: config.STATEMENT_TIMEOUT_MS + SILENCE_MILLISECONDS,
    statementTimeout: config.STATEMENT_TIMEOUT_MS,
  };
  const pool = createPool({ ...options, connections: Math.max(1, config.DATABASE_CONNECTIONS - forPrepared) });
  const preparing = createPool({ ...options, connections: forPrepared, genericPlans: true });
  for (const each of [pool, preparing])
    each.on("error", (error) => log.warn({ err: error }, "database connection lost"));
  resources.push({ [Symbol.asyncDispose]: () => preparing.end() });
  return { pool, preparing };
}

async function build(config: Config, overrides: BoardOverrides, resources: AsyncDisposable[]): Promise<Board> {
  const log = overrides.log ?? createLog(config.LOG_LEVEL);
  const database = await openDatabase(config, log);
  resources.push(database);
  const { url } = database;
  const secret = await loadSecret(config);
  const { pool, preparing } = openPools(config, url, log, resources);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  resources.push({
    async [Symbol.asyncDispose]() {
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  });
  const storage = overrides.storage ?? new DiskStorage(config.mediaDir);
  resources.push(storage);
  await storage.sweepTemporary();
  const redis = config.REDIS_URL === undefined ? null : await openRedis(config.REDIS_URL, log);
  if (redis) resources.push({ [Symbol.asyncDispose]: () => Promise.resolve(redis.disconnect()) });
  const board = new Board(config, log, secret, url, pool, preparing, prisma, storage, redis, resources);
  if (config.JOBS) resources.push(await startJobs(url, tasks(board), log));
  return board;
}
