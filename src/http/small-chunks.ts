/**
 * Bodies in very many very small chunks (`Transfer-Encoding: chunked`), each of which costs as much as a large one: a megabyte
 * of single bytes blocks the event loop for a fifth of a second. Such bodies are refused like invalid chunks by Node itself.
 */
import type { IncomingMessage } from "node:http";

/** The number of chunks that a body may have, whatever their size. */
const MOST_SMALL = 1_000;
/** The minimum average size of the chunks of a body with more of them, in bytes. */
const LEAST_BYTES = 64;

const REFUSAL = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** Disconnects a request whose body has such chunks. To be called before its body arrives. */
export function boundChunks(request: IncomingMessage): void {
  if (request.headers["transfer-encoding"] === undefined) return;
  const push = request.push.bind(request);
  let [chunks, bytes, isRefused] = [0, 0, false];
  // called by Node's parser, once for each chunk, and with null at the end
  request.push = (chunk: Buffer | null, encoding) => {
    if (chunk === null) return push(chunk, encoding);
    chunks += 1;
    bytes += chunk.length;
    if (isRefused) return false; // for chunks that were already read
    if (chunks <= MOST_SMALL || bytes >= chunks * LEAST_BYTES) return push(chunk, encoding);
    isRefused = true;
    const { socket } = request;
    socket.end(REFUSAL, () => socket.destroy());
    return false;
  };
}
