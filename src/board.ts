/**
 * The composition root: builds every part from the configuration. Tests open a board of their own and close it again.
 */
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { Authenticator } from "./auth/authenticator.js";
import { loadSecret } from "./auth/secret.js";
import type { Config } from "./config.js";
import { PrismaClient } from "./database/client.js";
import { type EmbeddedDatabase, openEmbedded } from "./database/embedded.js";
import { migrate } from "./database/migrate.js";
import { createPool } from "./database/statements.js";
import { transactor } from "./database/transaction.js";
import { migrateQueue, startJobs } from "./jobs/queue.js";
import { tasks } from "./jobs/tasks.js";
import { Limiter } from "./limits/limiter.js";
import { MediaIntake } from "./services/media-intake.js";
import { NoteService } from "./services/note.service.js";
import { NoteVersionService } from "./services/note.versions.js";
import { PostService } from "./services/post.service.js";
import { PostVersionService } from "./services/post.versions.js";
import { PostVoteService } from "./services/post-vote.service.js";
import { StorageAudit } from "./services/storage-audit.js";
import { TagService } from "./services/tag.service.js";
import { UploadService } from "./services/upload.service.js";
import { UserService } from "./services/user.service.js";
import { DiskStorage } from "./storage/disk.js";
import type { Storage } from "./storage/storage.js";
import { createLog, type Logger } from "./telemetry/log.js";

export interface BoardOverrides {
  log?: Logger;
  storage?: Storage;
}

export class Board implements AsyncDisposable {
  readonly limiter: Limiter;
  readonly authenticator: Authenticator;
  readonly intake: MediaIntake;
  readonly notes: NoteService;
  readonly noteVersions: NoteVersionService;
  readonly posts: PostService;
  readonly postVersions: PostVersionService;
  readonly postVotes: PostVoteService;
  readonly storageAudit: StorageAudit;
  readonly tags: TagService;
  readonly uploads: UploadService;
  readonly users: UserService;

  constructor(
    readonly config: Config,
    readonly log: Logger,
    readonly secret: string,
    readonly databaseUrl: string,
    readonly pool: pg.Pool,
    readonly prisma: PrismaClient,
    readonly storage: Storage,
    /** what is to be closed with the board, in reverse order */
    private readonly resources: AsyncDisposable[],
  ) {
    const transact = transactor(prisma);
    this.limiter = new Limiter(config);
    this.authenticator = new Authenticator(prisma, this.limiter, config);
    this.intake = new MediaIntake({ storage, prisma, transact, config });
    this.notes = new NoteService({ prisma, transact, config });
    this.noteVersions = new NoteVersionService(prisma, config);
    this.posts = new PostService({ prisma, transact, config, intake: this.intake });
    this.postVersions = new PostVersionService(prisma, config);
    this.postVotes = new PostVoteService(transact);
    this.storageAudit = new StorageAudit({ prisma, transact, storage });
    this.tags = new TagService(prisma, config);
    this.uploads = new UploadService({ prisma, transact, config, intake: this.intake });
    this.users = new UserService(prisma, config, this.limiter);
  }

  /** True when the database answers. */
  async isReady(): Promise<boolean> {
    return this.pool.query("SELECT 1").then(
      () => true,
      () => false,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
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

async function build(config: Config, overrides: BoardOverrides, resources: AsyncDisposable[]): Promise<Board> {
  const log = overrides.log ?? createLog(config.LOG_LEVEL);
  const url = config.DATABASE_URL ?? (await embedded(config, log, resources)).url;
  const applied = await migrate(url);
  if (applied.length > 0) log.info({ migrations: applied }, "database migrated");
  await migrateQueue(url, log);
  const secret = await loadSecret(config);
  const pool = createPool({
    url,
    connections: config.DATABASE_CONNECTIONS,
    statementTimeout: config.STATEMENT_TIMEOUT_MS,
  });
  pool.on("error", (error) => log.warn({ err: error }, "database connection lost"));
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
  if (config.JOBS) resources.push(await startJobs(url, tasks(prisma), log));
  return new Board(config, log, secret, url, pool, prisma, storage, resources);
}

async function embedded(config: Config, log: Logger, resources: AsyncDisposable[]): Promise<EmbeddedDatabase> {
  const database = await openEmbedded({ dataDir: config.dataDir, log: (line) => log.debug(line) });
  resources.push({ [Symbol.asyncDispose]: () => database.close() });
  return database;
}
