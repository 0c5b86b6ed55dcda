/** The server processes of `WORKERS`: forked, counted, replaced when they end, and ended together. */
import cluster, { type Worker } from "node:cluster";
import type { Logger } from "../telemetry/log.js";
import { isWorkerMessage } from "./messages.js";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** A process that lived so long was well: the next pause is a short one again. */
const HEALTHY_MS = 30_000;
/** Requests are drained and jobs brought to an end in this time. */
const STOP_MS = 60_000;

/** A server process that can't start; the message is written for whoever started the board. */
export class WorkerError extends Error {
  override name = "WorkerError";
}

interface Place {
  worker: Worker;
  bornAt: number;
  /** early ends in a row */
  failures: number;
}

interface Start {
  resolve: (url: string) => void;
  reject: (error: Error) => void;
}

export class Crew implements AsyncDisposable {
  private readonly listening = new Set<number>();
  private readonly places = new Map<number, Place>();
  private readonly pauses = new Set<NodeJS.Timeout>();
  private starting: Start | null = null;
  private isStopping = false;

  /** @param env environment of the processes, over that of this one */
  constructor(
    private readonly size: number,
    private readonly env: NodeJS.ProcessEnv,
    private readonly log: Logger,
  ) {}

  /**
   * Starts all processes.
   * @returns the URL at which they serve, once each does
   * @throws WorkerError when one ends before that
   */
  start(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.starting = { resolve, reject };
      for (let place = 0; place < this.size; place += 1) this.fork(place, 0);
    });
  }

  private fork(place: number, failures: number): void {
    const worker = cluster.fork(this.env);
    this.places.set(place, { worker, bornAt: Date.now(), failures });
    worker.on("error", (error) => this.log.warn({ err: error, worker: worker.id }, "no word to a server process"));
    worker.on("message", (message: unknown) => this.hear(place, message));
    worker.once("exit", (code, signal) => this.ended(place, code, signal));
  }

  private hear(place: number, message: unknown): void {
    if (!isWorkerMessage(message)) return;
    if (message.is === "failed") {
      if (this.starting) return this.starting.reject(new WorkerError(message.reason));
      return this.log.error({ reason: message.reason }, "a server process could not start");
    }
    this.listening.add(place);
    if (this.listening.size < this.size) return;
    this.starting?.resolve(message.url);
    this.starting = null;
  }

  private ended(place: number, code: number | null, signal: string | null): void {
    const { worker, bornAt, failures } = this.places.get(place) as Place;
    this.places.delete(place);
    if (this.isStopping) return;
    if (this.starting) return this.starting.reject(new WorkerError(`A server process ended with ${signal ?? code}.`));
    this.log.warn({ worker: worker.id, code, signal }, "a server process ended; it is replaced");
    const isEarly = Date.now() - bornAt < HEALTHY_MS;
    const pause = setTimeout(
      () => {
        this.pauses.delete(pause);
        this.fork(place, isEarly ? failures + 1 : 0);
      },
      Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (isEarly ? failures : 0)),
    );
    this.pauses.add(pause);
  }

  /** Ends all processes, the hard way when they take too long. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.isStopping = true;
    for (const pause of this.pauses) clearTimeout(pause);
    await Promise.all([...this.places.values()].map(({ worker }) => end(worker)));
  }
}

async function end(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const exit = new Promise((resolve) => worker.once("exit", resolve));
  worker.process.kill("SIGTERM");
  const patience = setTimeout(() => worker.process.kill("SIGKILL"), STOP_MS);
  await exit;
  clearTimeout(patience);
}
