import type { Command } from "commander";
import { migrate } from "../database/migrate.js";
import { print, withBoard, withDatabase } from "./command.js";

const migrateDatabase = (): Promise<void> => withDatabase(async (url) => print({ applied: await migrate(url) }));

const verifyStorage = (options: { dryRun?: boolean }): Promise<void> =>
  withBoard(async (board) => {
    const report = await board.storageAudit.run(options.dryRun !== true);
    print(report);
    if (!report.ok) process.exitCode = 1;
  });

/** `db migrate`, `storage verify`. */
export function maintenanceCommands(program: Command): void {
  program
    .command("db")
    .description("the database")
    .command("migrate")
    .description("bring the tables up to date; prints the migrations that were applied")
    .action(migrateDatabase);
  program
    .command("storage")
    .description("the uploaded files")
    .command("verify")
    .description(
      "compare files and rows, and repair what can be: orphaned files are removed, missing previews made again",
    )
    .option("--dry-run", "only report")
    .action(verifyStorage);
}
