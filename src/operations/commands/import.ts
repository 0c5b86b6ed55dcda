/** `board import`. */
import { type Command, InvalidArgumentError } from "commander";
import { INTERRUPTED, runImport } from "../import/import.js";
import { type Kind, KINDS } from "../import/kinds.js";
import { listenForSignals } from "../../lib/signals.js";
import { print, withBoard } from "./command.js";
import { withProgress } from "./progress.js";

interface Flags {
  fromDanbooru: string;
  source?: string;
  as?: string;
  files?: string;
  only?: Kind[];
  limit?: number;
  rate: number;
  keepIds?: boolean;
  dryRun?: boolean;
}

/** What shells say of a process that ended by Ctrl-C. */
const INTERRUPTED_CODE = 130;

function kinds(text: string): Kind[] {
  const names = text.split(",").map((name) => name.trim());
  const isKind = (name: string): name is Kind => (KINDS as string[]).includes(name);
  if (!names.every(isKind)) throw new InvalidArgumentError(`must be some of ${KINDS.join(",")}.`);
  return names.filter(isKind);
}

function requestsPerSecond(text: string): number {
  const rate = Number(text);
  if (!(rate > 0 && rate <= 1_000)) throw new InvalidArgumentError("must be a number above 0, of at most 1000.");
  return rate;
}

function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("must be a whole number above 0.");
  return Number(text);
}

const importBoard = ({ fromDanbooru: from, ...flags }: Flags): Promise<void> =>
  withBoard(async (board) => {
    const ending = new AbortController();
    void listenForSignals()
      .wait()
      .then(() => ending.abort());
    const report = await withProgress((onProgress) =>
      runImport(board, { ...flags, from, signal: ending.signal, onProgress }),
    );
    print(report);
    if (report.stopped !== null && report.stopped !== INTERRUPTED) process.stderr.write(`${report.stopped}\n`);
    if (report.failed > 0 || report.stopped !== null) process.exitCode = 1;
    if (report.stopped === INTERRUPTED) process.exitCode = INTERRUPTED_CODE;
  });

/** `import`. */
export function importCommand(program: Command): void {
  program
    .command("import")
    .description(
      "bring posts, tags, pools, notes and wiki pages of another board into this one; goes on where it ended",
    )
    .requiredOption("--from-danbooru <url|folder>", "a Danbooru-compatible site, or the folder of its JSON dump")
    .option("--files <folder>", "files named by their md5, asked before anything is downloaded")
    .option("--as <name>", "account that the records will belong to; the first Admin by default")
    .option("--only <kinds>", `some of ${KINDS.join(",")}`, kinds)
    .option("--limit <n>", "most records of each kind to try", count)
    .option("--rate <n>", "most requests a second", requestsPerSecond, 1)
    .option("--keep-ids", "posts get the numbers that they have there; those whose number is taken are not brought")
    .option("--source <name>", "what the records are remembered under; the address or the folder by default")
    .option("--dry-run", "only read, and report what would be imported")
    .action(importBoard);
}
