/** Files that contain more than they declare. */
import { gif, pngBomb, DEEP_INTERLACED, truncated, webp, avif, jpeg, png } from "../../support/pictures.js";
import type { Attack } from "../attack.js";
import { bytesOf, fileBody, joined, many, MB, MULTIPART_TYPE, upload } from "../payloads.js";
import type { Target } from "../target.js";

/** What a picture that is taken is written to. */
const TAKEN = ["uploads", "posts", "media_files", "post_versions", "tags", "users"];

/** A row of `uploads` says what became of each. */
const writes = ["uploads"];

let bomb: Buffer | undefined;
const deepBomb = (): Buffer => (bomb ??= pngBomb(12_200, 12_200, DEEP_INTERLACED));

const GIF_HEAD = Buffer.from("47494638396101000100800000000000ffffff21fe", "hex");
const GIF_PICTURE = Buffer.from("002c0000000001000100000202440100", "hex");

async function* tinyBlocks(total: number): AsyncGenerator<Buffer> {
  const piece = Buffer.from("0161".repeat(32 * 1024), "hex");
  for (let sent = 0; sent < total; sent += piece.length) yield piece;
}

const FIELDS = [
  { name: "upload[rating]", content: "s" },
  { name: "upload[tag_string]", content: "harbour" },
];

const uploadOf = (target: Target, content: AsyncIterable<Buffer | string>) =>
  target.ask({
    method: "POST",
    path: "/uploads.json",
    headers: MULTIPART_TYPE,
    body: fileBody(FIELDS, "upload[file]", content),
    signedIn: true,
  });

/** A PNG of so many chunks of nothing. */
const manyChunks = (count: number): Buffer =>
  Buffer.concat([
    pngBomb(1, 1).subarray(0, 33),
    ...Array<Buffer>(count).fill(Buffer.from("000000007445587400000000", "hex")),
  ]);

/** The beginning of an MP4 whose boxes nest without end. */
const nestedBoxes = (depth: number): Buffer => {
  const start = Buffer.from("00000018667479706d703432000000006d70343269736f6d", "hex");
  const box = (index: number) => {
    const bytes = Buffer.from("000000006d6f6f76", "hex");
    bytes.writeUInt32BE(8 * (depth - index));
    return bytes;
  };
  return Buffer.concat([start, ...Array.from({ length: depth }, (_, index) => box(index))]);
};

/** The beginning of a WebM with a length that is none. */
const brokenWebm = Buffer.concat([
  Buffer.from(
    "1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffffffffffff",
    "hex",
  ),
  Buffer.alloc(500_000, 0xec),
]);

let files: Buffer[] = [];

export const uploads: readonly Attack[] = [
  {
    name: "row 7: two PNGs of 149 megapixels, interlaced, 16 bit, by a member",
    writes,
    seconds: 6,
    prepare: async () => void deepBomb(),
    send: (target) =>
      Promise.all([1, 2].map((number) => upload(target, Buffer.concat([deepBomb(), Buffer.from([number])])))),
  },
  {
    name: "row 8: a GIF of 100 MB of tiny blocks, without its end, by a member",
    writes,
    seconds: 6,
    send: (target) => uploadOf(target, joined(GIF_HEAD, tinyBlocks(99 * MB), GIF_PICTURE)),
  },
  {
    name: "pictures of many pixels in few bytes, of every type, by a member",
    writes: TAKEN,
    keepsFiles: true,
    seconds: 6,
    async prepare() {
      const size = { width: 9_000, height: 9_000 };
      files = await Promise.all([jpeg(size), gif(size), png(size)]);
      files.push(await webp({ width: 4_000, height: 4_000 }), pngBomb(), await avif({ width: 2_000, height: 2_000 }));
    },
    send: (target) => Promise.all(files.map((file) => upload(target, file))),
  },
  {
    name: "files that break off, or are damaged, by a member at full speed",
    writes,
    async prepare() {
      const size = { width: 900, height: 700 };
      const whole = [
        await jpeg(size),
        await png(size),
        await gif({ frames: 4 }),
        await webp({ frames: 4 }),
        await avif(size),
      ];
      files = [...whole.map((file) => truncated(file)), manyChunks(80_000), nestedBoxes(5_000), brokenWebm];
    },
    send: (target) =>
      target.flood(
        8,
        (turn) => {
          const file = files[turn % files.length] as Buffer;
          return upload(target, Buffer.concat([file, Buffer.from(String(turn))]));
        },
        200,
      ),
  },
  {
    name: "16 uploads by a member that never end",
    writes,
    seconds: 5,
    send: (target) =>
      Promise.all(
        Array.from({ length: 16 }, async () => {
          async function* slowly() {
            for await (const piece of bytesOf(40 * MB, MB)) {
              yield piece;
              await target.wait(100);
            }
            await target.rest();
          }
          await uploadOf(target, slowly());
        }),
      ),
  },
  {
    name: "sources that lead inside, by a member at full speed",
    writes,
    send: (target) =>
      target.flood(
        16,
        (turn) => {
          const sources = [
            "http://127.0.0.1:1/",
            "http://localhost/a.png",
            "http://[::1]/",
            `http://${"a".repeat(60_000)}/`,
            "http://0x7f.1/",
          ];
          const body = new URLSearchParams({
            "upload[source]": sources[turn % 5] ?? "",
            "upload[rating]": "s",
            "upload[tag_string]": many(2, String),
          });
          return target.ask({
            method: "POST",
            path: "/uploads.json",
            headers: { "content-type": "application/x-www-form-urlencoded" },
            body: body.toString(),
            signedIn: true,
          });
        },
        400,
      ),
  },
];
