import { type Command, InvalidArgumentError } from "commander";
import { loadConfig } from "../../config.js";
import { failedJobs, retryJobs } from "../../runtime/jobs/failed.js";
import { listenForSignals } from "../../lib/signals.js";
import { print, withBoard } from "./command.js";

/** Runs jobs until a signal, and logs like the server. */
async function runJobs(): Promise<void> {
  const stop = listenForSignals();
  const { openBoard } = await import("../../board.js");
  // JOBS is for server processes only
  await using board = await openBoard(Object.freeze({ ...loadConfig(), JOBS: true }));
  board.log.info("running jobs");
  await stop.wait();
  board.log.info("stopping");
}

const list = (): Promise<void> => withBoard(async (board) => print(await failedJobs(board.database)));

const retry = (ids: number[]): Promise<void> =>
  withBoard(async (board) => print({ retried: await retryJobs(board.database, ids) }));

function jobIds(text: string, earlier: number[] = []): number[] {
  if (/^\d{1,15}$/.test(text)) return [...earlier, Number(text)];
  throw new InvalidArgumentError("must be the id of a job.");
}

/** `jobs run`, `jobs list`, `jobs retry`. */
export function jobCommands(program: Command): void {
  const jobs = program.command("jobs").description("background jobs");
  jobs
    .command("run")
    .description("run background jobs until stopped, in any number of processes, for servers with JOBS=false")
    .action(runJobs);
  jobs
    .command("list")
    .description("list failed jobs with their errors: those that will be retried, and parked ones")
    .action(list);
  jobs
    .command("retry")
    .description("retry jobs now, with as many attempts as new ones")
    .argument("<id...>", "ids from `jobs list`", jobIds)
    .action(retry);
}
