/** One process of a decoder, with its queue: one file at a time, the others in the order in which they came. */
import { failure } from "../../errors.js";
import { Semaphore } from "../../lib/semaphore.js";
import type { Logger } from "../../runtime/telemetry/log.js";
import { DecoderProcess, ProcessEnded } from "./process.js";
import type { Results, Task } from "./protocol.js";

const MiB = 1024 * 1024;

/** Files that may wait in one queue; most take a fraction of a second, the largest some seconds. */
const MAX_WAITING = 32;
const RETRY_SECONDS = 5;

/** A process that holds more than this after a file is ended: the next file has all of the memory again. */
const RETAINED_BYTES = 128 * MiB;

export interface LaneOptions {
  name: "quick" | "slow";
  /** bytes that its process may take for decoding */
  memory: number;
  /** longest time of one task, in milliseconds */
  milliseconds: number;
  /** milliseconds after which a process that has nothing to do is ended */
  idle: number;
  log: Logger;
}

export class Lane implements Disposable {
  private readonly slot = new Semaphore(1);
  private child: DecoderProcess | undefined;
  private idling: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(readonly options: LaneOptions) {}

  /** The number of its process, while it has one. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Files that wait for the one that it works on. */
  get waiting(): number {
    return this.slot.waiting;
  }

  /** @throws BoardError 503 when the queue is full */
  refuseWhenFull(): void {
    if (this.waiting >= MAX_WAITING) throw failure("overloaded", {}, { retryAfter: RETRY_SECONDS });
  }

  /** Does a task when those before it are done. @throws what `DecoderProcess` throws */
  run<T extends Task>(task: T): Promise<Results[T["is"]]> {
    return this.slot.run(() => this.perform(task));
  }

  private async perform<T extends Task>(task: T): Promise<Results[T["is"]]> {
    if (this.isClosed) throw failure("overloaded");
    clearTimeout(this.idling);
    const child = await this.usable();
    try {
      return await child.ask(task, this.options.milliseconds);
    } catch (error) {
      if (error instanceof ProcessEnded) this.replaced(child, error, task);
      throw error;
    } finally {
      if (child.resident > RETAINED_BYTES) child.end();
      if (!this.isClosed) this.idling = setTimeout(() => child.end(), this.options.idle).unref();
    }
  }

  private async usable(): Promise<DecoderProcess> {
    if (this.child && !this.child.hasEnded) return this.child;
    const started = await DecoderProcess.start(this.options.memory);
    if (this.isClosed) started.end();
    return (this.child = started);
  }

  /** The log says which process ended over what. */
  private replaced(child: DecoderProcess, { reason, message }: ProcessEnded, { is, path }: Task): void {
    const { log, name } = this.options;
    if (!this.isClosed)
      log.warn({ lane: name, pid: child.pid, task: is, file: path, reason, how: message }, "a decoder was ended");
    child.end();
    if (this.child === child) this.child = undefined;
  }

  /** Ends its process and refuses waiting callers. */
  [Symbol.dispose](): void {
    this.isClosed = true;
    clearTimeout(this.idling);
    this.child?.end();
  }
}
