/**
 * Fills an empty board with realistic posts, for benchmarks. The same seed and `--until`
 * give the same board, byte for byte.
 *
 *   npx tsx bench/generate.ts --posts 10000
 *
 * The rows are consistent: all counters and checks of the schema are correct. There are favorites, votes, comments, notes
 * and pools, but no files for the rows of `media_files`, no rows of `uploads`, only first versions of
 * posts, and no approvals and flags.
 */
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Command, InvalidArgumentError, Option } from "commander";
import pg from "pg";
import { loadConfig } from "../src/config.js";
import { withoutIndexes, withoutTriggers } from "../src/database/bulk-load.js";
import { openEmbedded } from "../src/database/embedded.js";
import { migrate } from "../src/database/migrate.js";
import { explainFailure } from "../src/runtime/explain.js";
import { Calendar } from "./board/calendar.js";
import { copyRows } from "./board/copy.js";
import { Crowd, usersFor } from "./board/crowd.js";
import { CONTENTS, type Contents, type Plan } from "./board/plan.js";
import { EMPTY, FILLED, stepsOf } from "./board/steps.js";
import { makeVocabulary, wordsFor } from "./board/vocabulary.js";

export interface GenerateOptions {
  posts: number;
  /** time of the last upload, in whole seconds; by default the start of the current day, in UTC */
  until?: Date | undefined;
  /** number of tags; by default it depends on the number of posts */
  tags?: number | undefined;
  /** by default ten times the square root of the posts, at least 10 */
  users?: number | undefined;
  seed?: number | undefined;
  /** "searches" leaves out rows that no search reads; "everything" by default */
  contents?: Contents | undefined;
  /** called with a short description of each step */
  onProgress?: ((step: string) => void) | undefined;
}

export interface GeneratedBoard {
  posts: number;
  tags: number;
  users: number;
  /** on average */
  tagsPerPost: number;
  /** number of rows by table */
  rows: Record<string, number>;
  /** time of the last post, in ISO 8601 */
  until: string;
  seconds: number;
}

/** The board is not empty. */
export class FilledError extends Error {
  override name = "FilledError";
}

const MIN_TAGS = 100;
/** One of ten users is an approver. */
const MIN_USERS = 10;
const DAY_MS = 86_400_000;

/**
 * Fills the board, in one transaction.
 * @throws FilledError if it has posts or tags
 */
export async function generateBoard(url: string, options: GenerateOptions): Promise<GeneratedBoard> {
  const started = performance.now();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // until the commit is on disk, VACUUM can't mark rows as visible to all
    await client.query("SET synchronous_commit = on; SET maintenance_work_mem = '512MB'");
    await client.query("BEGIN");
    await refuseFilled(client);
    const made = await fill(client, options);
    await client.query("COMMIT");
    await client.query(`VACUUM (ANALYZE) post_counts, ${FILLED.join(", ")}`);
    await markVisible(client);
    options.onProgress?.("vacuumed and analyzed");
    return { ...made, seconds: (performance.now() - started) / 1000 };
  } finally {
    await client.end();
  }
}

/** Maximum number of repeated VACUUMs for pages that could not be marked as visible to all, and milliseconds between them. */
const VACUUMS = 20;
const BETWEEN_VACUUMS = 250;

/**
 * Repeats VACUUM until all pages are marked as visible: it skips pages that another process is writing to disk, and pages that
 * are newer than a snapshot in use. At most {@link VACUUMS} times.
 */
async function markVisible(client: pg.Client): Promise<void> {
  for (let again = 0; again < VACUUMS; again++) {
    const { rows } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE oid = ANY($1::regclass[]) AND relallvisible < relpages",
      [FILLED],
    );
    if (rows.length === 0) return;
    await setTimeout(BETWEEN_VACUUMS);
    await client.query(`VACUUM ${rows.map((row) => row.name).join(", ")}`);
  }
}

async function refuseFilled(client: pg.Client): Promise<void> {
  const counts = EMPTY.map((table) => `EXISTS (SELECT FROM ${table})`).join(" OR ");
  const { rows } = await client.query<{ filled: boolean }>(`SELECT ${counts} AS filled`);
  if (rows[0]?.filled) throw new FilledError("The board has posts already; take an empty database.");
}

