/**
 * Answers that were made before. What they are made of is read anew for each request; only where that is, to the letter, what
 * the last answer to the same URL was made of, the answer is the same too, and nothing of it has to be made or compressed again.
 */
import { LRUCache } from "lru-cache";
import type { ReadAnswer } from "../../rest/adapter/quick.js";
import { bytesOf } from "../lib/text.js";
import { EncodedBody } from "./encoding.js";

/** Bytes of keys, sources, and bodies with what they are compressed to. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Bytes of one key, which has a URL in it: what a visitor asks for over and over is shorter. */
const MAX_KEY_BYTES = 4096;
/** What a body is compressed to, for all encodings together, is hardly more than the body itself. */
const WITH_COMPRESSED = 2;

interface Made {
  source: string;
  body: EncodedBody;
}

export class MadeBodies {
  private readonly bodies = new LRUCache<string, Made>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ source, body }, key) => bytesOf(key) + bytesOf(source) + WITH_COMPRESSED * body.bytes.length,
  });

  /** Bytes that are remembered. */
  get size(): number {
    return this.bodies.calculatedSize;
  }

  constructor(private readonly etagOf: (body: Buffer) => string) {}

  /** The body of an answer. @param key all that it depends on beside its source @throws as `read` does */
  async body(key: string, read: () => Promise<ReadAnswer>): Promise<EncodedBody> {
    const answer = await read();
    const { source } = answer;
    const last = this.bodies.get(key);
    if (last && last.source === source) return last.body;
    const bytes = Buffer.from(await answer.text());
    const body = new EncodedBody(bytes, this.etagOf(bytes));
    if (source !== undefined && bytesOf(key) <= MAX_KEY_BYTES) this.bodies.set(key, { source, body });
    return body;
  }
}
