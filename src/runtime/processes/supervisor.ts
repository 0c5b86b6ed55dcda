/** Forks the server processes of `WORKERS`, restarts those that end, replaces them on reload and stops them together. */
import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../../errors.js";
import { receive, sendToWorker } from "../../lib/ipc.js";
import type { ShutdownReason } from "../../lib/signals.js";
import type { Logger } from "../telemetry/log.js";
import { BEAT_MS, type PrimaryMessage, type WorkerMessage } from "./messages.js";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** After running this long, a process counts as healthy, and the next restart delay is short again. */
const HEALTHY_MS = 30_000;
/** Time limit for draining requests and finishing jobs. */
const STOP_MS = 60_000;
/** A replaced process may take longer, for a slow upload; after this time, the next one is replaced. */
const RETIRE_MS = 30_000;

/**
 * Number of missed heartbeats, a minute's worth, after which a process counts as hanging. They are counted rather than timed, so that suspending or
 * overloading the whole machine has no effect.
 */
const MOST_MISSED = 12;

interface Slot {
  worker: Worker;
  bornAt: number;
  /** consecutive early exits */
  failures: number;
}

export interface SupervisorOptions {
  size: number;
  /** environment of each process, in addition to that of this one */
  env: () => NodeJS.ProcessEnv;
  /** milliseconds that processes keep serving after the signal to stop, before they drain */
  grace: () => number;
  log: Logger;
  /** milliseconds between heartbeats */
  beat?: number;
}

export class Supervisor implements AsyncDisposable {
  private readonly slots = new Map<number, Slot>();
  private readonly pauses = new Map<number, NodeJS.Timeout>();
  /** all running processes: in their slots, starting, and replaced ones */
  private readonly workers = new Set<Worker>();
  /** heartbeats that each has missed; processes of older releases send none */
  private readonly missed = new Map<Worker, number>();
  private readonly counting: NodeJS.Timeout;
  private isStarting = false;
  private isStopping = false;

  constructor(private readonly options: SupervisorOptions) {
    this.counting = setInterval(() => this.killHanging(), options.beat ?? BEAT_MS);
  }

  /**
   * Starts all processes.
   * @returns the URL at which they serve, once each does
   * @throws OperatorError if one exits before that
   */
  async start(): Promise<string> {
    this.isStarting = true;
    const slots = Array.from({ length: this.options.size }, (_, slot) => this.fork(slot, 0));
    const [url] = await Promise.all(slots);
    this.isStarting = false;
    for (const slot of slots.keys()) if (!this.slots.has(slot)) this.startLater(slot, 1); // it ended before the others served
    return url ?? "";
  }

  /**
   * Replaces all processes, one after the other, each when its successor serves, so that no request is refused.
   * @throws OperatorError if a successor can't start; the remaining processes stay
   */
  async replace(): Promise<void> {
    for (let slot = 0; slot < this.options.size && !this.isStopping; slot += 1) {
      const worker = this.spawn();
      await listening(worker);
      const previous = this.slots.get(slot)?.worker;
      this.settle(slot, worker, 0);
      if (previous) await this.retire(previous);
    }
  }

  /** Starts a process in its slot, for the first time or after the previous one ended. @throws OperatorError and errors of the system */
  private async fork(slot: number, failures: number): Promise<string> {
    const worker = this.spawn();
    this.settle(slot, worker, failures);
    return listening(worker);
  }

  private spawn(): Worker {
    const { log } = this.options;
    const worker = cluster.fork(this.options.env());
    worker.on("error", (error) => log.warn({ err: error, worker: worker.id }, "a message to a server process failed"));
    if (worker.process.pid === undefined) throw new OperatorError("The system could not start a server process.");
    this.workers.add(worker);
    receive<WorkerMessage>(worker, {
      stopped_accepting: () => sendToWorker(worker, { is: "ack" } satisfies PrimaryMessage),
      alive: () => this.missed.set(worker, 0),
    });
    worker.once("exit", () => {
      this.workers.delete(worker);
      this.missed.delete(worker);
    });
    return worker;
  }

  /** Kills processes whose heartbeats stopped a while ago, since their connections and jobs would wait forever. Those in slots are replaced. */
  private killHanging(): void {
    for (const [worker, missed] of this.missed) {
      this.missed.set(worker, missed + 1);
      if (missed < MOST_MISSED) continue;
      this.options.log.error({ worker: worker.id }, "a server process does not respond; it is killed");
      worker.process.kill("SIGKILL");
    }
  }

  private settle(slot: number, worker: Worker, failures: number): void {
    clearTimeout(this.pauses.get(slot));
    this.pauses.delete(slot);
    this.slots.set(slot, { worker, bornAt: performance.now(), failures });
    worker.once("exit", (code, signal) => this.ended(slot, worker, signal ?? code));
  }

  private ended(slot: number, worker: Worker, how: string | number | null): void {
    const left = this.slots.get(slot);
    if (left?.worker !== worker) return;
    this.slots.delete(slot);
    if (this.isStopping || this.isStarting) return;
    const { log } = this.options;
    log.warn({ worker: worker.id, code: how }, "a server process ended; it is replaced");
    const isEarly = performance.now() - left.bornAt < HEALTHY_MS;
    this.startLater(slot, isEarly ? left.failures + 1 : 0);
  }

  /** Starts a process in its slot after a pause, and again if the system can't: it may be out of memory. */
  private startLater(slot: number, failures: number): void {
    const again = () => {
      this.pauses.delete(slot);
      this.fork(slot, failures).catch(({ message }: Error) => {
        if (this.isStopping) return;
        this.options.log.error({ reason: message }, "a server process could not start");
        if (!this.slots.has(slot) && !this.pauses.has(slot)) this.startLater(slot, failures + 1);
      });
    };
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1));
    this.pauses.set(slot, setTimeout(again, pause));
  }

  /** Informs a process that it has been replaced. Settles when it has exited, or after a timeout. */
  private async retire(worker: Worker): Promise<void> {
    if (worker.isDead()) return;
    const exit = new Promise((resolve) => worker.once("exit", resolve));
    sendToWorker(worker, { is: "retire" } satisfies PrimaryMessage);
    await Promise.race([exit, sleep(RETIRE_MS + this.options.grace(), undefined, { ref: false })]);
  }

  /** Stops all processes, by SIGKILL if they take too long. */
  async end(reason: ShutdownReason): Promise<void> {
    this.isStopping = true;
    clearInterval(this.counting);
    for (const pause of this.pauses.values()) clearTimeout(pause);
    const patience = STOP_MS + (reason === "terminate" ? this.options.grace() : 0);
    await Promise.all([...this.workers].map((worker) => end(worker, reason, patience)));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end("interrupt");
  }
}

/** The process's URL, once it serves. @throws OperatorError with its reason if it exits instead */
const listening = (worker: Worker): Promise<string> =>
  new Promise((resolve, reject) => {
    receive<WorkerMessage>(worker, {
      listening: ({ url }) => resolve(url),
      failed: ({ reason }) => reject(new OperatorError(reason)),
    });
    worker.once("exit", (code, signal) => reject(new OperatorError(`A server process ended with ${signal ?? code}.`)));
  });

async function end(worker: Worker, reason: ShutdownReason, patience: number): Promise<void> {
  if (worker.isDead()) return;
  const exit = new Promise((resolve) => worker.once("exit", resolve));
  worker.process.kill(reason === "interrupt" ? "SIGINT" : "SIGTERM");
  const timeout = setTimeout(() => worker.process.kill("SIGKILL"), patience);
  await exit;
  clearTimeout(timeout);
}
