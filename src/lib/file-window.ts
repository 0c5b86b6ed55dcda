import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Bytes read at once, so that many tiny records cost one system call together. */
const WINDOW_BYTES = 64 * 1024;

/**
 * Random reads of a few bytes from a file, to walk over the records of a container without loading it. Synchronous, for
 * processes that serve no requests.
 */
export class FileWindow implements Disposable {
  #start = 0;
  #window: Buffer = Buffer.alloc(0);

  private constructor(
    private readonly descriptor: number,
    /** size of the file, in bytes */
    readonly size: number,
  ) {}

  /** Opens a file for reading; dispose of the window to close it. */
  static open(path: string): FileWindow {
    const descriptor = openSync(path, "r");
    try {
      return new FileWindow(descriptor, fstatSync(descriptor).size);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  /** `length` bytes (at most 64 KiB) from `position` on, or null if the file is shorter. */
  bytes(position: number, length: number): Buffer | null {
    if (position < 0 || position + length > this.size) return null;
    this.#cover(position, length);
    const offset = position - this.#start;
    const found = this.#window.subarray(offset, offset + length);
    return found.length === length ? found : null;
  }

  /** The byte at `position`, or null if the file is shorter. */
  byte(position: number): number | null {
    if (position < 0 || position >= this.size) return null;
    this.#cover(position, 1);
    return this.#window[position - this.#start] ?? null;
  }

  #cover(position: number, length: number): void {
    if (position >= this.#start && position + length <= this.#start + this.#window.length) return;
    const buffer = Buffer.alloc(Math.min(WINDOW_BYTES, this.size - position));
    const bytesRead = readSync(this.descriptor, buffer, 0, buffer.length, position);
    this.#start = position;
    this.#window = buffer.subarray(0, bytesRead);
  }

  [Symbol.dispose](): void {
    closeSync(this.descriptor);
  }
}
