import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import { failure } from "../errors.js";

/** md5 of a file's content, as 32 lower-case hexadecimal digits. */
export async function md5OfFile(path: string): Promise<string> {
  const hash = createHash("md5");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/**
 * Passes bytes through, counts them and computes their md5 on the way.
 * Fails with `body_too_large` (424) at the first byte over `limit`.
 */
export class Md5Counter extends Transform {
  readonly #hash = createHash("md5");
  #bytes = 0;
  #md5: string | null = null;

  /**
   * @param limit in bytes
   * @param onBytes called with the number of bytes received; an error from it ends the stream
   */
  constructor(
    private readonly limit: number = Number.POSITIVE_INFINITY,
    private readonly onBytes: (bytes: number) => void = () => undefined,
  ) {
    super();
  }

  /** bytes seen so far */
  get bytes(): number {
    return this.#bytes;
  }

  /** 32 lower-case hexadecimal digits; null until the end */
  get md5(): string | null {
    return this.#md5;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.limit) return done(failure("body_too_large", { limit: this.limit }));
    try {
      this.onBytes(chunk.length);
    } catch (error) {
      return done(error as Error);
    }
    this.#hash.update(chunk);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    this.#md5 = this.#hash.digest("hex");
    done();
  }
}
