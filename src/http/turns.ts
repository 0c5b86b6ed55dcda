/**
 * What clients ask is begun in turns, before anything is done for it. While the event loop keeps up it begins at once; where more
 * arrives in one turn of the loop than its time allows, the rest waits, and the addresses take turns (`FairQueue`), so that
 * whoever sends one request waits for one of each other address and not for all of them. Between two slices of time the loop
 * goes round: answers of the database, connections and what else is under way are never held up for long.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { FairQueue } from "../lib/fair-queue.js";

/** Time of one turn of the loop in which something may begin, in milliseconds. */
const SLICE_MS = 5;

export class Turns {
  private readonly waiting = new FairQueue<() => void>();
  /** when what began in this turn of the loop began; null while nothing has */
  private sliceBegan: number | null = null;
  private isConnecting = false;
  /** when the last slice ended, and how long it took */
  private ended = 0;
  private took = 0;

  /** @param now milliseconds of a clock that never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Begins a task, now or when the turn has come. @param keyOf says whose it is; asked only if it has to wait */
  begin(keyOf: () => string, task: () => void): void {
    if (this.waiting.size > 0 || this.isConnecting || !this.hasTime()) this.waiting.push(keyOf(), task);
    else task();
  }

  /**
   * A connection has come. Node takes one in each turn of the loop while others wait for theirs, in the order in which they came: turns
   * are short then, of one task each, and half of the time is for connections.
   */
  connected(): void {
    this.isConnecting = true;
    this.open();
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
    const { isConnecting } = this;
    this.isConnecting = false;
    this.sliceBegan = null;
    if (this.waiting.size === 0) return;
    const began = this.open();
    const idle = began - this.ended;
    if (isConnecting && idle < this.took) return;
    const slice = isConnecting ? Math.min(idle, SLICE_MS) : SLICE_MS;
    do {
      this.waiting.shift()?.();
      await Promise.resolve(); // what was begun goes on as far as it can without waiting
    } while (this.waiting.size > 0 && this.now() - began < slice);
    this.ended = this.now();
    this.took = this.ended - began;
  }
}

/** The listener, called for a request when its turn has come. */
export const inTurns =
  (turns: Turns, keyOf: (request: IncomingMessage) => string, listener: RequestListener): RequestListener =>
  (request: IncomingMessage, response: ServerResponse & { req: IncomingMessage }) =>
    turns.begin(
      () => keyOf(request),
      () => {
        if (!request.socket.destroyed) listener(request, response); // its client may have gone meanwhile
      },
    );
