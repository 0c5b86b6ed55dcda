/** Messages between the processes of a cluster: objects whose kind is in `is`. Libraries send messages of their own. */
import cluster, { type Worker } from "node:cluster";
import type { EventEmitter } from "node:events";
import { overloaded } from "../errors.js";

export interface Message {
  is: string;
}

/** What to do with messages, by their kinds; others are ignored. */
type Handlers<Received extends Message, From extends unknown[] = []> = {
  readonly [Kind in Received["is"]]?: (message: Extract<Received, { is: Kind }>, ...from: From) => unknown;
};

function handle(handlers: object, message: unknown, ...from: Worker[]): void {
  const { is = "" } = (message ?? {}) as Partial<Message>;
  const known = handlers as Record<string, (message: unknown, ...from: Worker[]) => unknown>;
  if (Object.hasOwn(known, is)) known[is]?.(message, ...from);
}

function listen(source: EventEmitter, listener: Parameters<EventEmitter["on"]>[1]): Disposable {
  source.on("message", listener);
  return { [Symbol.dispose]: () => void source.off("message", listener) };
}

/** Receives the messages of the primary process (`process`) or of a server process, until the result is disposed of. */
export const receive = <Received extends Message>(source: EventEmitter, handlers: Handlers<Received>): Disposable =>
  listen(source, (message: unknown) => handle(handlers, message));

/** The same of all server processes. */
export const receiveFromAll = <Received extends Message>(handlers: Handlers<Received, [Worker]>): Disposable =>
  listen(cluster, (worker: Worker, message: unknown) => handle(handlers, message, worker));

/** Sends a message to the primary process, and waits until it is sent. Does nothing if there is none any more. */
export const sendToPrimary = (message: object): Promise<void> =>
  new Promise((resolve) => {
    if (process.send && process.connected) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });

/** Sends a message to a server process, unless it has disconnected. */
export const sendToWorker = (worker: Worker, message: object): void =>
  void (worker.isConnected() && worker.send(message));

interface Request<Reply> {
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
  timeout: NodeJS.Timeout;
}

/** The requests of one kind to the primary process, each with a number, which its reply has as well. */
export class Requests<Reply> {
  readonly #waiting = new Map<number, Request<Reply>>();
  #lastId = 0;

  /** @param late the error of a request without a reply */
  constructor(private readonly late: () => Error = overloaded) {}

  /** Sends a request. @returns its reply @throws if there is none within so many milliseconds */
  ask(send: (id: number) => unknown, milliseconds: number): Promise<Reply> {
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => this.take(id)?.reject(this.late()), milliseconds);
      this.#waiting.set(id, { resolve, reject, timeout });
      send(id);
    });
  }

  /** The reply to the request will come, however late. */
  acknowledge(id: number): void {
    clearTimeout(this.#waiting.get(id)?.timeout);
  }

  /** The request to be settled with its reply; undefined if it waits no longer. */
  take(id: number): Request<Reply> | undefined {
    this.acknowledge(id);
    const request = this.#waiting.get(id);
    this.#waiting.delete(id);
    return request;
  }
}
