/**
 * Pipelined requests, sent on one connection before the first is answered: started one after the other, each when the previous
 * response was received, and limited in number. A connection is one client: thousands of requests in a few packets
 * would occupy the whole process, and their responses its memory. Browsers, proxies and libraries don't pipeline.
 */
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/** Unanswered requests of one connection; one more closes it. */
const MOST_UNANSWERED = 16;

/** The listener, called for one request of a connection at a time, and not for requests beyond the limit. */
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
