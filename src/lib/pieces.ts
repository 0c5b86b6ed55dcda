/** Texts assembled from parts that many of them share, such as posts: each part is encoded and hashed once. */
import { hash as digestOf } from "node:crypto";

export interface Piece {
  /** in UTF-8; must not be changed */
  readonly bytes: Buffer;
  /** SHA-1 of the bytes, in base64 */
  readonly hash: string;
}

/** SHA-1 in base64. */
export const hashOf = (content: string | Buffer): string => digestOf("sha1", content, "base64");

/** Encodes a text that is kept: one in Node's buffer pool would keep the whole pool alive. */
export function encoded(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

export function pieceOf(text: string): Piece {
  const bytes = encoded(text);
  return { bytes, hash: hashOf(bytes) };
}

/** The text before, between and after the parts. */
export interface Frame {
  head: string;
  separator: string;
  tail: string;
}

/** The assembled text. */
export const framed = ({ head, separator, tail }: Frame, texts: readonly string[]): string =>
  `${head}${texts.join(separator)}${tail}`;

/** Pieces, and the text around them, which is encoded for each response. */
export type Part = Piece | string;

/** The parts of a text that is framed. */
export const framedParts = ({ head, separator, tail }: Frame, pieces: readonly Piece[]): Part[] => {
  const parts: Part[] = [head];
  for (const [index, piece] of pieces.entries()) parts.push(...(index > 0 ? [separator, piece] : [piece]));
  parts.push(tail);
  return parts;
};

export class Pieces {
  /** in bytes */
  readonly length: number;

  constructor(private readonly parts: readonly Part[]) {
    let length = 0;
    for (const part of parts) length += typeof part === "string" ? Buffer.byteLength(part) : part.bytes.length;
    this.length = length;
  }

  /** A hash of the pieces and the text around them, which JSON and XML write without the separator used here. */
  get hash(): string {
    return hashOf(this.parts.map((part) => (typeof part === "string" ? part : part.hash)).join("\0"));
  }

  /** Writes the text to the start of a buffer that is large enough. */
  writeTo(buffer: Buffer): void {
    let end = 0;
    for (const part of this.parts) {
      if (typeof part === "string") {
        end += buffer.write(part, end);
      } else {
        buffer.set(part.bytes, end);
        end += part.bytes.length;
      }
    }
  }

  toString(): string {
    const buffer = Buffer.allocUnsafe(this.length);
    this.writeTo(buffer);
    return buffer.toString();
  }
}
