/** Files of a request, which are removed when it ends, however it ends. */
import type { Readable } from "node:stream";
import type { ServerResponse } from "node:http";
import type { Board } from "../board.js";
import { failure } from "../errors.js";
import type { Sender } from "../runtime/limits/bytes-in-flight.js";
import type { ReceivedFile } from "../resources/uploads/media-ingest.js";

/**
 * Receives files into temporary files, which are removed when the response has ended.
 * @throws BoardError 424 if it has ended already: the client disconnected while it was authenticated
 */
export function fileReceiver(
  board: Board,
  response: ServerResponse,
): (stream: Readable, sender: Sender) => Promise<ReceivedFile> {
  const received: Promise<ReceivedFile>[] = [];
  response.once("close", () => void Promise.allSettled(received.map(async (file) => (await file).remove())));
  return (stream, sender) => {
    if (response.closed) throw failure("malformed_body");
    const file = board.ingest.spool(stream, sender);
    received.push(file);
    return file;
  };
}
