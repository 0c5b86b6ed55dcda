/** Content encodings. Bodies sent to many clients are compressed once for each encoding. */
import { promisify } from "node:util";
import { brotliCompress, constants, deflate, gzip } from "node:zlib";
import Negotiator from "negotiator";
import { andThen, type MaybePromise } from "../lib/maybe-promise.js";
import type { Pieces } from "../lib/pieces.js";
import { getOrMake } from "../lib/get-or-make.js";

const brotli = promisify(brotliCompress);
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const ENCODERS = {
  br: (bytes: Buffer) => brotli(bytes, QUALITY),
  gzip: promisify(gzip) as (bytes: Buffer) => Promise<Buffer>,
  deflate: promisify(deflate) as (bytes: Buffer) => Promise<Buffer>,
};

export type Encoding = keyof typeof ENCODERS;

/** Bytes below which a body is sent uncompressed. */
const LEAST_BYTES = 1024;

/** Missing from the library's types. */
interface Preferring {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
}

/** The encoding that a client prefers; of equal ones Brotli, then gzip. Null for none. */
function preferredEncoding(acceptEncoding: string | undefined): Encoding | null {
  if (acceptEncoding === undefined || acceptEncoding === "") return null;
  const negotiator: Preferring = new Negotiator({ headers: { "accept-encoding": acceptEncoding } });
  const chosen = negotiator.encoding(["br", "gzip", "deflate", "identity"], { preferred: ["br", "gzip"] });
  return chosen !== undefined && Object.hasOwn(ENCODERS, chosen) ? (chosen as Encoding) : null;
}

export interface Encoded {
  content: Buffer;
  encoding: Encoding | null;
  /** to be called when the content was sent */
  release?: () => void;
}

export interface Body {
  /** its ETag, whatever the encoding */
  readonly etag: string;
  /** Without a promise if nothing has to be compressed. @param acceptEncoding header of the request */
  in(acceptEncoding: string | undefined): MaybePromise<Encoded>;
}

/** A body and its compressed forms, each created on first use. */
export class EncodedBody implements Body {
  private readonly encoded = new Map<Encoding, Promise<Buffer>>();

  /** @param isCompressible false for content that is compressed already, such as pictures */
  constructor(
    private readonly bytes: Buffer,
    readonly etag: string,
    private readonly isCompressible = true,
  ) {}

  async in(acceptEncoding: string | undefined): Promise<Encoded> {
    const isWorthIt = this.isCompressible && this.bytes.length >= LEAST_BYTES;
    const encoding = isWorthIt ? preferredEncoding(acceptEncoding) : null;
    if (encoding === null) return { content: this.bytes, encoding };
    const content = await getOrMake(this.encoded, encoding, () => ENCODERS[encoding](this.bytes));
    return { content, encoding };
  }
}

/** A body assembled for one response. */
export class PiecedBody implements Body {
  readonly etag: string;

  constructor(private readonly pieces: Pieces) {
    this.etag = `W/"${pieces.length.toString(16)}-${pieces.hash}"`;
  }

  in(acceptEncoding: string | undefined): MaybePromise<Encoded> {
    const { pieces } = this;
    const bytes = takeBuffer(pieces.length);
    pieces.writeTo(bytes);
    const encoding = bytes.length >= LEAST_BYTES ? preferredEncoding(acceptEncoding) : null;
    if (encoding === null) return { content: bytes, encoding, release: () => giveBuffer(bytes) };
    return ENCODERS[encoding](bytes).then((content) => {
      giveBuffer(bytes);
      return { content, encoding };
    });
  }
}

/** A body that was compressed beforehand, in some encodings. */
export class PackedBody implements Body {
  /** @param whole its bytes, made once a client needs them uncompressed */
  constructor(
    private readonly whole: () => MaybePromise<Buffer>,
    private readonly packed: Readonly<Partial<Record<Encoding, Buffer>>>,
    readonly etag: string,
  ) {}

  in(acceptEncoding = ""): MaybePromise<Encoded> {
    const available = [...Object.keys(this.packed), "identity"];
    const [first] = new Negotiator({ headers: { "accept-encoding": acceptEncoding } }).encodings(available);
    const packed = this.packed[first as Encoding];
    if (packed) return { content: packed, encoding: first as Encoding };
    return andThen(this.whole(), (content) => ({ content, encoding: null }));
  }
}

/** Bytes of each buffer: a page of posts. Larger ones are allocated. */
const SIZE = 65_536;
/** How many unused buffers are kept. */
const MOST = 64;

/** Reused memory for assembled responses: allocating and collecting a buffer for each takes longer than filling it. */
const free: Buffer[] = [];

/** A buffer of this many bytes, with arbitrary content. */
const takeBuffer = (bytes: number): Buffer =>
  bytes > SIZE ? Buffer.allocUnsafe(bytes) : (free.pop() ?? Buffer.allocUnsafeSlow(SIZE)).subarray(0, bytes);

/** Returns a buffer of `takeBuffer` that is no longer read. */
function giveBuffer({ buffer, length }: Buffer): void {
  if (length <= SIZE && free.length < MOST) free.push(Buffer.from(buffer, 0, SIZE));
}
