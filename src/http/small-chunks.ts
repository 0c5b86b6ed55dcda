/**
 * Bodies in very many very small chunks (`Transfer-Encoding: chunked`), each of which costs as much as a large one: a megabyte by the
 * byte holds the event loop for a fifth of a second. Who sends one is refused, as by Node itself where chunks are none.
 */
import type { IncomingMessage } from "node:http";

/** So many chunks a body may have, whatever their size. */
const MOST_SMALL = 1_000;
/** Bytes that those of a body with more of them have at least, on average. */
const LEAST_BYTES = 64;

const REFUSAL = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** Ends the connection of a request whose body comes in such chunks. To be called before its body arrives. */
export function boundChunks(request: IncomingMessage): void {
  if (request.headers["transfer-encoding"] === undefined) return;
  const push = request.push.bind(request);
  let [chunks, bytes, isRefused] = [0, 0, false];
  // by Node's parser, once for each chunk, and for the end with null
  request.push = (chunk: Buffer | null, encoding) => {
    if (chunk === null) return push(chunk, encoding);
    chunks += 1;
    bytes += chunk.length;
    if (isRefused) return false; // those that were read already
    if (chunks <= MOST_SMALL || bytes >= chunks * LEAST_BYTES) return push(chunk, encoding);
    isRefused = true;
    const { socket } = request;
    socket.end(REFUSAL, () => socket.destroy());
    return false;
  };
}
