/** Texts assembled from parts that many of them share, such as posts: each part is encoded and hashed once. */
import { hash as digestOf } from "node:crypto";

/** A string of ASCII characters, otherwise UTF-8: a string is copied into a response as fast, and takes no objects beside its characters. */
export type Content = string | Buffer;

export interface Piece {
  /** must not be changed */
  readonly content: Content;
  /** SHA-1 of the text, in base64 */
  readonly hash: string;
}

/** SHA-1 in base64. */
export const hashOf = (text: string): string => digestOf("sha1", text, "base64");

/** A text that is kept. Not in Node's buffer pool, all of which one text would keep alive. */
export function contentOf(text: string): Content {
  const length = Buffer.byteLength(text);
  if (length === text.length) return text;
  const bytes = Buffer.allocUnsafeSlow(length);
  bytes.write(text);
  return bytes;
}

export const pieceOf = (text: string): Piece => ({ content: contentOf(text), hash: hashOf(text) });

/** The text before, between and after the parts. */
export interface Frame {
  head: string;
  separator: string;
  tail: string;
}

export const framed = ({ head, separator, tail }: Frame, texts: readonly string[]): string =>
  `${head}${texts.join(separator)}${tail}`;

const COMMA = 0x2c;

/** Pieces, and the text around them, which is encoded for each response. */
export type Part = Piece | string;

export const framedParts = ({ head, separator, tail }: Frame, pieces: readonly Piece[]): Part[] => {
  const parts: Part[] = [head];
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) parts.push(separator);
    parts.push(piece);
  }
  parts.push(tail);
  return parts;
};

export class Pieces {
  /** in bytes */
  readonly length: number;

  constructor(private readonly parts: readonly Part[]) {
    let length = 0;
    for (const part of parts) length += typeof part === "string" ? Buffer.byteLength(part) : part.content.length;
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
      if (part === ",") {
        buffer[end] = COMMA; // between any two of them: a call for each takes longer than the byte
        end += 1;
      } else if (typeof part === "string") {
        end += buffer.write(part, end);
      } else {
        const { content } = part;
        if (typeof content === "string") buffer.write(content, end, "latin1");
        else buffer.set(content, end);
        end += content.length;
      }
    }
  }

  toString(): string {
    const buffer = Buffer.allocUnsafe(this.length);
    this.writeTo(buffer);
    return buffer.toString();
  }
}
