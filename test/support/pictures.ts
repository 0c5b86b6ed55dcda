/** Pictures made on the spot: small, different for each seed, and the same in every run. */
import { crc32, constants, deflateRawSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";

export interface PictureOptions {
  /** pixels */
  width?: number;
  height?: number;
  /** another seed, another picture, and so another md5 */
  seed?: number;
}

export interface AnimationOptions extends PictureOptions {
  frames?: number;
  /** how long each frame is shown, in milliseconds */
  delay?: number;
}

/** Park and Miller's generator: bytes that are the same on every machine. */
function noise(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = (seed * 7919 + 1) % 2147483647;
  for (let at = 0; at < length; at += 1) {
    state = (state * 16807) % 2147483647;
    bytes[at] = state & 0xff;
  }
  return bytes;
}

/** A picture of coarse noise, ready to be written in any format. */
export function picture({ width = 64, height = 48, seed = 1 }: PictureOptions = {}): Sharp {
  const raw = { width: 8, height: 8, channels: 3 } as const;
  return sharp(noise(8 * 8 * 3, seed), { raw }).resize(width, height, { fit: "fill", kernel: "nearest" });
}

function animation({ width = 32, height = 24, seed = 1, frames = 3 }: AnimationOptions): Sharp {
  const raw = { width, height: height * frames, channels: 3, pageHeight: height } as const;
  return sharp(noise(width * height * frames * 3, seed), { raw });
}

const delays = ({ frames = 3, delay = 100 }: AnimationOptions): number[] => Array<number>(frames).fill(delay);

export const jpeg = (options: PictureOptions = {}): Promise<Buffer> => picture(options).jpeg().toBuffer();
export const png = (options: PictureOptions = {}): Promise<Buffer> => picture(options).png().toBuffer();
export const avif = (options: PictureOptions = {}): Promise<Buffer> => picture(options).avif({ effort: 0 }).toBuffer();

/** A GIF, still by default. */
export async function gif(options: AnimationOptions = {}): Promise<Buffer> {
  if ((options.frames ?? 1) === 1) return picture(options).gif().toBuffer();
  return animation(options)
    .gif({ delay: delays(options), loop: 0 })
    .toBuffer();
}

/** A WebP, still by default. */
export async function webp(options: AnimationOptions = {}): Promise<Buffer> {
  if ((options.frames ?? 1) === 1) return picture(options).webp().toBuffer();
  return animation(options)
    .webp({ delay: delays(options), loop: 0 })
    .toBuffer();
}

/** An AVIF of so many pictures, which share the data of one. */
export async function manyPicturesAvif(size: PictureOptions, pictures: number): Promise<Buffer> {
  const one = await avif(size);
  const number = (value: number, bytes: number) => Buffer.from(value.toString(16).padStart(2 * bytes, "0"), "hex");
  const box = (type: string, ...content: Buffer[]) => {
    const bytes = Buffer.concat(content);
    return Buffer.concat([number(bytes.length + 8, 4), Buffer.from(type), bytes]);
  };
  const boxOf = (type: string) => {
    const start = one.indexOf(type, 0, "latin1") - 4;
    return one.subarray(start, start + one.readUInt32BE(start));
  };
  const each = (make: (id: Buffer) => Buffer) =>
    Array.from({ length: pictures }, (_, index) => make(number(index + 1, 2)));
  const properties = boxOf("ipma").subarray(18); // of the only picture, after its id
  const [head, data] = [boxOf("ftyp"), boxOf("mdat")];
  const place = (start: number) =>
    Buffer.concat([number(0, 2), number(start, 4), number(1, 2), number(0, 4), number(data.length - 8, 4)]);
  const meta = (start: number) =>
    box(
      "meta",
      number(0, 4),
      boxOf("hdlr"),
      boxOf("pitm"),
      box(
        "iloc",
        Buffer.from("000000004440", "hex"),
        number(pictures, 2),
        ...each((id) => Buffer.concat([id, place(start)])),
      ),
      box(
        "iinf",
        number(0, 4),
        number(pictures, 2),
        ...each((id) => box("infe", number(2 << 24, 4), id, number(0, 2), Buffer.from("av01\0"))),
      ),
      box(
        "iprp",
        boxOf("ipco"),
        box("ipma", number(0, 4), number(pictures, 4), ...each((id) => Buffer.concat([id, properties]))),
      ),
    );
  return Buffer.concat([head, meta(head.length + meta(0).length + 8), data]);
}

/** A progressive JPEG with so many scans more than usual, of some dozen bytes each, which refine a coefficient of all blocks by nothing. */
export async function manyScansJpeg(size: PictureOptions, scans: number): Promise<Buffer> {
  const whole = await picture(size).jpeg({ progressive: true }).toBuffer();
  const scanAt = (from: number) => whole.indexOf("ffda", from, "hex");
  const first = scanAt(0); // of the lowest frequency of all colours
  const begin = whole.subarray(0, whole.indexOf("ffc4", first, "hex")); // up to the table of the next one
  const [component, blocks] = [1, Math.ceil((size.width ?? 64) / 8) * Math.ceil((size.height ?? 48) / 8)];
  const table = Buffer.from(`ffc4001410${"01".padEnd(32, "0")}e0`, "hex"); // one code, a bit: so many blocks without a value
  const runs = "0".padEnd(15, "1").repeat(Math.ceil(blocks / 32_767));
  const bytes = (runs.padEnd(Math.ceil(runs.length / 8) * 8, "1").match(/.{8}/g) ?? []).map((bits) =>
    parseInt(bits, 2),
  );
  const data = Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])));
  const added = Array.from({ length: scans }, (_, index) => {
    const [coefficient, low] = [1 + Math.floor(index / 14), 13 - (index % 14)];
    const steps = ((low === 13 ? 0 : low + 1) << 4) | low;
    return Buffer.concat([Buffer.from([0xff, 0xda, 0, 8, 1, component, 0, coefficient, coefficient, steps]), data]);
  });
  return Buffer.concat([begin, table, ...added, Buffer.from("ffd9", "hex")]);
}

