/** A run from the boards to the figures: the smaller board, the larger one, and the writes on its copy. */
import os from "node:os";
import { Asker, SETTINGS as TRAFFIC } from "../traffic/run.js";
import { measureAlias } from "./alias.js";
import { BenchBoard } from "./boards.js";
import { type AnswerFigures, measureAnswers } from "./answers.js";
import { BoardCopy } from "./copy.js";
import { measureCounts } from "./counts.js";
import { readTags } from "./drawn.js";
import { type Effort, LoadDriver, LoadError } from "./load/driver.js";
import { makeOtherBoard, OtherBoard } from "./other-board.js";
import type { Outcome, SearchOutcome, WritesOutcome } from "./outcome.js";
import { measureBriefly, measureSearch, measureThroughput, type Measuring, TranslationError, warmUp } from "./reads.js";
import { type Samples, takeSamples } from "./samples.js";
import { residentMemory, SETTINGS, startServer } from "./server.js";
import { NO_TAGS, type Search, searches } from "./set.js";
import { measureEdits, measureParallel } from "./writes.js";

export interface RunOptions {
  posts: number;
  /** per figure */
  effort: Effort;
  seed: number;
  /** folder of the larger board */
  data?: string | undefined;
  /** folder of the smaller one */
  smaller?: string | undefined;
  /** only our searches, without the other layout and writes; the smaller board only if its folder is given */
  only?: "searches" | undefined;
}

export type Say = (line: string) => void;

const SMALLER = 10;

/** A failed search, which does not end the run. */
const isFailure = (error: unknown): error is Error => error instanceof LoadError || error instanceof TranslationError;

/** @throws LoadError, WriteError for unexpected responses, except to single searches */
export async function run(options: RunOptions, say: Say): Promise<Outcome> {
  const { posts, effort, seed, only } = options;
  await using driver = new LoadDriver();
  const small = only && options.smaller === undefined ? null : await measureSmall(options, driver, say);
  const contents = only ?? "everything";
  await using board = await BenchBoard.open({ posts, seed, dataDir: options.data, contents });
  if (!only) await addOtherBoard(board, say);
  const samples = await takeSamples(board.client);
  const measuring = { driver, effort };
  const reads = await measureReads(board, searches(samples), { ...measuring, isCompared: !only }, say);
  const drawn = await measureDrawn(board, { ...options, isCompared: !only }, say);
  const writes = only ? null : await measureWrites(board, samples, measuring, say);
  const date = new Date().toISOString();
  const settings = { ...SETTINGS, ...effort, seed };
  return { posts, date, machine: machine(), settings, small, ...reads, ...drawn, writes };
}

async function addOtherBoard(board: BenchBoard, say: Say): Promise<void> {
  say(`the other board's table of ${board.posts} posts`);
  await makeOtherBoard(board.client);
}

/** Searches without repetition: counts of two tags, and whole responses compared with the other layout. */
async function measureDrawn(
  board: BenchBoard,
  { posts, effort, seed, isCompared }: RunOptions & { isCompared: boolean },
  say: Say,
): Promise<Pick<Outcome, "counts" | "answers">> {
  const tags = await readTags(board.client);
  await using server = await startServer(board.dataDir, "", TRAFFIC);
  await using asker = new Asker();
  const asking = { asker, url: server.url, effort };
  say("counts of two tags");
  const counts = await measureCounts(asking, tags, seed);
  const answers: AnswerFigures[] | null = isCompared
    ? await measureAnswers({ ...asking, databaseUrl: board.url(), drawn: { posts, tags, seed }, say })
    : null;
  return { counts, answers };
}

function machine(): string {
  const [cpu] = os.cpus();
  const memory = (os.totalmem() / 2 ** 30).toFixed(0);
  return `${os.cpus().length} x ${cpu?.model.trim() ?? "?"}, ${memory} GiB, ${os.type()} ${os.release()}, Node ${process.versions.node}`;
}

async function measureSmall(options: RunOptions, driver: LoadDriver, say: Say): Promise<Outcome["small"]> {
  const posts = Math.max(1, Math.round(options.posts / SMALLER));
  await using board = await BenchBoard.open({ posts, seed: options.seed, dataDir: options.smaller });
  const set = searches(await takeSamples(board.client));
  say(`${set.length} searches of ${posts} posts`);
  await using server = await startServer(board.dataDir);
  const measuring = { driver, url: server.url, effort: options.effort };
  await warmUp(set, measuring);
  return { posts, p50: await measureBriefly(set, measuring) };
}

async function measureReads(
  board: BenchBoard,
  set: readonly Search[],
  { isCompared, ...measuring }: Omit<Measuring, "url"> & { isCompared: boolean },
  say: Say,
): Promise<Pick<Outcome, "searches" | "failures" | "throughput" | "memory">> {
  await using server = await startServer(board.dataDir);
  await using other = isCompared ? await OtherBoard.open(board.url()) : null;
  const all = { ...measuring, url: server.url };
  const done: SearchOutcome[] = [];
  const failures: string[] = [];
  await warmUp(set, all);
  for (const [index, search] of set.entries()) {
    say(`${index + 1} of ${set.length}: ${search.name}`);
    try {
      done.push(await measureSearch(search, all, other));
    } catch (error) {
      if (!isFailure(error)) throw error;
      say(error.message);
      failures.push(error.message);
    }
  }
  const throughput = await measureThroughput(all);
  return { searches: done, failures, throughput, memory: residentMemory(server.pid) };
}

/** Searches that are measured while the alias is applied. */
const MEANWHILE = new Set([
  NO_TAGS,
  "two common",
  "common and rare",
  "either of two rare",
  "common, order:score",
  "common, rating:",
]);

async function measureWrites(
  board: BenchBoard,
  samples: Samples,
  { driver, effort }: Omit<Measuring, "url">,
  say: Say,
): Promise<WritesOutcome> {
  say("writes, on a copy");
  await using copy = await BoardCopy.make(board);
  const server = await startServer(board.dataDir, copy.url);
  try {
    const plan = {
      client: copy.client,
      url: server.url,
      posts: samples.posts,
      seconds: 2 * effort.seconds,
      common: samples.common,
    };
    const edit = await measureEdits(plan);
    const parallel = await measureParallel(plan);
    const meanwhile = searches(samples).filter(({ name }) => MEANWHILE.has(name));
    await warmUp(meanwhile, { driver, url: server.url, effort });
    const alias = await measureAlias({
      client: copy.client,
      url: server.url,
      driver,
      effort: { ...effort, seconds: 2 * effort.seconds, least: 20 },
      searches: meanwhile,
    });
    await server.end("SIGKILL"); // otherwise it would apply the alias first
    return { edit, parallel: { ...parallel, deadlocks: await copy.deadlocks() }, alias };
  } finally {
    await server.end("SIGKILL");
  }
}
