/**
 * Soaks the built server for minutes with readers, writers and uploaders, and reports errors by kind, p50 and p99,
 * memory and event-loop delay by minute, and the result of `board verify` afterwards.
 *
 *   npm run bench:soak -- --minutes 10
 *
 * The exit code is 1 if a response was 500 or missing, or `board verify` found a fault; 2 if memory or the event
 * loop exceeded their limits.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, chmodSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Command, InvalidArgumentError } from "commander";
import { explainFailure } from "../src/runtime/explain.js";
import type { ServerProcess } from "../test/support/server-process.js";
import { endServers, NODE_OPTIONS, residentMemory, startServer } from "./search/server.js";
import type { Writer } from "./search/writes.js";
import { type Known, read, type Sample, Soaker, upload, write } from "./soak/clients.js";
import { errorTable, type Period, periodTable, requestTable, verdicts, verdictTable } from "./soak/figures.js";

const run = promisify(execFile);
const LOOP_DELAY = fileURLToPath(new URL("soak/loop-delay.mjs", import.meta.url));
/** Number of posts that are created before the measurement. */
const FIRST_POSTS = 100;
/** Numbers of uploaders and writers among sixteen clients; the others read. */
const [UPLOADERS, WRITERS, OF] = [2, 4, 16];
const ACCOUNTS = 8;

interface Options {
  minutes: number;
  connections: number;
  workers: number;
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 10_000)) throw new InvalidArgumentError("must be a number above 0.");
  return value;
}

/** The output of a `board` command. */
async function board<T>({ env }: ServerProcess, ...args: string[]): Promise<T> {
  const { stdout } = await run("node", ["dist/src/cli.js", ...args], { env, maxBuffer: 1e8 }).catch(
    (error: { stdout?: string }) => {
      if (!error.stdout) throw error;
      return { stdout: error.stdout };
    },
  );
  return JSON.parse(stdout) as T;
}

async function accounts(server: ServerProcess): Promise<Writer[]> {
  const made: Writer[] = [];
  for (let count = 0; count < ACCOUNTS; count += 1) {
    const name = `soaker_${count}`;
    const args = ["user", "create", name, `password of ${name}`, "contributor"];
    const { api_key: apiKey } = await board<{ api_key: string }>(server, ...args);
    made.push({ name, apiKey });
  }
  return made;
}

/** Runs the clients until the time is over. @returns the samples of each period */
async function soak(url: string, who: readonly Writer[], options: Options, onPeriod: (samples: Sample[]) => void) {
  const seconds = options.minutes * 60;
  const period = Math.min(60, seconds / 3);
  let samples: Sample[] = [];
  const end = new AbortController();
  const known: Known = { posts: [] };
  const note = (sample: Sample) => void samples.push(sample);
  const soakers = Array.from({ length: options.connections }, (_, index) => {
    return new Soaker(
      url,
      index % 3 === 2 && index % OF >= UPLOADERS + WRITERS ? null : (who[index % who.length] ?? null),
      note,
    );
  });
  const first = soakers[0] as Soaker;
  while (known.posts.length < FIRST_POSTS) {
    const status = await upload(first, known);
    if (![200, 423].includes(status)) throw new Error(`an upload was answered ${status}: ${samples.at(-1)?.reason}`);
  }
  samples = [];
  const work = async (soaker: Soaker, index: number) => {
    const place = index % OF;
    const kind = place < UPLOADERS ? upload : place < UPLOADERS + WRITERS ? write : read;
    while (!end.signal.aborted) await kind(soaker, known);
  };
  const working = Promise.all(soakers.map(work));
  for (let left = seconds; left > 0.5; left -= period) {
    await sleep(Math.min(left, period) * 1000);
    onPeriod(samples);
    samples = [];
  }
  end.abort();
  await working;
  for (const soaker of soakers) await soaker[Symbol.asyncDispose]();
}

/** The last event-loop delay that the server has written. */
function loopOf(file: string): Period["loop"] {
  if (!existsSync(file)) return null;
  return JSON.parse(readFileSync(file, "utf8").trim().split("\n").at(-1) ?? "null") as Period["loop"];
}

async function verify(server: ServerProcess): Promise<string[]> {
  const found = await board<{ ok: boolean; faults: object[]; storage: { ok: boolean } }>(server, "verify");
  const faults = found.faults.map((fault) => JSON.stringify(fault));
  return found.ok || faults.length > 0 ? faults : [`storage: ${JSON.stringify(found.storage)}`];
}

async function main(options: Options): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "graphbooru-soak-"));
  chmodSync(folder, 0o711); // the database runs as another user, who needs access
  const loopFile = path.join(folder, "loop");
  const period = Math.min(60, options.minutes * 20);
  try {
    const server = await startServer(path.join(folder, "data"), "", {
      WORKERS: String(options.workers),
      NODE_OPTIONS: `${NODE_OPTIONS} --import ${LOOP_DELAY}`,
      SOAK_LOOP_FILE: loopFile,
      SOAK_PERIOD_MS: String(period * 1000),
    });
    const who = await accounts(server);
    process.stderr.write(
      `soaking ${server.url} for ${options.minutes} minutes at ${options.connections} connections\n`,
    );
    const periods: Period[] = [];
    await soak(server.url, who, options, (samples) => {
      periods.push({ samples, memory: residentMemory(server.pid), loop: loopOf(loopFile) });
      process.stderr.write(`${periodTable(periods, period).split("\n").at(-1)}\n`);
    });
    const faults = await verify(server);
    await server.end();
    const judged = verdicts(periods, faults);
    const tables = [periodTable(periods, period), requestTable(periods), errorTable(periods), verdictTable(judged)];
    process.stdout.write(`${tables.join("\n\n")}\n`);
    const missed = judged.filter(({ held }) => !held);
    process.exitCode = missed.some(({ isFatal }) => isFatal) ? 1 : missed.length > 0 ? 2 : 0;
  } finally {
    endServers();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    endServers();
    setTimeout(() => process.exit(130), 5_000);
  });
}

const program = new Command("bench:soak")
  .description("Soaks a new board in readers, writers and uploaders, and verifies it afterwards.")
  .option("--minutes <n>", "how long", positive, 10)
  .option("--connections <n>", "clients, each on a connection of its own", positive, 64)
  .option("--workers <n>", "server processes; memory is that of the first", positive, 1)
  .action((options: Options) => main(options));

try {
  await program.parseAsync();
  process.exit();
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
}
