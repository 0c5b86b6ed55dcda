/**
 * The `board` command: what an administrator does from a shell. Results are lines of JSON on standard output, faults a
 * sentence on standard error and exit code 1. Works while a server runs and while none does.
 */
import { Command } from "commander";
import { BackupError } from "./backup/archive.js";
import { artistCommands } from "./cli/artists.js";
import { backupCommands } from "./cli/backup.js";
import { NoAdminError } from "./cli/command.js";
import { importCommand } from "./cli/import.js";
import { jobCommands } from "./cli/jobs.js";
import { maintenanceCommands } from "./cli/maintenance.js";
import { NoPasswordError } from "./cli/password.js";
import { postCommands } from "./cli/posts.js";
import { storageCommands } from "./cli/storage.js";
import { tagRelationCommands } from "./cli/tag-relations.js";
import { thumbnailCommand } from "./cli/thumbnails.js";
import { userCommands } from "./cli/users.js";
import { verifyCommand } from "./cli/verify.js";
import { BoardError } from "./errors.js";
import { ImportError } from "./import/source.js";
import { explainFailure } from "./lib/explain.js";

const program = new Command("board").description("Administers a board from the shell.").showHelpAfterError();
userCommands(program);
artistCommands(program);
postCommands(program);
tagRelationCommands(program);
maintenanceCommands(program);
storageCommands(program);
jobCommands(program);
verifyCommand(program);
backupCommands(program);
thumbnailCommand(program);
importCommand(program);

/** What the administrator did wrong is a sentence; our own faults are explained. */
function sentence(error: unknown): string {
  if (error instanceof BoardError) return error.reason;
  const isSentence = [NoAdminError, NoPasswordError, BackupError, ImportError].some((kind) => error instanceof kind);
  return isSentence ? (error as Error).message : explainFailure(error);
}

try {
  await program.parseAsync();
  process.exit();
} catch (error) {
  process.stderr.write(`${sentence(error)}\n`);
  process.exit(1);
}
