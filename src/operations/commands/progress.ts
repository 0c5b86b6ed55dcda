/** Progress bars of long commands, on standard error, since standard output is for results. */
import cliProgress from "cli-progress";
import type { Progress } from "../../lib/progress.js";

/** Shows the progress of work on a terminal, a bar for each step, until it ends, or the process does. */
export async function withProgress<T>(
  work: (show: Progress) => Promise<T>,
  stream: NodeJS.WriteStream = process.stderr,
): Promise<T> {
  const options = {
    format: "{bar} {percentage}% {step}",
    stream,
    hideCursor: true,
    barsize: 30,
    clearOnComplete: true,
  };
  let [bar, current]: [cliProgress.SingleBar | null, string] = [null, ""];
  const stop = () => bar?.stop();
  const show: Progress = (step, done, total) => {
    if (!stream.isTTY) return;
    if (step !== current) {
      stop();
      current = step;
      bar = new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic);
      bar.start(Math.max(total, 1), 0, { step });
    }
    bar?.setTotal(Math.max(total, done, 1));
    bar?.update(done);
  };
  process.once("exit", stop); // a signal may end the process meanwhile, and the terminal would stay without its cursor
  try {
    return await work(show);
  } finally {
    process.off("exit", stop);
    stop();
  }
}
