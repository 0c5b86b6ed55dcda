import type { Command } from "commander";
import { NoBoardError } from "../no-board.js";
import { verifyRows } from "../verify/verify.js";
import { print, withBoard } from "./command.js";
import { withProgress } from "./progress.js";

const verify = (): Promise<void> =>
  withBoard(async (board) => {
    if ((await board.database.user.count()) === 0) throw new NoBoardError(); // in which nothing can be wrong
    const faults = await withProgress((onProgress) => verifyRows(board.databaseUrl, { onProgress }));
    const storage = await board.storageAudit.run(false);
    const ok = faults.length === 0 && storage.ok;
    print({ ok, faults, storage });
    if (!ok) process.exitCode = 1;
  });

export function register(program: Command): void {
  program
    .command("verify")
    .description("check that rows, counters, versions and files are consistent; changes nothing")
    .action(verify);
}
