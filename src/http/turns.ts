/**
 * Starts requests in turns, before any work is done for them. While the event loop keeps up, they start at once; if more arrive in
 * one turn of the loop than it has time for, the rest wait, and the addresses take turns (`FairQueue`): a single request waits
 * for at most one of each other address. The loop runs between slices, so database results, connections and running requests are
 * never delayed for long.
 */
import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";
import { FairQueue } from "../lib/fair-queue.js";

/** Time of one turn of the loop in which something may begin, in milliseconds. */
const SLICE_MS = 5;

export class Turns {
  private readonly waiting = new FairQueue<() => void>();
  /** when what began in this turn of the loop began; null while nothing has */
  private sliceBegan: number | null = null;

  /** @param now milliseconds of a clock that never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Begins a task, now or when the turn has come. @param keyOf says whose it is; asked only if it has to wait */
  begin(keyOf: () => string, task: () => void): void {
    if (this.waiting.size > 0 || !this.hasTime()) this.waiting.push(keyOf(), task);
    else task();
  }

  private hasTime(): boolean {
    return this.now() - this.open() < SLICE_MS;
  }

  /** @returns when the slice of this turn of the loop began */
  private open(): number {
    if (this.sliceBegan !== null) return this.sliceBegan;
    setImmediate(() => void this.goRound());
    return (this.sliceBegan = this.now());
  }

  /** The loop has gone round: what waits has the next slice. */
  private async goRound(): Promise<void> {
    this.sliceBegan = null;
    if (this.waiting.size === 0) return;
    const began = this.open();
    do {
      this.waiting.shift()?.();
      await Promise.resolve(); // what was begun goes on as far as it can without waiting
    } while (this.waiting.size > 0 && this.now() - began < SLICE_MS);
  }
}

/**
 * The listener, called for a request when its turn has come, unless its client has gone by then. The first one of a connection waits
 * for the loop to go round, since by then a client is seen to have gone that opens connections, asks, and closes them at once.
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
        () => void (isThere(socket) && listener(request, response)),
      );
    if (known.has(socket)) return begin();
    known.add(socket);
    setImmediate(() => setImmediate(begin)); // between the two the loop looks what has come
  };
}

/** Whether an answer can be sent: Node ends the connection where the client has ended its side. */
const isThere = ({ destroyed, writable }: Socket): boolean => !destroyed && writable;
