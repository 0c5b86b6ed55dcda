import { open, type FileHandle } from "node:fs/promises";

/** Bytes read at once: a walk over many tiny records costs one system call for each of these, not one for each record. */
const WINDOW_BYTES = 64 * 1024;

/** Random reads of a few bytes from a file, for walking over the records of a container without loading it. */
export class FileWindow implements AsyncDisposable {
  #start = 0;
  #window: Buffer = Buffer.alloc(0);

  private constructor(
    private readonly handle: FileHandle,
    /** size of the file, in bytes */
    readonly size: number,
  ) {}

  /** Opens a file for reading; dispose of the window to close it. */
  static async open(path: string): Promise<FileWindow> {
    const handle = await open(path, "r");
    try {
      return new FileWindow(handle, (await handle.stat()).size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** `length` bytes (at most 64 KiB) from `position` on, or null when the file ends before. */
  async bytes(position: number, length: number): Promise<Buffer | null> {
    if (position < 0 || position + length > this.size) return null;
    const inside = position >= this.#start && position + length <= this.#start + this.#window.length;
    if (!inside) await this.#load(position);
    const offset = position - this.#start;
    const found = this.#window.subarray(offset, offset + length);
    return found.length === length ? found : null;
  }

  async #load(position: number): Promise<void> {
    const buffer = Buffer.alloc(Math.min(WINDOW_BYTES, this.size - position));
    const { bytesRead } = await this.handle.read(buffer, 0, buffer.length, position);
    this.#start = position;
    this.#window = buffer.subarray(0, bytesRead);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.handle.close();
  }
}
