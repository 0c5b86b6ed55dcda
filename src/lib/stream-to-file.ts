import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

type Step = NodeJS.ReadWriteStream | ((chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>);

/**
 * Streams into a file, by way of a step if there is one. When it fails, the file is closed by then, so that a caller that removes it
 * removes it for good: one that is still being opened would come into being afterwards.
 * @param signal gives up
 * @throws what broke off
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
