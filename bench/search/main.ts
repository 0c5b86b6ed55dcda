/**
 * Measures the searches of the built server on boards of N and N/10 posts, and compares them with the limits in docs/performance.md.
 *
 *   npm run bench:search -- --posts 1000000
 */
import { mkdir, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { explainFailure } from "../../src/runtime/explain.js";
import { type Verdict, verdicts } from "./targets.js";
import { closeDatabases } from "./boards.js";
import { report } from "./report.js";
import { run, type RunOptions } from "./run.js";
import { endServers } from "./server.js";

interface Options extends Omit<RunOptions, "effort"> {
  seconds: number;
  json?: string;
  smoke?: boolean;
}

/** Each connection sends everything once. */
const SMOKE = { posts: 100_000, effort: { seconds: 0, warmUp: 0, least: 1 } };
const BARS_FROM = 1_000_000;

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0) throw new InvalidArgumentError("must be a number above 0.");
  return Number(text);
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 600)) throw new InvalidArgumentError("must be a number of seconds.");
  return value;
}

const program = new Command("bench:search")
  .description("Measures searches on generated boards of N and N/10 posts, and writes on a copy.")
  .option("--posts <n>", "posts of the greater board", wholeNumber, 1_000_000)
  .option("--seconds <s>", "how long each figure is measured", seconds, 1.5)
  .option("--seed <n>", "of the generated boards", wholeNumber, 1)
  .option(
    "--data <dir>",
    "folder of the greater board, filled where it is empty; by default one in the temporary folder",
  )
  .option("--smaller <dir>", "folder of the smaller board, likewise")
  .addOption(
    new Option(
      "--only <what>",
      "our searches alone, without the other layout and writes, on a board that is filled with what they need; the smaller board only by --smaller",
    ).choices(["searches"]),
  )
  .option("--json <file>", "where the figures go; by default bench/results/<date>-<posts>.json")
  .option("--smoke", "only see that everything runs: 100,000 posts unless said, each thing once, no verdict")
  .action(async (options: Options, command: Command) => {
    if (options.smoke && command.getOptionValueSource("posts") !== "cli") options.posts = SMOKE.posts;
    const effort = options.smoke ? SMOKE.effort : { seconds: options.seconds, warmUp: options.seconds / 3, least: 5 };
    const outcome = await run({ ...options, effort }, (line) => process.stderr.write(`${line}\n`));
    const judged = options.smoke ? [] : verdicts(outcome);
    process.stdout.write(`${report(outcome, judged)}\n`);
    await save(options, { ...outcome, verdicts: judged });
    for (const failure of outcome.failures) process.stderr.write(`failed: ${failure}\n`);
    if (outcome.failures.length > 0) process.exitCode = 1;
    else if (!options.smoke && options.posts >= BARS_FROM && judged.some(({ held }) => !held)) process.exitCode = 2;
  });

async function save({ json, smoke, posts }: Options, figures: { date: string; verdicts: Verdict[] }): Promise<void> {
  if (smoke && json === undefined) return;
  const day = figures.date.slice(0, 16).replace(":", "");
  const file = path.resolve(json ?? path.join("bench", "results", `${day}-${posts}.json`));
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`);
  process.stderr.write(`figures: ${path.relative(process.cwd(), file) || file}${os.EOL}`);
}

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
