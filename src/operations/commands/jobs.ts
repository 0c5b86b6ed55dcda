import { type Command, InvalidArgumentError } from "commander";
import { loadConfig } from "../../config.js";
import { failedJobs, retryJobs } from "../../runtime/jobs/failed.js";
import { listenForSignals } from "../../lib/signals.js";
import { print, withBoard } from "./command.js";

/** Works jobs off, and logs as the server does, until a signal comes. */
async function runJobs(): Promise<void> {
  const stop = listenForSignals();
  const { openBoard } = await import("../../board.js");
  // whatever JOBS says: it is about the server's own processes
  await using board = await openBoard(Object.freeze({ ...loadConfig(), JOBS: true }));
  board.log.info("working jobs off");
  await stop.wait();
  board.log.info("stopping");
}

const list = (): Promise<void> => withBoard(async (board) => print(await failedJobs(board.database)));

const retry = (ids: string[]): Promise<void> =>
  withBoard(async (board) => print({ retried: await retryJobs(board.database, ids.map(wholeNumber)) }));

function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`${text} is not the number of a job.`);
}

/** `jobs run`, `jobs list`, `jobs retry`. */
export function jobCommands(program: Command): void {
  const jobs = program.command("jobs").description("background jobs");
  jobs
    .command("run")
    .description(
      "work jobs off in a process of its own until it is stopped; any number of them, JOBS=false in the server",
    )
    .action(runJobs);
  jobs
    .command("list")
    .description("jobs that failed, with their errors: those that are tried again, and those that are parked")
    .action(list);
  jobs
    .command("retry")
    .description("have jobs tried again now, as often as new ones, when what made them fail is fixed")
    .argument("<id...>", "numbers by `jobs list`")
    .action(retry);
}
