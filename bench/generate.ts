/**
 * Fills an empty board with posts that look like those of a grown one, for measuring. The same seed gives the same board.
 *
 *   npx tsx bench/generate.ts --posts 10000
 *
 * The rows are exact (every counter equals what it counts, every check of the schema holds), except that favorites and
 * votes are numbers only, and that no file lies behind a row of `media_files`.
 */
import { pathToFileURL } from "node:url";
import { Command, InvalidArgumentError } from "commander";
import pg from "pg";
import { loadConfig } from "../src/config.js";
import { openEmbedded } from "../src/database/embedded.js";
import { migrate } from "../src/database/migrate.js";
import { explainFailure } from "../src/lib/explain.js";
import { PostMaker, type PostRow } from "./board/posts.js";
import { moveSequences, withoutIndexes } from "./board/tables.js";
import { makeVocabulary, wordsFor } from "./board/vocabulary.js";

export interface GenerateOptions {
  posts: number;
  /** size of the vocabulary; by default it grows with the posts */
  tags?: number | undefined;
  /** by default twice the square root of the posts, at least 10 */
  users?: number | undefined;
  seed?: number | undefined;
  /** told how many posts are written, now and then */
  onProgress?: ((posts: number) => void) | undefined;
}

export interface GeneratedBoard {
  posts: number;
  tags: number;
  users: number;
  /** on average */
  tagsPerPost: number;
  seconds: number;
}

/** The board is not empty, and what is on it is not to be mixed with generated posts. */
export class FilledError extends Error {
  override name = "FilledError";
}

const BATCH = 5_000;
const MIN_TAGS = 100;
const FILLED = ["media_files", "posts", "post_versions", "tags"];
const EPOCH = "2016-01-01T00:00:00Z";

/** No bcrypt string that any password makes: nobody can sign in as a generated user. */
const PASSWORD_HASH = `$2b$04$${"a".repeat(53)}`;

/**
 * Fills the board, in one transaction.
 * @throws FilledError when it has posts or tags already
 */
export async function generateBoard(url: string, options: GenerateOptions): Promise<GeneratedBoard> {
  const started = performance.now();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("SET LOCAL maintenance_work_mem = '256MB'; SET LOCAL synchronous_commit = off");
    await refuseFilled(client);
    const made = await fill(client, options);
    await client.query("COMMIT");
    for (const table of [...FILLED, "users"]) await client.query(`VACUUM (ANALYZE) ${table}`);
    return { ...made, seconds: (performance.now() - started) / 1000 };
  } finally {
    await client.end();
  }
}

async function refuseFilled(client: pg.Client): Promise<void> {
  const counts = FILLED.map((table) => `EXISTS (SELECT FROM ${table})`).join(" OR ");
  const { rows } = await client.query<{ filled: boolean }>(`SELECT ${counts} AS filled`);
  if (rows[0]?.filled) throw new FilledError("The board has posts already; take an empty database.");
}

async function fill(client: pg.Client, options: GenerateOptions): Promise<Omit<GeneratedBoard, "seconds">> {
  const { posts, seed = 1 } = options;
  const vocabulary = makeVocabulary(Math.max(MIN_TAGS, options.tags ?? wordsFor(posts)), seed);
  const uploaders = await insertUsers(client, options.users ?? Math.max(10, Math.round(2 * Math.sqrt(posts))));
  const approvers = uploaders.filter((_, index) => isApprover(index));
  const maker = new PostMaker({ posts, seed, vocabulary, uploaders, approvers });
  await withoutIndexes(client, FILLED, async () => {
    await insertPosts(client, maker, options);
    await insertTags(client, vocabulary.words, maker.counts);
  });
  await countUploads(client, maker.uploads);
  await moveSequences(client, FILLED);
  const total = maker.counts.reduce((sum, count) => sum + count, 0);
  return { posts, tags: vocabulary.words.length, users: uploaders.length, tagsPerPost: total / Math.max(posts, 1) };
}

const isApprover = (index: number): boolean => index % 10 === 9;

