/**
 * What is left of a body when its request is answered: read on without being kept, since a client that is still sending reads
 * the answer only then. Past a bound the connection is closed.
 */
import type { RequestHandler } from "express";

/** Bytes of a body that are read after the answer. */
const MOST_BYTES = 512 * 1024 * 1024;

export const discardUnread: RequestHandler = (request, response, next) => {
  // before Node's own listener, which would read on without a bound
  response.prependOnceListener("finish", () => {
    if (request.complete || request.destroyed) return;
    let size = 0;
    request.unpipe();
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_BYTES) request.destroy();
    });
    request.read(0);
    request.resume();
  });
  next();
};
