import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

type Step = NodeJS.ReadWriteStream | ((chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>);

/**
 * Streams into a file, optionally through a transform. On failure it is closed before this throws, so that a caller can remove
 * it: a file that is still being opened would be created afterwards.
 * @param signal aborts it
 * @throws the error of the stream
 */
export async function streamToFile(source: Readable, path: string, step?: Step, signal?: AbortSignal): Promise<void> {
  const file = createWriteStream(path);
  try {
    const options = signal ? { signal } : {};
    await (step ? pipeline(source, step as NodeJS.ReadWriteStream, file, options) : pipeline(source, file, options));
  } catch (error) {
    if (!file.closed) await once(file.destroy(), "close");
    throw error;
  }
}
