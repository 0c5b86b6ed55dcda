/** Files of a request, which are removed when it has been handled, however that ends. */
import type { Readable } from "node:stream";
import type { Board } from "../board.js";
import type { Sender } from "../runtime/limits/bytes-in-flight.js";
import type { ReceivedFile } from "../resources/uploads/media-ingest.js";

/** Keeps them also if the client disconnects meanwhile, since a write that has begun is completed. */
export class IncomingFiles implements AsyncDisposable {
  private readonly received: Promise<ReceivedFile>[] = [];

  constructor(private readonly board: Board) {}

  /** Receives a temporary file. @throws errors of `MediaIngest.spool` */
  receive(stream: Readable, sender: Sender): Promise<ReceivedFile> {
    const file = this.board.ingest.spool(stream, sender);
    this.received.push(file);
    return file;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.received.map(async (file) => (await file).remove()));
  }
}
