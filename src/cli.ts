/**
 * The `board` command: what an administrator does from a shell. Results are lines of JSON on standard output, faults a
 * sentence on standard error and exit code 1. Works while a server runs and while none does.
 */
import { Command } from "commander";
import { BackupError } from "./operations/backup/archive.js";
import { artistCommands } from "./operations/commands/artists.js";
import { backupCommands } from "./operations/commands/backup.js";
import { NoAdminError } from "./operations/commands/command.js";
import { importCommand } from "./operations/commands/import.js";
import { jobCommands } from "./operations/commands/jobs.js";
import { maintenanceCommands } from "./operations/commands/maintenance.js";
import { NoPasswordError } from "./operations/commands/password.js";
import { postCommands } from "./operations/commands/posts.js";
import { storageCommands } from "./operations/commands/storage.js";
import { tagRelationCommands } from "./operations/commands/tag-relations.js";
import { thumbnailCommand } from "./operations/commands/thumbnails.js";
import { userCommands } from "./operations/commands/users.js";
import { verifyCommand } from "./operations/commands/verify.js";
import { BoardError } from "./errors.js";
import { ImportError } from "./operations/import/source.js";
import { explainFailure } from "./runtime/explain.js";

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
