/** One process of a decoder, and its queue: one file at a time, with their owners in turns. */
import { failure } from "../../errors.js";
import { FairSemaphore } from "../../lib/semaphore.js";
import type { Logger } from "../../runtime/telemetry/log.js";
import { DecoderProcess, ProcessEnded } from "./process.js";
import type { Results, Task } from "./protocol.js";

const MiB = 1024 * 1024;

/** Length of the queue; one more drops the last one of the owner with the most. Most files take a fraction of a second, the largest some seconds. */
const MAX_WAITING = 32;

/** A process that has more resident memory after a file is stopped, so that the next file has the full memory. */
const RETAINED_BYTES = 128 * MiB;

export interface LaneOptions {
  name: "quick" | "slow";
  /** memory for decoding, in bytes */
  memory: number;
  /** time limit of one task, in milliseconds */
  milliseconds: number;
  /** idle time after which the process is stopped, in milliseconds */
  idle: number;
  log: Logger;
}

export class Lane implements Disposable {
  readonly slot = new FairSemaphore(1, MAX_WAITING);
  private child: DecoderProcess | undefined;
  private idling: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(readonly options: LaneOptions) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Runs a task when its owner's turn has come. @throws BoardError 503 if too many wait; errors of `DecoderProcess` */
  async run<T extends Task>(task: T, owner: string): Promise<Results[T["is"]]> {
    const release = await this.slot.acquire(owner, 1).catch(() => {
      throw failure("overloaded");
    });
    try {
      return await this.perform(task);
    } finally {
      release();
    }
  }

  private async perform<T extends Task>(task: T): Promise<Results[T["is"]]> {
    if (this.isClosed) throw failure("overloaded");
    clearTimeout(this.idling);
    const child = await this.liveProcess();
    try {
      return await child.run(task, this.options.milliseconds);
    } catch (error) {
      if (error instanceof ProcessEnded) this.discard(child, error, task);
      throw error;
    } finally {
      if (child.resident > RETAINED_BYTES) child.end();
      if (!this.isClosed) this.idling = setTimeout(() => child.end(), this.options.idle).unref();
    }
  }

  private async liveProcess(): Promise<DecoderProcess> {
    if (this.child && !this.child.hasEnded) return this.child;
    const started = await DecoderProcess.start(this.options.memory);
    if (this.isClosed) started.end();
    return (this.child = started);
  }

  private discard(child: DecoderProcess, { reason, message }: ProcessEnded, { is, path }: Task): void {
    const { log, name } = this.options;
    if (!this.isClosed)
      log.warn({ lane: name, pid: child.pid, task: is, file: path, reason, message }, "decoder process ended");
    child.end();
    if (this.child === child) this.child = undefined;
  }

  /** Stops the process and refuses waiting callers. */
  [Symbol.dispose](): void {
    this.isClosed = true;
    clearTimeout(this.idling);
    this.child?.end();
  }
}