/** One chunk of a WebP, with its length. */
function webpChunk(type: string, content: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** A WebP of frames in one colour, some dozens of bytes each whatever their size. @param damaged frame whose pixels are foreign bytes */
export async function webpBomb(width: number, height: number, frames: number, damaged?: number): Promise<Buffer> {
  const one = await sharp({ create: { width, height, channels: 3, background: "#336699" } })
    .webp({ lossless: true, effort: 0 })
    .toBuffer();
  const pixels = one.subarray(12); // after the header of the file: a chunk
  const foreign = Buffer.from(pixels).fill(0x5a, 14);
  const size = Buffer.alloc(6);
  size.writeUIntLE(width - 1, 0, 3);
  size.writeUIntLE(height - 1, 3, 3);
  const before = Buffer.concat([Buffer.alloc(6), size, Buffer.from([100, 0, 0, 2])]);
  const content = Array.from({ length: frames }, (_, index) =>
    webpChunk("ANMF", Buffer.concat([before, index === damaged ? foreign : pixels])),
  );
  const head = webpChunk("VP8X", Buffer.concat([Buffer.from([2, 0, 0, 0]), size]));
  const parts = [Buffer.from("WEBP"), head, webpChunk("ANIM", Buffer.alloc(6)), ...content];
  return webpChunk("RIFF", Buffer.concat(parts));
}

/** The beginning of a file, as a broken connection leaves it. */
export const truncated = (file: Buffer, part = 0.6): Buffer => file.subarray(0, Math.floor(file.length * part));

/** One chunk of a PNG, with its length and checksum. */
export function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const HEADER_END = PNG_SIGNATURE.length + 25;

/** Bits of a channel, PNG's number of the kind of colours, and whether it is interlaced. */
interface PngForm {
  depth: number;
  colors: number;
  isInterlaced: boolean;
}

const BLACK_AND_WHITE: PngForm = { depth: 1, colors: 0, isInterlaced: false };
/** Eight bytes for each pixel, of which all are kept until the last one is read. */
export const DEEP_INTERLACED: PngForm = { depth: 16, colors: 6, isInterlaced: true };

function pngHeader(width: number, height: number, { depth, colors, isInterlaced }: PngForm): Buffer {
  const content = Buffer.alloc(13);
  content.writeUInt32BE(width, 0);
  content.writeUInt32BE(height, 4);
  content[8] = depth;
  content[9] = colors;
  content[12] = isInterlaced ? 1 : 0;
  return pngChunk("IHDR", content);
}

/** First column and row of each pass of an interlaced picture, and the steps between them. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Bytes of the unpacked picture: each row has one for its filter. */
function pngBytes(width: number, height: number, { depth, colors, isInterlaced }: PngForm): number {
  const bits = depth * (colors === 6 ? 4 : 1);
  const rows = (columns: number, count: number) => (columns > 0 ? count * (1 + Math.ceil((columns * bits) / 8)) : 0);
  if (!isInterlaced) return rows(width, height);
  return PASSES.reduce((sum, [x, y, stepX, stepY]) => {
    return sum + rows(Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY));
  }, 0);
}

/** A zlib stream of so many zero bytes, in about a thousandth of their number: one packed mebibyte, many times over. */
function packedZeros(bytes: number): Buffer {
  const block = 1024 * 1024;
  const pack = (length: number) =>
    deflateRawSync(Buffer.alloc(length), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const whole = Array<Buffer>(Math.floor(bytes / block)).fill(pack(block));
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE((bytes % 65521) * 65536 + 1); // Adler-32 of zeros
  return Buffer.concat([
    Buffer.from("78da", "hex"),
    ...whole,
    pack(bytes % block),
    Buffer.from("0300", "hex"),
    checksum,
  ]);
}

/** A valid PNG of so many pixels, all black: 30000x30000 of them take 110 KB and would take 900 MB when decoded. */
export function pngBomb(width = 30_000, height = 30_000, form = BLACK_AND_WHITE): Buffer {
  const data = pngChunk("IDAT", packedZeros(pngBytes(width, height, form)));
  return Buffer.concat([PNG_SIGNATURE, pngHeader(width, height, form), data, pngChunk("IEND", Buffer.alloc(0))]);
}

/** A valid GIF with a comment of so many blocks of one byte each: the most records that a file of its size can have. */
export async function tinyBlocksGif(blocks: number, options: PictureOptions = {}): Promise<Buffer> {
  const whole = await gif({ width: 2, height: 2, ...options });
  const flags = whole[10] ?? 0;
  const start = 13 + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  const comment = Buffer.alloc(blocks * 2, Buffer.from([1, 65]));
  return Buffer.concat([
    whole.subarray(0, start),
    Buffer.from([0x21, 0xfe]),
    comment,
    Buffer.from([0]),
    whole.subarray(start),
  ]);
}

/** An animated PNG: the still one with the chunks that announce frames. The frames themselves are empty. */
export async function apng({ frames = 3, delay = 100, ...options }: AnimationOptions = {}): Promise<Buffer> {
  const still = await png(options);
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames);
  const frame = Buffer.alloc(26);
  frame.writeUInt16BE(delay, 20);
  frame.writeUInt16BE(1000, 22);
  const chunks = [pngChunk("acTL", control), ...Array<Buffer>(frames).fill(pngChunk("fcTL", frame))];
  return Buffer.concat([still.subarray(0, HEADER_END), ...chunks, still.subarray(HEADER_END)]);
}