/** Levels: every tenth user is a Janitor, the rest Members, Gold and Contributors in turn. */
async function insertUsers(client: pg.Client, count: number): Promise<number[]> {
  const levels = Array.from({ length: count }, (_, index) => (isApprover(index) ? 35 : [20, 20, 30, 33][index % 4]));
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO users (created_at, updated_at, name, password_hash, level)
     SELECT $1::timestamptz, $1::timestamptz, 'generated_' || n, $2, level
       FROM unnest($3::int[]) WITH ORDINALITY AS made(level, n) ORDER BY n RETURNING id`,
    [EPOCH, PASSWORD_HASH, levels],
  );
  return rows.map((row) => row.id);
}

/** The next batch is thought up while the database writes the one before. */
async function insertPosts(client: pg.Client, maker: PostMaker, { posts, onProgress }: GenerateOptions): Promise<void> {
  let writing: Promise<unknown> = Promise.resolve();
  for (let first = 1; first <= posts; first += BATCH) {
    const size = Math.min(BATCH, posts - first + 1);
    const rows = Array.from({ length: size }, (_, index) => maker.make(first + index));
    await writing;
    onProgress?.(first - 1);
    writing = insertBatch(client, rows);
  }
  await writing;
}

/** Posts with their files and first versions, all from one list. Animations have frames, videos a length. */
function insertBatch(client: pg.Client, rows: PostRow[]): Promise<unknown> {
  const columns = Object.keys(rows[0] as PostRow).join(", ");
  return client.query(
    `WITH made AS MATERIALIZED (SELECT * FROM json_populate_recordset(NULL::posts, $1)),
     files AS (
       INSERT INTO media_files (id, created_at, updated_at, md5, file_ext, file_size, image_width, image_height,
         duration, frames, has_sound, has_sample)
       SELECT id, created_at, updated_at, md5, file_ext, file_size, image_width, image_height,
         CASE WHEN file_ext IN ('mp4', 'webm') THEN 5 + id % 60 END, CASE WHEN file_ext = 'gif' THEN 1 + id % 40 ELSE 1 END,
         file_ext IN ('mp4', 'webm') AND id % 2 = 0, file_ext NOT IN ('gif', 'mp4', 'webm') AND image_width > 850
         FROM made ORDER BY id),
     versions AS (
       INSERT INTO post_versions (id, created_at, updated_at, post_id, version, updater_id, tag_ids, added_tag_ids,
         rating, rating_changed, parent_id, parent_changed, source, source_changed, media_file_id)
       SELECT id, created_at, updated_at, id, 1, uploader_id, tag_ids, tag_ids,
         rating, TRUE, parent_id, parent_id IS NOT NULL, source, source <> '', id
         FROM made ORDER BY id)
     INSERT INTO posts (${columns}) SELECT ${columns} FROM made ORDER BY id`,
    [JSON.stringify(rows)],
  );
}

const insertTags = (
  client: pg.Client,
  words: readonly { name: string; category: number }[],
  counts: Int32Array,
): Promise<unknown> =>
  client.query(
    `INSERT INTO tags (id, created_at, updated_at, name, category, post_count)
     SELECT n, $1::timestamptz, $1::timestamptz, name, category, post_count
       FROM unnest($2::text[], $3::smallint[], $4::int[]) WITH ORDINALITY AS made(name, category, post_count, n)`,
    [EPOCH, words.map((word) => word.name), words.map((word) => word.category), [...counts.subarray(1)]],
  );

const countUploads = (client: pg.Client, uploads: ReadonlyMap<number, number>): Promise<unknown> =>
  client.query(
    `UPDATE users SET post_upload_count = made.count, post_update_count = made.count
       FROM unnest($1::int[], $2::int[]) AS made(id, count) WHERE users.id = made.id`,
    [[...uploads.keys()], [...uploads.values()]],
  );

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0) throw new InvalidArgumentError("must be a number above 0.");
  return Number(text);
}

const program = new Command("generate")
  .description(
    "Fills an empty board (DATABASE_URL, or the embedded database of DATA_DIR) with generated posts, for measuring.\n" +
      "The posts have no files: `storage verify` will report every one of them as missing.",
  )
  .requiredOption("--posts <n>", "how many posts", wholeNumber)
  .option("--tags <n>", "size of the vocabulary (grows with the posts by default)", wholeNumber)
  .option("--users <n>", "how many users (grows with the posts by default)", wholeNumber)
  .option("--seed <n>", "another seed, another board", wholeNumber, 1)
  .action(async (options: Omit<GenerateOptions, "onProgress">) => {
    const config = loadConfig();
    const embedded = config.DATABASE_URL ? null : await openEmbedded({ dataDir: config.dataDir });
    try {
      const url = config.DATABASE_URL ?? embedded?.url ?? "";
      await migrate(url);
      const made = await generateBoard(url, { ...options, onProgress: report });
      process.stdout.write(`${JSON.stringify(made)}\n`);
    } finally {
      await embedded?.close();
    }
  });

function report(posts: number): void {
  if (posts > 0 && posts % 50_000 === 0) process.stderr.write(`${posts} posts\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    await program.parseAsync();
    process.exit();
  } catch (error) {
    process.stderr.write(`${error instanceof FilledError ? error.message : explainFailure(error)}\n`);
    process.exit(1);
  }
}
