/** Compression of bodies that are sent to many, each made once; of everything else `compression` takes care, by the same rules. */
import { promisify } from "node:util";
import { brotliCompress, constants, deflate, gzip } from "node:zlib";
import Negotiator from "negotiator";

const brotli = promisify(brotliCompress);
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const ENCODERS = {
  br: (bytes: Buffer) => brotli(bytes, QUALITY),
  gzip: promisify(gzip) as (bytes: Buffer) => Promise<Buffer>,
  deflate: promisify(deflate) as (bytes: Buffer) => Promise<Buffer>,
};

export type Encoding = keyof typeof ENCODERS;

/** Bytes below which a body is sent as it is. */
const LEAST_BYTES = 1024;

/** What the library's types don't tell of. */
interface Preferring {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
}

/** The encoding that a client prefers; of what it likes alike, Brotli, then gzip. Null for none. */
export function preferredEncoding(acceptEncoding: string | undefined): Encoding | null {
  if (acceptEncoding === undefined || acceptEncoding === "") return null;
  const negotiator: Preferring = new Negotiator({ headers: { "accept-encoding": acceptEncoding } });
  const chosen = negotiator.encoding(["br", "gzip", "deflate", "identity"], { preferred: ["br", "gzip"] });
  return chosen !== undefined && Object.hasOwn(ENCODERS, chosen) ? (chosen as Encoding) : null;
}

/** A body and what it is compressed to, made when the first one asks for it. */
export class EncodedBody {
  private readonly encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(
    readonly bytes: Buffer,
    readonly etag: string,
  ) {}

  /** @returns the bytes to send, and how they are encoded */
  async in(encoding: Encoding | null): Promise<{ bytes: Buffer; encoding: Encoding | null }> {
    if (encoding === null || this.bytes.length < LEAST_BYTES) return { bytes: this.bytes, encoding: null };
    const bytes = this.encoded.get(encoding) ?? ENCODERS[encoding](this.bytes);
    this.encoded.set(encoding, bytes);
    return { bytes: await bytes, encoding };
  }
}
