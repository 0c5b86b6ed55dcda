/**
 * The `board` command: what an administrator does from a shell. Results are lines of JSON on standard output, faults a
 * sentence on standard error and exit code 1. Works while a server runs and while none does.
 */
import { Command, InvalidArgumentError } from "commander";
import { Level, levelName, parseLevel } from "./auth/levels.js";
import { type Board, openBoard } from "./board.js";
import { type Config, loadConfig } from "./config.js";
import { openEmbedded } from "./database/embedded.js";
import { migrate } from "./database/migrate.js";
import { BoardError } from "./errors.js";
import { explainFailure } from "./lib/explain.js";
import type { UserRecord } from "./services/user.service.js";

const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

const levels = Object.keys(Level).filter((name) => name !== "Anonymous" && name !== "Restricted");

function level(text: string): number {
  const parsed = parseLevel(text);
  if (parsed === null)
    throw new InvalidArgumentError(`must be one of ${levels.join(", ").toLowerCase()}, or a level's number.`);
  return parsed;
}

/** Runs one action on a board that is opened for it, without jobs. */
async function withBoard(action: (board: Board) => Promise<void>): Promise<void> {
  await using board = await openBoard(quiet());
  await action(board);
}

/** Standard output is for results, so that only faults are logged, and jobs are left to the server. */
const quiet = (): Config => Object.freeze({ ...loadConfig(), LOG_LEVEL: "silent", JOBS: false });

const summary = (user: UserRecord) => ({
  id: user.id,
  name: user.name,
  level: user.level,
  level_string: levelName(user.level),
});

function userCommands(program: Command): void {
  const user = program.command("user").description("accounts");
  user
    .command("create")
    .description("create an account of any level; prints id, name, level and api_key")
    .argument("<name>")
    .argument("<password>")
    .argument("<level>", levels.join(", ").toLowerCase(), level)
    .action((name: string, password: string, number: number) =>
      withBoard(async (board) => {
        const made = await board.users.create({ name, password, level: number });
        print({ id: made.id, name: made.name, level: made.level, api_key: made.passwordHash });
      }),
    );
  user
    .command("list")
    .description("list the accounts, one line each, oldest first")
    .action(() =>
      withBoard(async (board) => {
        for (let after = 0; ;) {
          const { rows } = await board.users.search({}, { first: 1000, page: `a${after}` });
          for (const row of rows.toReversed()) print(summary(row));
          after = rows[0]?.id ?? after;
          if (rows.length < 1000) return;
        }
      }),
    );
  user
    .command("level")
    .description("change an account's level")
    .argument("<name>")
    .argument("<level>", levels.join(", ").toLowerCase(), level)
    .action((name: string, number: number) =>
      withBoard(async (board) => print(summary(await board.users.setLevel(name, number)))),
    );
}

function databaseCommands(program: Command): void {
  const database = program.command("db").description("the database");
  database
    .command("migrate")
    .description("bring the tables up to date; prints the migrations that were applied")
    .action(async () => {
      const config = quiet();
      const embedded = config.DATABASE_URL ? null : await openEmbedded({ dataDir: config.dataDir });
      try {
        print({ applied: await migrate(config.DATABASE_URL ?? embedded?.url ?? "") });
      } finally {
        await embedded?.close();
      }
    });
}

function storageCommands(program: Command): void {
  const storage = program.command("storage").description("the uploaded files");
  storage
    .command("verify")
    .description(
      "compare files and rows, and repair what can be: orphaned files are removed, missing previews made again",
    )
    .option("--dry-run", "only report")
    .action((options: { dryRun?: boolean }) =>
      withBoard(async (board) => {
        const report = await board.storageAudit.run(options.dryRun !== true);
        print(report);
        if (!report.ok) process.exitCode = 1;
      }),
    );
}

const program = new Command("board").description("Administers a board from the shell.").showHelpAfterError();
userCommands(program);
databaseCommands(program);
storageCommands(program);

try {
  await program.parseAsync();
  process.exit();
} catch (error) {
  process.stderr.write(`${error instanceof BoardError ? error.reason : explainFailure(error)}\n`);
  process.exit(1);
}
