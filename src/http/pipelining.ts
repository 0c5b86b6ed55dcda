/**
 * Requests that follow each other on one connection before the first is answered: begun one after the other, each when the one
 * before it is answered and its answer was taken, and bounded. A connection is one client: thousands of requests in a few packets
 * would be all that this process works on, and their answers wait in memory. Browsers, proxies and libraries send one after the other.
 */
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/** Unanswered requests of one connection; with another one it is closed. */
const MOST_UNANSWERED = 16;

/** The listener, called for one request of a connection at a time, and not for what comes past the bound. */
export function boundPipelining(listener: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? [];
    // the parser goes on through what it has read, although the connection is closed
    if (socket.destroyed || line.length >= MOST_UNANSWERED) {
      socket.destroy();
      return;
    }
    lines.set(socket, line);
    line.push(() => listener(request, response));
    response.once("close", () => {
      line.shift();
      if (!socket.destroyed) line[0]?.();
    });
    if (line.length === 1) line[0]?.();
  };
}
