/** Pictures that differ only in a comment in their file, and a decoder that opens one of them and remembers what it made of it. */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { Decoded, DecodeRequest, Decoding } from "../../src/media/decoder/decoder.js";
import type { DerivedPaths } from "../../src/media/types.js";
import { jpeg } from "./pictures.js";

/** A picture that no seed of a test produces. */
const SEED = 1_000_000;
const MARK = "a picture for tests, number ";
const DIGITS = 10;
/** The marker of a JPEG's start, and that of a comment with its length, which includes that of the length itself. */
const START = Buffer.from("ffd8", "hex");
const COMMENT = Buffer.from([0xff, 0xfe, 0, 2 + MARK.length + DIGITS]);
const HEAD = Buffer.concat([START, COMMENT, Buffer.from(MARK)]);
/** Bytes before the picture's own. */
const PREFIX = HEAD.length + DIGITS;
/** Bytes of a larger file than any of these pictures. */
const MOST_BYTES = 1024 * 1024;

const originals = new Map<string, Promise<Buffer>>();

/** A small JPEG of these pixels, of which every number has its own file. */
export async function twin(width: number, height: number, number: number): Promise<Buffer> {
  const size = `${width}x${height}`;
  const original = originals.get(size) ?? jpeg({ width, height, seed: SEED });
  originals.set(size, original);
  const digits = Buffer.from(String(number).padStart(DIGITS, "0"));
  return Buffer.concat([HEAD, digits, (await original).subarray(START.length)]);
}

/** The part that all twins of a picture share; null for other files. */
async function keyOf({ path, bytes, limits, videos }: DecodeRequest): Promise<string | null> {
  if (bytes <= PREFIX || bytes > MOST_BYTES) return null;
  const file = await readFile(path);
  if (!file.subarray(0, HEAD.length).equals(HEAD)) return null;
  const content = createHash("sha1").update(file.subarray(PREFIX)).digest("hex");
  return JSON.stringify([content, limits, videos]);
}

const placesOf = ({ preview, sample, thumbnails }: DerivedPaths): string[] => [
  preview,
  sample,
  ...Object.values(thumbnails ?? {}),
];

/** The decoder's result, and the files that it wrote; null for the others. */
interface Remembered {
  decoded: Decoded;
  files: (Buffer | null)[];
}

/** Has each picture decoded once, and then gives its twins the same files; all other files, and those refused, are decoded each time. */
export function rememberingTwins(decoder: Decoding): Decoding {
  const remembered = new Map<string, Remembered>();

  async function decode(request: DecodeRequest): Promise<Decoded> {
    const key = await keyOf(request);
    if (key === null) return decoder.decode(request);
    const places = placesOf(request.to);
    const known = remembered.get(key);
    if (known) {
      await Promise.all(places.map(async (place, at) => known.files[at] && writeFile(place, known.files[at])));
      return structuredClone(known.decoded);
    }
    const decoded = await decoder.decode(request);
    const files = await Promise.all(places.map((place) => readFile(place).catch(() => null)));
    remembered.set(key, { decoded: structuredClone(decoded), files });
    return decoded;
  }

  return { decode, [Symbol.asyncDispose]: () => decoder[Symbol.asyncDispose]() };
}
