/** Disconnects clients that send or read almost nothing, and those with the most unread responses. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { addTo } from "../lib/add-to.js";
import { written } from "./unparsed.js";

/** Bytes of a body that have to arrive in each period. */
const LEAST_BYTES = 1024;

/** Disconnects a request whose body has less than a kibibyte in a period. @param period in milliseconds */
export function timeoutBody(request: IncomingMessage, response: ServerResponse, period: number): void {
  const { socket } = request;
  let seen = socket.bytesRead;
  const check = () => {
    // data that has arrived and waits for us is not the client's delay
    const isStalled = socket.bytesRead - seen < LEAST_BYTES && request.readableLength === 0;
    seen = socket.bytesRead;
    if (!isStalled || request.complete || socket.destroyed) return;
    if (response.headersSent) socket.destroy();
    else socket.end(written(408), () => socket.destroy());
  };
  // after this process was halted there may be unread bytes: the next turn of the loop reads them first
  const timer = setInterval(() => setImmediate(check), period).unref();
  request.once("close", () => clearInterval(timer));
}

/** Disconnects a client that reads nothing of what is being sent for so many milliseconds. A response that was sent no longer belongs to its connection. */
export function timeoutReader({ socket }: ServerResponse, milliseconds: number): void {
  if (socket?.destroyed === false) socket.setTimeout(milliseconds);
}

/** Bytes of a response that is not counted: about as much as a connection itself may take. */
const SMALL = 65_536;

/**
 * Responses that their clients have not read yet: each stays in memory as a whole, for as long as a client likes that reads a little
 * now and then. If all together take too much, the address with the most loses its oldest.
 */
export class UnreadResponses {
  /** the oldest first */
  private readonly unread = new Map<ServerResponse, { key: string; bytes: number }>();
  private bytes = 0;

  /** @param most bytes in all; a single response may have more */
  constructor(private readonly most: number) {}

  /** Counts a response until it has been sent. @param key of the address */
  add(key: string, response: ServerResponse, bytes: number): void {
    if (bytes <= SMALL || response.closed) return;
    this.unread.set(response, { key, bytes });
    this.bytes += bytes;
    response.once("close", () => this.remove(response));
    while (this.bytes > this.most && this.unread.size > 1) this.disconnectOne();
  }

  private disconnectOne(): void {
    const sums = new Map<string, number>();
    for (const { key, bytes } of this.unread.values()) addTo(sums, key, bytes);
    const most = Math.max(...sums.values());
    for (const [response, { key }] of this.unread) {
      if (sums.get(key) !== most) continue;
      this.remove(response); // before it has closed, so that the next one is chosen correctly
      response.destroy();
      return;
    }
  }

  private remove(response: ServerResponse): void {
    this.bytes -= this.unread.get(response)?.bytes ?? 0;
    this.unread.delete(response);
  }
}
