import path from "node:path";
import type { Command } from "commander";
import { readSecret, saveSecret } from "../../runtime/auth/secret.js";
import { writeBackup } from "../backup/backup.js";
import { restoreBackup } from "../backup/restore.js";
import { openStorage } from "../../storage/open.js";
import { createLog } from "../../runtime/telemetry/log.js";
import { print, withDatabase } from "./command.js";
import { withProgress } from "./progress.js";

/** @param given "-" is standard output, which is refused as a pipe, and not a file of this name that a pipe's reader would miss */
const backup = (given: string): Promise<void> =>
  withDatabase(async (databaseUrl, config) => {
    const file = path.resolve(given === "-" ? "/dev/stdout" : given);
    await using storage = await openStorage(config);
    const secret = await readSecret(config);
    const report = await withProgress((onProgress) => writeBackup({ databaseUrl, storage, secret, file, onProgress }));
    print({ file, ...report });
    if (report.missing + report.damagedKeys.length > 0) process.exitCode = 1;
  });

const restore = (file: string): Promise<void> =>
  withDatabase(
    async (databaseUrl, config) => {
      await using storage = await openStorage(config);
      const report = await withProgress((onProgress) =>
        restoreBackup({
          databaseUrl,
          storage,
          file: path.resolve(file),
          log: createLog(config.LOG_LEVEL),
          saveSecret: (secret) => saveSecret(config, secret),
          onProgress,
        }),
      );
      print(report);
    },
    { mayCreate: true },
  );

export function register(program: Command): void {
  program
    .command("backup")
    .description("write all rows and files into one file (mode 600); the server may be running")
    .argument("<file>", "a tar archive; an existing file is replaced once the backup is complete")
    .action(backup);
  program
    .command("restore")
    .description("restore a backup into an empty board; a truncated or damaged file changes nothing")
    .argument("<file>", "written by `board backup`")
    .action(restore);
}
