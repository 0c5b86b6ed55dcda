/**
 * Measures requests per second of the built server without repeated URLs, and of a bare `node:http` server that sends as many bytes.
 *
 *   npm run bench:traffic -- --posts 1000000
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { explainFailure } from "../../src/runtime/explain.js";
import { closeDatabases } from "../search/boards.js";
import { table, verdictTable } from "../search/report.js";
import { endServers } from "../search/server.js";
import { verdicts } from "./targets.js";
import { type Effort, run, type TrafficOptions, type TrafficOutcome } from "./run.js";

interface Options extends Omit<TrafficOptions, "effort"> {
  seconds: number;
  json?: string;
  smoke?: boolean;
}

const SMOKE: { posts: number; effort: Effort } = { posts: 2_000, effort: { seconds: 5, warmUp: 10, most: 60 } };
const WARM_UP = 15_000; // V8 optimizes the code of a request during its first ten thousand or so
const MOST = 300_000;
const BARS_FROM = 1_000_000;

function number(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 999_999_999)) throw new InvalidArgumentError("must be a number above 0.");
  return value;
}

function report({ kinds, machine }: TrafficOutcome): string {
  const head = ["requests", "req/s", "bare", "% of bare", "p50, ms", "p99, ms", "bytes", "asked", "memory, MB"];
  const rows = kinds.map(({ name, requestsPerSecond, bare, p50, p99, bytes, requests, memory: after }) => [
    name,
    requestsPerSecond,
    bare,
    (requestsPerSecond / bare) * 100,
    p50,
    p99,
    bytes,
    requests,
    after ?? Number.NaN,
  ]);
  return `${machine}\n\n${table(head, rows)}`;
}

async function save(file: string, outcome: object): Promise<void> {
  await mkdir(path.dirname(path.resolve(file)), { recursive: true });
  await writeFile(file, `${JSON.stringify(outcome, null, 2)}\n`);
}

const program = new Command("bench:traffic")
  .description("Measures requests of many kinds, none of them twice, on a generated board.")
  .option("--posts <n>", "posts of the board", number, 1_000_000)
  .option("--seconds <s>", "how long each kind is measured, and the bare server as long, in turns", number, 3)
  .option("--seed <n>", "of the generated board and of what is drawn", number, 1)
  .option("--data <dir>", "folder of the board, filled where it is empty; by default one in the temporary folder")
  .option("--only <text>", "only kinds with this in their name", "")
  .option("--json <file>", "where the figures go as JSON")
  .option("--smoke", "only see that everything is answered: a small board, a few requests of each kind, no verdict")
  .action(async (options: Options, command: Command) => {
    if (options.smoke && command.getOptionValueSource("posts") !== "cli") options.posts = SMOKE.posts;
    const effort = options.smoke ? SMOKE.effort : { seconds: options.seconds, warmUp: WARM_UP, most: MOST };
    const outcome = await run({ ...options, effort }, (line) => process.stderr.write(`${line}\n`));
    const judged = options.smoke ? [] : verdicts(outcome);
    process.stdout.write(`${report(outcome)}\n\n${judged.length > 0 ? `${verdictTable(judged)}\n` : ""}`);
    if (options.json !== undefined) await save(options.json, { ...outcome, verdicts: judged });
    if (options.posts >= BARS_FROM && judged.some(({ held }) => !held)) process.exitCode = 2;
  });

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    endServers();
    void closeDatabases().finally(() => process.exit(130));
  });
}

try {
  await program.parseAsync();
  process.exit();
} catch (error) {
  process.stderr.write(`${error instanceof Error && error.name !== "Error" ? error.message : explainFailure(error)}\n`);
  process.exit(1);
}
