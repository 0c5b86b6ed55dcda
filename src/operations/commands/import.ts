import { type Command, InvalidArgumentError } from "commander";
import { type ImportOptions, INTERRUPTED, runImport } from "../import/import.js";
import { type Kind, KINDS } from "../import/source.js";
import { INTERRUPTED_CODE, listenForSignals } from "../../lib/signals.js";
import { print, withBoard } from "./command.js";
import { withProgress } from "./progress.js";

type Flags = Omit<ImportOptions, "from" | "signal" | "onProgress"> & { fromDanbooru: string };

function kinds(text: string): Kind[] {
  const names = text.split(",").map((name) => name.trim());
  const isKind = (name: string): name is Kind => (KINDS as string[]).includes(name);
  if (!names.every(isKind)) throw new InvalidArgumentError(`must be a list of ${KINDS.join(",")}.`);
  return names.filter(isKind);
}

function requestsPerSecond(text: string): number {
  const rate = Number(text);
  if (!(rate > 0 && rate <= 1_000)) throw new InvalidArgumentError("must be a number above 0 and at most 1000.");
  return rate;
}

function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("must be a positive integer.");
  return Number(text);
}

async function importBoard({ fromDanbooru: from, ...flags }: Flags): Promise<void> {
  const stopping = new AbortController();
  void listenForSignals()
    .wait()
    .then(() => stopping.abort());
  await withBoard(async (board) => {
    const report = await withProgress((onProgress) =>
      runImport(board, { ...flags, from, signal: stopping.signal, onProgress }),
    );
    print(report);
    if (report.stopped !== null && report.stopped !== INTERRUPTED) process.stderr.write(`${report.stopped}\n`);
    if (report.failed > 0 || report.stopped !== null) process.exitCode = 1;
    if (report.stopped === INTERRUPTED) process.exitCode = INTERRUPTED_CODE;
  });
}

export function register(program: Command): void {
  program
    .command("import")
    .description("import posts, tags, pools, notes and wiki pages from another board; resumes where it stopped")
    .requiredOption("--from-danbooru <url|folder>", "a Danbooru-compatible site, or the folder of its JSON dump")
    .option("--files <folder>", "files named by their md5, tried before downloading")
    .option("--as <name>", "account that will own the records; the first Admin by default")
    .option("--only <kinds>", `some of ${KINDS.join(",")}`, kinds)
    .option("--limit <n>", "maximum number of new records of each kind", count)
    .option("--rate <n>", "maximum number of requests per second", requestsPerSecond, 1)
    .option("--keep-ids", "posts keep their ids; posts with an id that is in use are skipped")
    .option("--source <name>", "name under which imported records are stored; the address or folder by default")
    .option("--dry-run", "only read, and report what would be imported")
    .action(importBoard);
}
