/**
 * Attacks a board with everything that anybody can send, while an ordinary visitor and an ordinary member use it, and reports
 * their response times, memory, disk and records. The exit code is 1 when an attack exceeds a limit.
 *
 *   npm run test:attacks -- --only "search|row 2"
 */
import { Command } from "commander";
import { explainFailure } from "../../src/runtime/explain.js";
import type { Attack } from "./attack.js";
import { AttackedBoard } from "./board.js";
import { attacks } from "./list.js";
import { LIMITS, type Limits, exceededLimits, BUSY_LIMITS, isSpoiled, outcomeLine, outcomeTable } from "./report.js";
import { attackRound, type Outcome, warmUp } from "./round.js";

interface Options {
  only: string;
  list?: boolean;
  release?: string;
  again: number;
  busy?: boolean;
}

/** The board that is attacked now; one that is spoiled, or has other settings than the next attack wants, makes way for another. */
class Boards implements AsyncDisposable {
  private board: AttackedBoard | null = null;
  private settings = "";

  constructor(private readonly release: string | undefined) {}

  async for({ settings = {} }: Attack): Promise<AttackedBoard> {
    const wanted = JSON.stringify(settings);
    if (this.board && wanted === this.settings) return this.board;
    await this.replace();
    this.settings = wanted;
    this.board = await AttackedBoard.start(settings, this.release);
    await warmUp(this.board);
    return this.board;
  }

  async replace(): Promise<void> {
    await this.board?.[Symbol.asyncDispose]();
    this.board = null;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.replace();
  }
}

async function attackOnce(boards: Boards, attack: Attack, index: number, limits: Limits): Promise<Outcome> {
  const outcome = await attackRound(await boards.for(attack), attack, index);
  const isHeld = exceededLimits(outcome, limits).length === 0;
  process.stderr.write(`${isHeld ? "held  " : "BROKEN"}  ${outcomeLine(outcome, limits)}\n`);
  if (isSpoiled(outcome)) await boards.replace();
  return outcome;
}

/** @param again how often an attack is repeated, on a new board, when it exceeded a limit: the machine may have been busy */
async function attackAll(chosen: readonly Attack[], boards: Boards, again: number, limits: Limits): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [index, attack] of chosen.entries()) {
    let outcome = await attackOnce(boards, attack, index, limits);
    for (let left = again; left > 0 && exceededLimits(outcome, limits).length > 0; left -= 1) {
      await boards.replace();
      outcome = await attackOnce(boards, attack, chosen.length * left + index, limits);
    }
    outcomes.push(outcome);
  }
  return outcomes;
}

/** Those of like settings one after the other, so that they share a board. */
const inOrder = (chosen: readonly Attack[]): Attack[] =>
  chosen.toSorted((a, b) => JSON.stringify(a.settings ?? {}).localeCompare(JSON.stringify(b.settings ?? {})));

async function main({ only, list, release, again, busy }: Options): Promise<void> {
  const chosen = inOrder(attacks.filter(({ name }) => new RegExp(only).test(name)));
  if (list) return void process.stdout.write(`${chosen.map(({ name }) => name).join("\n")}\n`);
  if (chosen.length === 0) throw new Error(`no attack's name has ${only}`);
  const limits = busy ? BUSY_LIMITS : LIMITS;
  const boards = new Boards(release);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => void boards.replace().finally(() => process.exit(130)));
  try {
    const outcomes = await attackAll(chosen, boards, again, limits);
    const missed = outcomes.filter((outcome) => exceededLimits(outcome, limits).length > 0);
    process.stdout.write(`\n${outcomeTable(outcomes, limits)}\n\n`);
    process.stdout.write(`${outcomes.length - missed.length} attacks held off, ${missed.length} not\n`);
    process.exitCode = missed.length > 0 ? 1 : 0;
  } finally {
    await boards.replace();
  }
}

const program = new Command("test:attacks")
  .description("Attacks a new board, and says how it held.")
  .option("--only <pattern>", "attacks whose names this regular expression finds", "")
  .option("--list", "the attacks' names")
  .option("--again <times>", "how often an attack that exceeded a limit is repeated before that counts", Number, 1)
  .option("--busy", "wider limits, for a machine that does other things as well")
  .option("--release <folder>", "the folder of another build than that of this checkout")
  .action((options: Options) => main(options));

try {
  await program.parseAsync();
  process.exit();
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
}
