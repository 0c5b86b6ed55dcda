/**
 * Requests that follow each other on one connection before the first is answered, bounded: a connection is one client, and
 * thousands of requests in a few packets would be all that this process works on. Browsers, proxies and libraries send one
 * after the other.
 */
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/** Unanswered requests of one connection; with another one it is closed. */
const MOST_UNANSWERED = 16;

/** The listener, which is not called for what comes past the bound. */
export function boundPipelining(listener: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const count = (unanswered.get(socket) ?? 0) + 1;
    // the parser goes on through what it has read, although the connection is closed
    if (socket.destroyed || count > MOST_UNANSWERED) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, count);
    response.once("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    listener(request, response);
  };
}
