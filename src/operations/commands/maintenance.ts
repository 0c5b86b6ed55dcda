import type { Command } from "commander";
import { migrate } from "../../database/migrate.js";
import { print, withDatabase } from "./command.js";

const migrateDatabase = (): Promise<void> => withDatabase(async (url) => print({ applied: await migrate(url) }));

/** `db migrate`. */
export function maintenanceCommands(program: Command): void {
  program
    .command("db")
    .description("the database")
    .command("migrate")
    .description("apply pending migrations; prints their names")
    .action(migrateDatabase);
}
