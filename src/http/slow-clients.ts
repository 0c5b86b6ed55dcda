/** Disconnects clients that send or read almost nothing. */
import type { Socket } from "node:net";
import type { IncomingMessage, ServerResponse } from "node:http";

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
    if (isStalled && !request.complete && !socket.destroyed) giveUp(socket, response);
  };
  // after this process was halted there may be unread bytes: the next turn of the loop reads them first
  const timer = setInterval(() => setImmediate(check), period).unref();
  request.once("close", () => clearInterval(timer));
}

function giveUp(socket: Socket, response: ServerResponse): void {
  if (response.headersSent) socket.destroy();
  else socket.end(TIMED_OUT, () => socket.destroy());
}

/** Disconnects a client that reads nothing of what is being sent for so many milliseconds. */
export function timeoutReader(socket: Socket, milliseconds: number): void {
  if (!socket.destroyed) socket.setTimeout(milliseconds);
}
