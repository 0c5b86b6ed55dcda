/** Disconnects clients that send or read almost nothing, and those with the most unread responses. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { getOrMake } from "../lib/get-or-make.js";

/** Bytes of a body that have to arrive in each period. */
const LEAST_BYTES = 1024;

/** Node's own response to a request that does not arrive in time. */
const TIMED_OUT = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

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
    else socket.end(TIMED_OUT, () => socket.destroy());
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

/** The unread responses of one address, the oldest first. */
class Share {
  bytes = 0;
  readonly responses = new Map<ServerResponse, number>();
}

/**
 * Responses that their clients have not read yet: each stays in memory as a whole, for as long as a client likes that reads a little
 * now and then. If all together take too much, the address with the most loses its oldest.
 */
export class UnreadResponses {
  private readonly shares = new Map<string, Share>();
  private bytes = 0;
  private count = 0;

  /** @param most bytes in all; a single response may have more */
  constructor(private readonly most: number) {}

  /** Counts a response until it has been sent. @param key of the address */
  add(key: string, response: ServerResponse, bytes: number): void {
    if (bytes <= SMALL || response.closed) return;
    const share = getOrMake(this.shares, key, () => new Share());
    share.responses.set(response, bytes);
    this.change(share, bytes, 1);
    response.once("close", () => this.remove(key, response));
    while (this.bytes > this.most && this.count > 1) this.disconnectOne();
  }

  private disconnectOne(): void {
    let [key, most] = ["", new Share()];
    for (const [each, share] of this.shares) if (share.bytes > most.bytes) [key, most] = [each, share];
    const [oldest] = most.responses.keys();
    if (!oldest) return;
    this.remove(key, oldest); // before it has closed, so that the next one is chosen correctly
    oldest.destroy();
  }

  private remove(key: string, response: ServerResponse): void {
    const share = this.shares.get(key);
    const bytes = share?.responses.get(response);
    if (!share || bytes === undefined) return;
    share.responses.delete(response);
    this.change(share, -bytes, -1);
    if (share.responses.size === 0) this.shares.delete(key);
  }

  private change(share: Share, bytes: number, count: number): void {
    share.bytes += bytes;
    this.bytes += bytes;
    this.count += count;
  }
}
