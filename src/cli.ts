/**
 * The `board` command, for administrators. Results are lines of JSON on standard output; errors are a
 * sentence on standard error, with exit code 1. It works whether or not a server is running.
 */
import { setFlagsFromString } from "node:v8";
import { Command } from "commander";
import { BoardError } from "./errors.js";
import { INTERRUPTED_CODE, listenForSignals } from "./lib/signals.js";
import { version } from "./lib/version.js";
import { explainFailure } from "./runtime/explain.js";

interface Commands {
  words: readonly string[];
  load: () => Promise<{ register: (program: Command) => void }>;
  /** the only one that runs for minutes or longer, and handles signals itself */
  long?: string;
}

/** The commands by their first words, in the order of the help. Only the requested one is loaded. */
const COMMANDS: readonly Commands[] = [
  { words: ["user"], load: () => import("./operations/commands/users.js") },
  { words: ["artist", "post", "alias", "implication"], load: () => import("./operations/commands/records.js") },
  { words: ["db", "storage"], load: () => import("./operations/commands/maintenance.js") },
  { words: ["jobs"], load: () => import("./operations/commands/jobs.js"), long: "jobs run" },
  { words: ["verify"], load: () => import("./operations/commands/verify.js") },
  { words: ["backup", "restore"], load: () => import("./operations/commands/backup.js") },
  { words: ["regenerate-thumbnails"], load: () => import("./operations/commands/thumbnails.js") },
  { words: ["import"], load: () => import("./operations/commands/import.js"), long: "import" },
];

/** Compiles WebAssembly (Prisma's query compiler) without optimising it, which would take half of a short command's time. */
function compileQuickly(): void {
  for (const flag of ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);
}

let isStopping = false;

/** Ends the process on a signal: an embedded database that only it uses, and which Ctrl-C does not reach, would go on running. */
async function endOnSignal(): Promise<void> {
  await listenForSignals().wait();
  isStopping = true;
  const { leaveEmbedded } = await import("./database/embedded.js");
  await leaveEmbedded();
  process.exit(INTERRUPTED_CODE);
}

/** The command with these words; all commands for any others, such as `help`. */
async function programFor(args: readonly string[]): Promise<Command> {
  const asked = COMMANDS.filter(({ words }) => words.includes(args[0] ?? ""));
  if (!asked.some(({ long }) => long !== undefined && `${args.join(" ")} `.startsWith(`${long} `))) {
    compileQuickly();
    void endOnSignal();
  }
  const program = new Command("board").description("Administers a board from the shell.").showHelpAfterError();
  program.version(version());
  for (const { load } of asked.length > 0 ? asked : COMMANDS) (await load()).register(program);
  return program;
}

/** Mistakes of an administrator are reported in a sentence, bugs with details. */
const sentence = (error: unknown): string => (error instanceof BoardError ? error.reason : explainFailure(error));

// the work is done: a closed pipe (`head`) is not an error; a full disk is reported
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || process.exitCode === 1) return;
  process.stderr.write(`${sentence(error)}\n`);
  process.exitCode = 1;
});

try {
  const program = await programFor(process.argv.slice(2));
  await program.parseAsync();
  process.exit();
} catch (error) {
  if (!isStopping) {
    process.stderr.write(`${sentence(error)}\n`);
    process.exit(1);
  }
}
