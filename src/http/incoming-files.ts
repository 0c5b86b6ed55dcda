/** Files that come with a request: whatever becomes of it, what it brought along is not left lying about. */
import type { Readable } from "node:stream";
import type { ServerResponse } from "node:http";
import type { Board } from "../board.js";
import type { Sender } from "../runtime/limits/bytes-in-flight.js";
import type { Spooled } from "../resources/uploads/media-intake.js";

/** Receives files into temporary ones, which are removed when the response is over. */
export function fileReceiver(
  board: Board,
  response: ServerResponse,
): (stream: Readable, sender: Sender) => Promise<Spooled> {
  const received: Promise<Spooled>[] = [];
  response.once("close", () => void Promise.allSettled(received.map(async (file) => (await file).remove())));
  return (stream, sender) => {
    const file = board.intake.spool(stream, sender);
    received.push(file);
    return file;
  };
}
