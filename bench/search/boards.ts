/** The measured boards, which are filled once and kept in a folder. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { type EmbeddedDatabase, openEmbedded } from "../../src/database/embedded.js";
import type { Executor, Sql } from "../../src/database/client.js";
import { run } from "../../src/database/database.js";
import { migrate } from "../../src/database/migrate.js";
import { PostingMaker } from "../../src/search/postings/maker.js";
import { fillSpans } from "../../src/search/postings/spans.js";
import type { Contents } from "../board/plan.js";
import { FilledError, generateBoard } from "../generate.js";

const BENCH = fileURLToPath(new URL("..", import.meta.url));
/** The parameters with which a folder was filled; written when it is complete. */
const MARK = "filled-by";

export interface BoardWanted {
  posts: number;
  seed: number;
  /** the folder of the board; by default in the system's temporary folder */
  dataDir?: string | undefined;
  /** of a new board; everything by default */
  contents?: Contents | undefined;
}

/** A folder with another board than the requested one. */
export class BoardError extends Error {
  override name = "BoardError";
}

const opened = new Set<EmbeddedDatabase>();

/** For interrupted scripts: stops databases that no other process uses. */
export const closeDatabases = (): Promise<unknown> =>
  Promise.allSettled([...opened].map((database) => database.close()));

export class BenchBoard implements AsyncDisposable {
  private constructor(
    readonly posts: number,
    readonly dataDir: string,
    private readonly database: EmbeddedDatabase,
    readonly client: pg.Client,
  ) {}

  /**
   * Fills a board, or opens an existing one. One in the temporary folder is filled again if the generator or the tables
   * have changed.
   * @throws BoardError for a given folder with another number of posts
   */
  static async open({ posts, seed, dataDir, contents = "everything" }: BoardWanted): Promise<BenchBoard> {
    const folder = path.resolve(dataDir ?? path.join(os.tmpdir(), `graphbooru-bench-${posts}-${seed}`));
    if (dataDir === undefined && existsSync(folder) && markOf(folder) !== generatorMark())
      await rm(folder, { recursive: true, force: true });
    if (markOf(folder) === null) await fillFolder({ posts, seed, contents, folder });
    const database = await openEmbedded({ dataDir: folder });
    opened.add(database);
    const client = new pg.Client({ connectionString: database.url });
    try {
      await migrate(database.url);
      await client.connect();
      await checkFilled(client, { posts, folder });
      await freshen(client);
      await makePostings(client);
      return new BenchBoard(posts, folder, database, client);
    } catch (error) {
      await client.end();
      await database.close();
      throw error;
    }
  }

  /** The URL of the board's database, or of another one in its cluster. */
  url(database?: string): string {
    const url = new URL(this.database.url);
    if (database !== undefined) url.pathname = `/${database}`;
    return url.href;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.end();
    await this.database.close();
  }
}

interface Filling {
  posts: number;
  seed: number;
  contents: Contents;
  folder: string;
}

/** A folder counts once it is complete, so that nothing has to survive a crash. Indexes are written once, without the write-ahead log. */
const FILLING = {
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "16GB",
  checkpoint_timeout: "30min",
  fsync: "off",
  full_page_writes: "off",
};

/** Fills an empty folder; leaves one that another process has filled. */
async function fillFolder({ posts, seed, contents, folder }: Filling): Promise<void> {
  const started = performance.now();
  const onProgress = (step: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${step}\n`);
  const database = await openEmbedded({ dataDir: folder, settings: FILLING });
  opened.add(database);
  const client = new pg.Client({ connectionString: database.url });
  try {
    await migrate(database.url);
    await generateBoard(database.url, { posts, seed, contents, onProgress });
    await client.connect();
    await makePostings(client);
    onProgress("posting lists");
  } catch (error) {
    if (error instanceof FilledError) return;
    throw error;
  } finally {
    await client.end();
    await database.close();
    opened.delete(database);
  }
  await writeFile(path.join(folder, MARK), generatorMark());
  const seconds = (performance.now() - started) / 1000;
  process.stderr.write(`filled ${folder} with ${posts} posts in ${seconds.toFixed(0)} s\n`);
}

/** @throws BoardError */
async function checkFilled(client: pg.Client, { posts, folder }: Pick<Filling, "posts" | "folder">): Promise<void> {
  const { rows } = await client.query<{ count: number }>("SELECT coalesce(max(id), 0) AS count FROM posts");
  const found = rows[0]?.count ?? 0;
  if (found !== posts) throw new BoardError(`${folder} has ${found} posts, and ${posts} were asked for.`);
}

function markOf(folder: string): string | null {
  const file = path.join(folder, MARK);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** Differs after each change of the generator or the tables. */
function generatorMark(): string {
  const hash = createHash("sha256");
  for (const file of ["generate.ts", ...within("board"), ...within("../prisma/migrations")])
    hash.update(readFileSync(path.join(BENCH, file)));
  return hash.digest("hex");
}

const within = (folder: string): string[] =>
  readdirSync(path.join(BENCH, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(BENCH, path.join(entry.parentPath, entry.name)))
    .sort();

/** Like the board's job, without its pauses for writers. */
async function makePostings(client: pg.Client): Promise<void> {
  const db: Executor = {
    query: async <T>(statement: Sql) => (await run(client, statement)).rows as T[],
    execute: async (statement) => (await run(client, statement)).rowCount ?? 0,
  };
  const transact = async <T>(work: (db: Executor) => Promise<T>): Promise<T> => {
    await client.query("BEGIN");
    const result = await work(db);
    await client.query("COMMIT");
    return result;
  };
  await fillSpans(transact);
  await new PostingMaker(transact, 0).maintain();
  await client.query("VACUUM (ANALYZE) posting_lists, posting_bits, posting_ids");
}

/** Two days' uploads of a board of ten years, but enough to rank on a small board. */
const FRESH = `greatest(200, (SELECT max(id) FROM posts) / 1800)`;

/**
 * Generated posts end at a fixed date, and `order:rank` needs posts of the last two days: moves the newest posts there.
 */
async function freshen(client: pg.Client): Promise<void> {
  await client.query(
    `WITH newest AS (
       SELECT id, row_number() OVER (ORDER BY id DESC) - 1 AS place
         FROM (SELECT id FROM posts ORDER BY id DESC LIMIT ${FRESH}) last)
     UPDATE posts SET created_at = date_trunc('milliseconds', now()) - newest.place * interval '47 hours' / ${FRESH}
       FROM newest WHERE posts.id = newest.id`,
  );
  await client.query("VACUUM (ANALYZE) posts");
}
