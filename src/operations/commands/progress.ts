/** Progress bars of long commands, on standard error, since standard output is for results. */
import cliProgress from "cli-progress";
import type { Progress } from "../../lib/progress.js";

/** Shows one bar per step, only on a terminal. */
export class ProgressBars {
  private bar: cliProgress.SingleBar | null = null;
  private step = "";

  constructor(private readonly stream: NodeJS.WriteStream) {}

  /** To be passed as `onProgress`. */
  readonly show: Progress = (step, done, total) => {
    if (!this.stream.isTTY) return;
    if (step !== this.step) this.begin(step, total);
    this.bar?.setTotal(Math.max(total, done, 1));
    this.bar?.update(done);
  };

  /** Ends the last bar, so that further output starts on a new line. */
  stop(): void {
    this.bar?.stop();
    this.bar = null;
    this.step = "";
  }

  private begin(step: string, total: number): void {
    this.stop();
    this.step = step;
    const format = "{bar} {percentage}% {step}";
    const options = { format, stream: this.stream, hideCursor: true, barsize: 30, clearOnComplete: true };
    this.bar = new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic);
    this.bar.start(Math.max(total, 1), 0, { step });
  }
}

/** Shows the progress of work until it ends, or the process does. */
export async function withProgress<T>(
  work: (show: Progress) => Promise<T>,
  stream: NodeJS.WriteStream = process.stderr,
): Promise<T> {
  const bars = new ProgressBars(stream);
  const stop = () => bars.stop();
  process.once("exit", stop); // a signal may end the process meanwhile, and the terminal would stay without its cursor
  try {
    return await work(bars.show);
  } finally {
    process.off("exit", stop);
    stop();
  }
}