async function fill(client: pg.Client, options: GenerateOptions): Promise<Omit<GeneratedBoard, "seconds">> {
  const { posts, onProgress } = options;
  const until = wholeSecond(options.until ?? today());
  const plan = makePlan(options, until, await nextUser(client));
  const rows: Record<string, number> = {};
  const copy = async (): Promise<void> => {
    for (const [table, made] of stepsOf(plan)) {
      rows[table] = await copyRows(client, table, made);
      onProgress?.(`${table}: ${rows[table]} rows`);
    }
    await client.query("SELECT fill_post_counts()");
  };
  await withoutTriggers(client, [...EMPTY], () => withoutIndexes(client, [...EMPTY], copy));
  await moveSequences(client, [...FILLED]);
  onProgress?.("indexes and keys");
  const tags = plan.vocabulary.words.length;
  return {
    posts,
    tags,
    users: plan.crowd.size,
    tagsPerPost: await averageTags(client),
    rows,
    until: until.toISOString(),
  };
}

/** Sets the sequences of tables to their highest ids. */
async function moveSequences(client: pg.Client, tables: string[]): Promise<void> {
  for (const table of tables) {
    await client.query(
      `SELECT setval(pg_get_serial_sequence('${table}', 'id'), max(id)) FROM ${table} HAVING max(id) IS NOT NULL`,
    );
  }
}

const wholeSecond = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000);
const today = (): Date => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);

function makePlan(options: GenerateOptions, until: Date, firstUser: number): Plan {
  const { posts, tags, users, seed = 1, contents = "everything" } = options;
  return {
    posts,
    seed,
    contents,
    vocabulary: makeVocabulary(Math.max(MIN_TAGS, tags ?? wordsFor(posts)), seed),
    calendar: new Calendar(posts, until),
    crowd: new Crowd(firstUser, Math.max(MIN_USERS, users ?? usersFor(posts)), seed),
  };
}

/** Ids of generated users follow those of existing ones. */
async function nextUser(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ next: number }>(`SELECT coalesce(max(id), 0) + 1 AS next FROM users`);
  return rows[0]?.next ?? 1;
}

async function averageTags(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ average: number }>(`SELECT avg(tag_count)::float8 AS average FROM posts`);
  return rows[0]?.average ?? 0;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0) throw new InvalidArgumentError("must be a number above 0.");
  return Number(text);
}

function time(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError("must be a time like 2026-01-31T12:00:00Z.");
  return date;
}

const program = new Command("generate")
  .description(
    "Fills an empty board (DATABASE_URL, or the embedded database of DATA_DIR) with generated posts, for measuring.\n" +
      "The posts have no files: `storage verify` will report every one of them as missing.",
  )
  .requiredOption("--posts <n>", "how many posts", wholeNumber)
  .option("--until <time>", "when the last post is uploaded (the beginning of this day by default)", time)
  .option("--tags <n>", "size of the vocabulary (grows with the posts by default)", wholeNumber)
  .option("--users <n>", "how many users (grows with the posts by default)", wholeNumber)
  .option("--seed <n>", "another seed, another board", wholeNumber, 1)
  .addOption(
    new Option("--contents <what>", "rows of all tables, or only what searches read")
      .choices(CONTENTS)
      .default(CONTENTS[0]),
  )
  .action(async (options: Omit<GenerateOptions, "onProgress">) => {
    const config = loadConfig();
    const embedded = config.DATABASE_URL ? null : await openEmbedded({ dataDir: config.dataDir });
    try {
      const url = config.DATABASE_URL ?? embedded?.url ?? "";
      await migrate(url);
      const made = await generateBoard(url, { ...options, onProgress: stopwatch() });
      process.stdout.write(`${JSON.stringify(made)}\n`);
    } finally {
      await embedded?.close();
    }
  });

/** Prints each step with its duration in seconds. */
function stopwatch(): (step: string) => void {
  let last = performance.now();
  return (step) => {
    const now = performance.now();
    process.stderr.write(`${((now - last) / 1000).toFixed(1).padStart(6)} s  ${step}\n`);
    last = now;
  };
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
