/**
 * Starts requests in turns, before any work is done for them. While the event loop keeps up, they start at once; if more arrive in
 * one turn of the loop than it has time for, the rest wait, and the addresses take turns (`FairQueue`): a single request waits
 * for at most one of each other address. The loop runs between slices, so database results, connections and running requests are
 * never delayed for long.
 */
import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";
import { FairQueue } from "../lib/fair-queue.js";

/** Time of one turn of the loop in which tasks may start, in milliseconds. */
const SLICE_MS = 5;

export class Turns {
  private readonly waiting = new FairQueue<() => void>();
  /** when the first task of this turn of the loop started; null if none has */
  private sliceBegan: number | null = null;

  /** @param now milliseconds of a monotonic clock */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Starts a task, now or when its turn has come. @param keyOf returns its key; called only if it has to wait */
  begin(keyOf: () => string, task: () => void): void {
    if (this.waiting.size > 0 || this.now() - this.open() >= SLICE_MS) this.waiting.push(keyOf(), task);
    else task();
  }

  /** @returns when the slice of this turn of the loop started */
  private open(): number {
    if (this.sliceBegan !== null) return this.sliceBegan;
    setImmediate(() => void this.goRound());
    return (this.sliceBegan = this.now());
  }

  /** Starts the next slice of waiting tasks in a new turn of the loop. */
  private async goRound(): Promise<void> {
    this.sliceBegan = null;
    if (this.waiting.size === 0) return;
    const began = this.open();
    do {
      this.waiting.shift()?.();
      await Promise.resolve(); // lets started tasks continue as far as they can without waiting
    } while (this.waiting.size > 0 && this.now() - began < SLICE_MS);
  }
}

/**
 * The listener, called for a request when its turn has come, unless its client has disconnected by then. The first request of
 * a connection waits one turn of the loop, which detects clients that open connections, send a request and close them at once.
 */
export function inTurns(
  turns: Turns,
  keyOf: (request: IncomingMessage) => string,
  listener: RequestListener,
): RequestListener {
  const known = new WeakSet<Socket>();
  return (request, response) => {
    const { socket } = request;
    const begin = () =>
      turns.begin(
        () => keyOf(request),
        // Node ends the connection if the client has ended its side
        () => void (!socket.destroyed && socket.writable && listener(request, response)),
      );
    if (known.has(socket)) return begin();
    known.add(socket);
    setImmediate(() => setImmediate(begin)); // between the two, the loop polls for events
  };
}

/** Unanswered requests of one connection; one more closes it. */
const MOST_UNANSWERED = 16;

/**
 * The listener, called for one request of a connection at a time, when the previous response was received, and not for requests beyond the
 * limit. A connection is one client: thousands of pipelined requests in a few packets would occupy the whole process, and their responses
 * its memory. Browsers, proxies and libraries don't pipeline.
 */
export function boundPipelining(listener: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? [];
    // the parser continues with what it has read, although the connection is closed
    if (socket.destroyed || line.length >= MOST_UNANSWERED) {
      socket.destroy();
      return;
    }
    lines.set(socket, line);
    line.push(() => listener(request, response));
    response.on("close", () => {
      line.shift();
      if (!socket.destroyed) line[0]?.();
    });
    if (line.length === 1) line[0]?.();
  };
}
