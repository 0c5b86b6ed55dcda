/** Texts assembled from parts that many of them share, such as posts: each part is encoded and hashed once. */
import { hash as digestOf } from "node:crypto";

export interface Piece {
  /** in UTF-8; must not be changed */
  readonly bytes: Buffer;
  /** SHA-1 of the bytes, in base64 */
  readonly hash: string;
}

const hashOf = (content: string | Buffer): string => digestOf("sha1", content, "base64");

/** Has memory of its own: a part in Node's buffer pool would keep the whole pool alive. */
export function pieceOf(text: string): Piece {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
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

export class Pieces {
  readonly length: number;
  private readonly head: Buffer;
  private readonly separator: Buffer;
  private readonly tail: Buffer;

  constructor(
    private readonly parts: readonly Piece[],
    { head, separator, tail }: Frame,
  ) {
    [this.head, this.separator, this.tail] = [head, separator, tail].map((text) => Buffer.from(text)) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    const between = this.separator.length * Math.max(0, parts.length - 1);
    this.length = parts.reduce((sum, { bytes }) => sum + bytes.length, this.head.length + between + this.tail.length);
  }

  /** A hash of the parts and the text around them. */
  get hash(): string {
    const { head, separator, tail } = this;
    return hashOf(
      `${this.parts.map(({ hash }) => hash).join("")}${head.toString()}\0${separator.toString()}\0${tail.toString()}`,
    );
  }

  /** Writes the text to the start of a buffer that is large enough. */
  writeTo(buffer: Buffer): void {
    buffer.set(this.head);
    let end = this.head.length;
    for (const [index, { bytes }] of this.parts.entries()) {
      if (index > 0) {
        buffer.set(this.separator, end);
        end += this.separator.length;
      }
      buffer.set(bytes, end);
      end += bytes.length;
    }
    buffer.set(this.tail, end);
  }
}
