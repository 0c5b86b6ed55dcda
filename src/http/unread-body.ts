/**
 * The rest of a body when its request is answered: read and discarded, since a client that is still sending reads
 * the response only then. Beyond a limit the connection is closed.
 */
import type { IncomingMessage, ServerResponse } from "node:http";

/** Bytes of a body that are read after the response. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Bytes that are read without pause; the rest is read in parts with a pause after each. */
const BYTES_AT_ONCE = 1024 * 1024;
const PAUSE_MS = 5;

/** To be called before the response is sent. */
export function discardUnread(request: IncomingMessage, response: ServerResponse): void {
  // before Node's own listener, which would read on without a limit
  response.prependOnceListener("finish", () => {
    if (request.complete || request.destroyed) return;
    let size = 0;
    request.unpipe();
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_BYTES) request.destroy();
      else if (size > BYTES_AT_ONCE) {
        request.pause();
        setTimeout(() => request.resume(), PAUSE_MS);
      }
    });
    request.read(0);
    request.resume();
  });
}
