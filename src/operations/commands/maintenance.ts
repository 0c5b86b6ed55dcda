import { type Command, Option } from "commander";
import { loadConfig } from "../../config.js";
import { migrate } from "../../database/migrate.js";
import { print, quietConfig, withBoard, withDatabase } from "./command.js";
import { copyFiles } from "../../storage/copy.js";
import { openStorage, type StorageKind } from "../../storage/open.js";
import { withProgress } from "./progress.js";

const verify = (options: { dryRun?: boolean; removeMost?: boolean }): Promise<void> =>
  withBoard(async (board) => {
    const report = await board.storageAudit.run(options.dryRun !== true, options.removeMost);
    print(report);
    if (!report.ok) process.exitCode = 1;
  });

async function copy(options: { from: StorageKind; to: StorageKind }, command: Command): Promise<void> {
  if (options.from === options.to) command.error("error: --from and --to are the same storage");
  const config = quietConfig();
  await using from = await openStorage(config, undefined, options.from);
  await using to = await openStorage(config, undefined, options.to);
  const report = await withProgress((onProgress) => copyFiles(from, to, onProgress));
  print(report);
  if (report.refused.length > 0) process.exitCode = 1;
}

const kind = (flags: string, description: string): Option =>
  new Option(flags, description).choices(["disk", "s3"]).makeOptionMandatory();

/** `db migrate`, `storage verify`, `storage copy`. */
export function register(program: Command): void {
  program
    .command("db")
    .description("the database")
    .command("migrate")
    .description("apply pending migrations; prints their names")
    .action(() => {
      const mayCreate = loadConfig().DATABASE_URL !== undefined; // in an empty database, but not in a mistyped folder
      return withDatabase(async (url) => print({ applied: await migrate(url) }), { mayCreate });
    });
  const storage = program.command("storage").description("the uploaded files");
  storage
    .command("verify")
    .description("compare files with rows and repair what it can: remove orphaned files, regenerate missing thumbnails")
    .option("--dry-run", "only report")
    .option(
      "--remove-most",
      "remove orphaned files even if they are more than half of all, as after an interrupted restore",
    )
    .action(verify);
  storage
    .command("copy")
    .description("copy all files between DATA_DIR and the S3 store, whatever STORAGE is; can be resumed")
    .addOption(kind("--from <storage>", "source"))
    .addOption(kind("--to <storage>", "destination"))
    .action(copy);
}
