/** The script's side of the client process, and of the bare server that is the baseline. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { median, percentile } from "../statistics.js";
import type { LoadAnswer, LoadJob, LoadResult } from "./worker.js";

export type { Effort } from "./worker.js";

/** The measurement of one request. */
export interface Figures {
  /** milliseconds */
  p50: number;
  p99: number;
  requestsPerSecond: number;
  requests: number;
  /** median of the milliseconds in the database, all statements of a request together; null if unknown */
  database: number | null;
  /** bytes of a response body */
  bytes: number;
}

/** Responses other than 200. */
export class LoadError extends Error {
  override name = "LoadError";
}

/** A child process. */
export const startChild = (file: URL): ChildProcess =>
  fork(fileURLToPath(file), { stdio: "inherit", serialization: "advanced" });

/** The next message of a child. @throws LoadError if it exits before */
export function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new LoadError("the process that measures has ended"));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message as T);
    });
  });
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill();
  await exit;
}

export class LoadDriver implements AsyncDisposable {
  private readonly child = startChild(new URL("worker.ts", import.meta.url));

  /**
   * Repeats a request for some time.
   * @throws LoadError for responses other than 200, or none
   */
  async measure(job: LoadJob): Promise<Figures> {
    const answered = answerOf<LoadAnswer>(this.child);
    this.child.send(job);
    const answer = await answered;
    if ("error" in answer) throw new LoadError(`${job.path}: ${answer.error}`);
    const { failures } = answer.result;
    if (Object.keys(failures).length > 0) throw new LoadError(`${job.path}: answered ${JSON.stringify(failures)}`);
    return figuresOf(answer.result);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return stopChild(this.child);
  }
}

const figuresOf = ({ durations, database, requests, seconds, bytes }: LoadResult): Figures => ({
  p50: percentile(durations, 0.5),
  p99: percentile(durations, 0.99),
  requestsPerSecond: requests / seconds,
  requests,
  database: database.length > 0 ? median(database) : null,
  bytes,
});

/** A bare `node:http` server with a constant response, in a process of its own. */
export class BareServer implements AsyncDisposable {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(body: Buffer, contentType: string): Promise<BareServer> {
    const child = startChild(new URL("bare-server.ts", import.meta.url));
    const listening = answerOf<number>(child);
    child.send({ body, contentType });
    const port = await listening;
    return new BareServer(child, `http://127.0.0.1:${port}`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return stopChild(this.child);
  }
}
