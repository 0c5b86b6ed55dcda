import { stat } from "node:fs/promises";
import sharp, { type Metadata } from "sharp";
import { thumbHashToApproximateAspectRatio, thumbHashToAverageRGBA } from "thumbhash";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { costOf } from "../../src/media/cost.js";
import { lookAtImage, renderImage } from "../../src/media/image.js";
import { sniff } from "../../src/media/sniff.js";
import type { FileType, MediaInfo, Rendered } from "../../src/media/types.js";
import { Folder } from "../support/folder.js";
import {
  apng,
  avif,
  gif,
  jpeg,
  manyPicturesAvif,
  manyScansJpeg,
  picture,
  png,
  pngBomb,
  pngChunk,
  truncated,
  webp,
  webpBomb,
} from "../support/pictures.js";
import { processorTime } from "../support/timing.js";

const limits = { maxPixels: 1_000_000, maxVideoSeconds: 140 };

let folder: Folder;
beforeEach(async () => {
  folder = await Folder.make();
});
afterEach(async () => folder[Symbol.asyncDispose]());

const paths = () => ({
  preview: folder.at("preview.jpg"),
  sample: folder.at("sample.jpg"),
  thumbnails: { 360: folder.at("360.webp"), 720: folder.at("720.webp") },
});

/** A look at a file, and its decoding, as of this type. */
async function read(file: string, type: FileType, bounds = limits): Promise<MediaInfo & Omit<Rendered, "info">> {
  const { info } = await lookAtImage(file, type, bounds);
  return { ...info, ...(await renderImage(file, type, info, paths())) };
}

async function typed(content: Buffer): Promise<[string, FileType]> {
  const file = await folder.write("file", content);
  const type = await sniff(file);
  if (!type) throw new Error("not a picture");
  return [file, type];
}

async function probed(content: Buffer, bounds = limits): Promise<MediaInfo> {
  const { hasSample: _, placeholder: __, ...info } = await read(...(await typed(content)), bounds);
  return info;
}

async function derived(content: Buffer) {
  const to = paths();
  const { hasSample, placeholder } = await read(...(await typed(content)), { ...limits, maxPixels: 150_000_000 });
  const exists = await stat(to.sample).then(
    () => true,
    () => false,
  );
  expect(exists).toBe(hasSample);
  return { ...to, hasSample, placeholder, shape: await sharp(to.preview).metadata() };
}

const solid = (background: string) => ({ create: { width: 400, height: 300, channels: 3, background } as const });

/** What a picture is; null where there is none. */
async function shapeOf(file: string) {
  const found = await sharp(file)
    .metadata()
    .catch(() => null);
  if (!found) return null;
  const { format, width, height, space, hasAlpha } = found;
  return { format, width, height, space, hasAlpha };
}

/** Red, green and blue of one pixel. */
async function pixel(file: string | Buffer, left: number, top: number): Promise<number[]> {
  const raw = await sharp(file).removeAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return [...raw];
}

function expectColour(found: number[], wanted: number[], tolerance = 4): void {
  expect(found.length).toBe(wanted.length);
  for (const [at, value] of wanted.entries())
    expect(Math.abs((found[at] ?? -999) - value)).toBeLessThanOrEqual(tolerance);
}

const still = { frames: 1, duration: null, hasSound: false };
const corrupt = {
  key: "invalid_record",
  reason: "file is damaged or incomplete",
  fields: { file: ["is damaged or incomplete"] },
};
const tooManyPixels = (limit: number) => ({ reason: `file has more than ${limit} pixels` });

describe("reading a picture", () => {
  it.each([
    ["JPEG", jpeg],
    ["PNG", png],
    ["GIF", gif],
    ["WebP", webp],
    ["AVIF", avif],
  ])("measures a %s", async (_, make) => {
    expect(await probed(await make({ width: 70, height: 50 }))).toEqual({ width: 70, height: 50, ...still });
  });

  it.each([
    ["GIF", gif],
    ["WebP", webp],
    ["PNG", apng],
  ])("counts the frames of an animated %s", async (_, make) => {
    const file = await make({ width: 32, height: 24, frames: 4, delay: 250 });
    expect(await probed(file)).toEqual({
      width: 32,
      height: 24,
      frames: 4,
      duration: 1,
      hasSound: false,
    });
  });

  it("adds up the delays of an animated PNG exactly", async () => {
    expect(await probed(await apng({ width: 8, height: 8, frames: 10, delay: 100 }))).toMatchObject({ duration: 1 });
  });

  it("takes an AVIF of several pictures for one, as browsers show it, and decodes no other", async () => {
    const size = { width: 1600, height: 1200 };
    const spent = async (pictures: number) => {
      const file = await manyPicturesAvif(size, pictures);
      const { pages } = await sharp(file).metadata();
      expect(pages ?? 1).toBe(pictures);
      return processorTime(async () => {
        expect(await probed(file, { ...limits, maxPixels: 2_000_000 })).toEqual({ ...size, ...still });
      });
    };
    await spent(1);
    expect(await spent(18)).toBeLessThan(3 * (await spent(1)));
  });

  it("treats an animated PNG with one frame as a still picture", async () => {
    expect(await probed(await apng({ width: 20, height: 10, frames: 1 }))).toEqual({ width: 20, height: 10, ...still });
  });

  it("reports the size as displayed", async () => {
    const file = await picture({ width: 40, height: 20 }).withMetadata({ orientation: 5 }).jpeg().toBuffer();
    expect(await probed(file)).toMatchObject({ width: 20, height: 40 });
    const upside = await picture({ width: 40, height: 20 }).withMetadata({ orientation: 4 }).jpeg().toBuffer();
    expect(await probed(upside)).toMatchObject({ width: 40, height: 20 });
    const turned = await picture({ width: 40, height: 20 }).withMetadata({ orientation: 5 }).avif().toBuffer();
    expect(await probed(turned)).toMatchObject({ width: 20, height: 40 });
  });

  it("turns no WebP by its EXIF orientation, as browsers don't", async () => {
    const file = await picture({ width: 400, height: 200 }).withMetadata({ orientation: 6 }).webp().toBuffer();
    expect(await probed(file)).toMatchObject({ width: 400, height: 200 });
    const { shape, thumbnails } = await derived(file);
    expect(shape).toMatchObject({ width: 180, height: 90 });
    expect(await sharp(thumbnails[360]).metadata()).toMatchObject({ width: 360, height: 180 });
  });

  it("reads files from cameras, scanners and printers", async () => {
    for (const space of ["cmyk", "b-w"]) {
      const file = await picture().toColourspace(space).jpeg({ progressive: true }).toBuffer();
      expect(await probed(file)).toMatchObject({ width: 64, height: 48 });
    }
    const deep = await picture().toColourspace("rgb16").png({ progressive: true }).toBuffer();
    expect(await probed(deep)).toMatchObject({ width: 64, height: 48 });
  });

  describe("of damaged files", () => {
    const size = { width: 200, height: 150 };
    it.each([
      ["JPEG", () => jpeg(size)],
      ["progressive JPEG", () => picture(size).jpeg({ progressive: true }).toBuffer()],
      ["PNG", () => png(size)],
      ["interlaced PNG", () => picture(size).png({ progressive: true }).toBuffer()],
      ["animated PNG", () => apng(size)],
      ["GIF", () => gif(size)],
      ["animated GIF", () => gif({ frames: 4 })],
      ["WebP", () => webp(size)],
      ["animated WebP", () => webp({ frames: 4 })],
      ["AVIF", () => avif(size)],
    ])("refuses a truncated %s, wherever it is cut", async (_, make) => {
      const whole = await make();
      await expect(probed(whole)).resolves.toBeDefined();
      for (const part of [0.3, 0.6, 0.9, 0.99])
        await expect(probed(truncated(whole, part))).rejects.toMatchObject(corrupt);
      await expect(probed(whole.subarray(0, -2))).rejects.toMatchObject(corrupt);
    });

    it.each([
      ["PNG", () => png(size)],
      ["interlaced PNG", () => picture(size).png({ progressive: true }).toBuffer()],
      ["WebP", () => picture(size).webp({ lossless: true }).toBuffer()],
      ["animated GIF", () => gif({ frames: 4 })],
    ])("refuses a %s with foreign bytes in the middle", async (_, make) => {
      const whole = await make();
      const middle = Math.floor(whole.length / 2);
      await expect(probed(Buffer.from(whole).fill(0xff, middle, middle + 40))).rejects.toMatchObject(corrupt);
    });

    it("refuses an animated WebP with a damaged frame, whichever it is", async () => {
      expect(await probed(await webpBomb(40, 30, 3))).toMatchObject({ width: 40, height: 30, frames: 3 });
      for (const damaged of [0, 1, 2])
        await expect(probed(await webpBomb(40, 30, 3, damaged))).rejects.toMatchObject(corrupt);
    });

    it("refuses an animated GIF whose last frame is damaged", async () => {
      const whole = await gif({ frames: 4 });
      const end = whole.length - 2; // of the data of the last frame, before its last block, which is empty, and the trailer
      await expect(probed(whole.fill(0xff, end - 40, end))).rejects.toMatchObject(corrupt);
    });

    it("refuses a signature with nothing behind it", async () => {
      for (const head of ["ffd8ffe000104a464946", "89504e470d0a1a0a", "474946383961"]) {
        await expect(probed(Buffer.from(head, "hex"))).rejects.toMatchObject(corrupt);
      }
    });

    it.each([
      ["JPEG", jpeg],
      ["PNG", png],
      ["GIF", gif],
      ["WebP", webp],
    ])("accepts a %s with trailing data, which is common", async (_, make) => {
      const file = Buffer.concat([await make(), Buffer.from("trailing bytes")]);
      expect(await probed(file)).toMatchObject({ width: 64, height: 48 });
    });

    it("accepts a JPEG with decoder warnings", async () => {
      const file = await jpeg(size);
      // Bytes between two segments: "extraneous bytes before marker".
      const odd = Buffer.concat([file.subarray(0, 2), Buffer.from("000000", "hex"), file.subarray(2)]);
      await folder.write("odd", odd);
      await expect(sharp(folder.at("odd"), { failOn: "warning" }).raw().toBuffer()).rejects.toThrow("extraneous");
      const type = { ext: "jpg", mime: "image/jpeg", kind: "image" } as const;
      expect(await read(folder.at("odd"), type)).toMatchObject(size);
    });

    it("refuses a file that is not of its detected type", async () => {
      const file = await folder.write("file", await png());
      const type = { ext: "jpg", mime: "image/jpeg", kind: "image" } as const;
      await expect(read(file, type)).rejects.toMatchObject(corrupt);
    });
  });

  describe("and the pixel limit", () => {
    it("accepts a picture with exactly the limit and refuses one more pixel", async () => {
      const bounds = { ...limits, maxPixels: 1200 };
      expect(await probed(await png({ width: 40, height: 30 }), bounds)).toMatchObject({ width: 40 });
      await expect(probed(await png({ width: 1201, height: 1 }), bounds)).rejects.toMatchObject(tooManyPixels(1200));
    });

    it("is checked before decoding: a bomb of 900 million pixels allocates nothing", async () => {
      const bomb = pngBomb();
      expect(bomb.length).toBeLessThan(200_000);
      const before = process.memoryUsage().rss;
      await expect(probed(bomb, { ...limits, maxPixels: 150_000_000 })).rejects.toMatchObject(
        tooManyPixels(150_000_000),
      );
      expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    });

    it("is the only reason to refuse the bomb", async () => {
      expect(await probed(pngBomb(3000, 3000), { ...limits, maxPixels: 9_000_000 })).toMatchObject({ width: 3000 });
    });

    it("is what a progressive JPEG of few bytes may cost: its scans are bounded", async () => {
      const size = { width: 400, height: 300 };
      expect(await probed(await manyScansJpeg(size, 99))).toMatchObject(size);
      await expect(probed(await manyScansJpeg(size, 100))).rejects.toMatchObject({
        reason: "file takes too long to decode",
      });
    });

    it("is what an animated WebP of few bytes may cost: each of its frames is decoded once", async () => {
      const spent = async (frames: number) => {
        const file = await webpBomb(4_000, 4_000, frames);
        return processorTime(async () => {
          expect(await probed(file, { ...limits, maxPixels: 32_000_000 })).toMatchObject({ frames });
        });
      };
      expect(await spent(20)).toBeLessThan(7 * (await spent(5)));
    });

    it("is checked before damage", async () => {
      await expect(probed(truncated(pngBomb()))).rejects.toMatchObject(tooManyPixels(1_000_000));
    });

    it.each([
      ["GIF", gif],
      ["WebP", webp],
      ["PNG", apng],
    ])("allows the frames of an animated %s ten times the limit in total", async (_, make) => {
      const size = { width: 20, height: 10 };
      const bounds = { ...limits, maxPixels: 200 };
      expect(await probed(await make({ ...size, frames: 10 }), bounds)).toMatchObject({ frames: 10 });
      await expect(probed(await make({ ...size, frames: 11 }), bounds)).rejects.toMatchObject(tooManyPixels(2000));
    });
  });
});

describe("thumbnails and sample", () => {
  it.each([
    ["wide", { width: 1000, height: 500 }, { width: 180, height: 90 }],
    ["tall", { width: 300, height: 900 }, { width: 60, height: 180 }],
    ["small", { width: 50, height: 40 }, { width: 50, height: 40 }],
    ["line of a", { width: 2000, height: 1 }, { width: 180, height: 1 }],
  ])("makes the preview of a %s picture", async (_, size, expected) => {
    const { shape } = await derived(await png(size));
    expect(shape).toMatchObject({ ...expected, format: "jpeg", isProgressive: true, space: "srgb", channels: 3 });
  });

  it("strips metadata and turns the picture upright", async () => {
    const left = await sharp({ create: { width: 100, height: 60, channels: 3, background: "#0000ff" } })
      .composite([
        { input: { create: { width: 50, height: 60, channels: 3, background: "#ff0000" } }, left: 0, top: 0 },
      ])
      .withExif({ IFD0: { Copyright: "somebody" } })
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 100 })
      .toBuffer();
    const { preview, shape } = await derived(left);
    expect(shape).toMatchObject({ width: 60, height: 100, hasProfile: false });
    expect([shape.exif, shape.icc, shape.orientation]).toEqual([undefined, undefined, undefined]);
    // Turned by a quarter to the right: what was left is on top.
    expectColour(await pixel(preview, 30, 10), [254, 0, 0], 6);
    expectColour(await pixel(preview, 30, 90), [0, 0, 254], 6);
  });

  it("puts white behind what is transparent", async () => {
    const clear = {
      create: { width: 40, height: 40, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    } as const;
    for (const format of ["png", "webp", "gif"] as const) {
      const { preview } = await derived(await sharp(clear).toFormat(format).toBuffer());
      expectColour(await pixel(preview, 20, 20), [255, 255, 255], 0);
    }
  });

  it("converts the colours of wide-gamut pictures", async () => {
    const red = { create: { width: 40, height: 40, channels: 3, background: "#ff0000" } } as const;
    const file = await sharp(red).withIccProfile("p3").png().toBuffer();
    const plain = await sharp(file, { ignoreIcc: true }).raw().toBuffer();
    expectColour([...plain.subarray(0, 3)], [234, 51, 35]);
    const { preview, shape } = await derived(file);
    expect(shape.hasProfile).toBe(false);
    expectColour(await pixel(preview, 20, 20), [254, 0, 0]);
  });

  it("ignores a broken colour profile", async () => {
    const file = await png();
    const profile = Buffer.concat([Buffer.from("bad\0\0", "latin1"), Buffer.from("789c030000000001", "hex")]);
    const odd = Buffer.concat([file.subarray(0, 33), pngChunk("iCCP", profile), file.subarray(33)]);
    expect((await derived(odd)).shape).toMatchObject({ width: 64, height: 48 });
  });

  it("makes grey, CMYK and deep pictures sRGB", async () => {
    const grey = { create: { width: 20, height: 20, channels: 3, background: "#808080" } } as const;
    const files = [
      await sharp(grey).toColourspace("b-w").png().toBuffer(),
      await sharp(grey).toColourspace("rgb16").png().toBuffer(),
      await sharp(grey).toColourspace("cmyk").jpeg({ quality: 100 }).toBuffer(),
    ];
    for (const file of files) {
      const { preview, shape } = await derived(file);
      expect(shape).toMatchObject({ space: "srgb", channels: 3, depth: "uchar" });
      expectColour(await pixel(preview, 10, 10), [128, 128, 128], 16);
    }
  });

  it("shows the first frame of an animation, and makes no sample of it", async () => {
    const frames = ["#ff0000", "#0000ff"].map((background) => ({
      create: { width: 900, height: 20, channels: 3, background } as const,
    }));
    const file = await sharp(await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer())), {
      join: { animated: true },
    })
      .gif({ delay: [100, 100] })
      .toBuffer();
    const { preview, hasSample, shape } = await derived(file);
    expect(hasSample).toBe(false);
    expect(shape).toMatchObject({ width: 180, height: 4 });
    expectColour(await pixel(preview, 90, 2), [254, 0, 0], 6);
  });

  it.each([
    [
      "wider than all of them",
      { width: 1440, height: 720 },
      [
        [360, 180],
        [720, 360],
      ],
    ],
    [
      "higher than wide",
      { width: 361, height: 722 },
      [
        [180, 360],
        [360, 720],
      ],
    ],
    [
      "smaller than the largest",
      { width: 500, height: 100 },
      [
        [360, 72],
        [500, 100],
      ],
    ],
    ["smaller than the second", { width: 200, height: 300 }, [[200, 300], null]],
    ["as small as the preview", { width: 180, height: 180 }, [null, null]],
  ] as const)("makes thumbnails that are never enlarged, of a picture %s", async (_, size, sizes) => {
    const { thumbnails, placeholder } = await derived(await jpeg(size));
    const made = await Promise.all(([360, 720] as const).map((side) => shapeOf(thumbnails[side])));
    expect(made).toEqual(
      sizes.map((each) => each && { format: "webp", width: each[0], height: each[1], space: "srgb", hasAlpha: false }),
    );
    const shown = thumbHashToApproximateAspectRatio(Buffer.from(placeholder ?? "", "base64"));
    expect(Math.sign(Math.log(shown))).toBe(Math.sign(Math.log(size.width / size.height)));
  });

  it("keeps in each thumbnail the details that its size has: stripes of one pixel", async () => {
    const row = Array.from({ length: 720 }, (_, x) => (x % 2) * 255);
    const stripes = Buffer.from(Array.from({ length: 90 }, () => row).flat());
    const content = await sharp(stripes, { raw: { width: 720, height: 90, channels: 1 } })
      .png()
      .toBuffer();
    const { thumbnails } = await derived(content);
    const { channels } = await sharp(thumbnails[720]).stats();
    expect(channels[0]?.stdev).toBeGreaterThan(100); // of black and white it is 127, of grey 0
  });

  it("makes a placeholder of the colours that the first frame has", async () => {
    const { placeholder } = await derived(await sharp(solid("#c02040")).png().toBuffer());
    const { r, g, b, a } = thumbHashToAverageRGBA(Buffer.from(placeholder ?? "", "base64"));
    expectColour([r * 255, g * 255, b * 255, a], [192, 32, 64, 1], 8);
  });

  it("makes thumbnails upright, and white where the original is transparent", async () => {
    const lying = await picture({ width: 800, height: 400 }).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await sharp((await derived(lying)).thumbnails[360]).metadata()).toMatchObject({ width: 180, height: 360 });
    const clear = { create: { width: 400, height: 400, channels: 4, background: "#00000000" } } as const;
    const { thumbnails } = await derived(await sharp(clear).png().toBuffer());
    expectColour(await pixel(thumbnails[720], 200, 200), [255, 255, 255]);
  });

  it("makes no sample of an animated PNG", async () => {
    expect((await derived(await apng({ width: 900, height: 20, frames: 2 }))).hasSample).toBe(false);
  });

  it("makes a sample of a still picture wider than 850 pixels", async () => {
    const { sample, hasSample } = await derived(await png({ width: 1700, height: 400 }));
    expect(hasSample).toBe(true);
    expect(await sharp(sample).metadata()).toMatchObject({ width: 850, height: 200, format: "jpeg", space: "srgb" });
  });

  it.each([
    [850, false],
    [851, true],
  ])("makes samples above 850 pixels: %i -> %s", async (width, expected) => {
    expect((await derived(await png({ width, height: 10 }))).hasSample).toBe(expected);
  });

  it("uses the displayed width", async () => {
    const lying = await picture({ width: 1000, height: 100 }).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect((await derived(lying)).hasSample).toBe(false);
    const standing = await picture({ width: 100, height: 1000 }).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { sample, hasSample } = await derived(standing);
    expect(hasSample).toBe(true);
    expect(await sharp(sample).metadata()).toMatchObject({ width: 850, height: 85 });
  });

  it("makes no sample taller than JPEG allows", async () => {
    const { hasSample, shape } = await derived(pngBomb(900, 70_000));
    expect(hasSample).toBe(false);
    expect(shape).toMatchObject({ width: 2, height: 180 });
  });

  it("reports disk errors as such", async () => {
    const file = await folder.write("file", await png());
    const info = { width: 64, height: 48, ...still };
    const to = { preview: folder.at("missing/preview.jpg"), sample: folder.at("sample.jpg") };
    const type = { ext: "png", mime: "image/png", kind: "image" } as const;
    await expect(renderImage(file, type, info, to)).rejects.not.toHaveProperty("key");
  });
});

describe("the estimated memory for decoding, beyond the buffers of libvips", () => {
  const [width, height, channels] = [1_000, 4_000, 3];
  const pixels = width * height;
  it.each<[string, object, number]>([
    ["a JPEG: 512 lines", { format: "jpeg" }, width * 512 * 3],
    ["a low JPEG: all lines", { format: "jpeg", height: 100 }, width * 100 * 3],
    ["a progressive JPEG", { format: "jpeg", isProgressive: true, chromaSubsampling: "4:2:0" }, pixels * 4.5],
    ["one of unknown subsampling", { format: "jpeg", isProgressive: true }, pixels * 9.5],
    ["a PNG: 2048 lines", { format: "png" }, width * 2048 * 3],
    ["a PNG of 16 bits", { format: "png", depth: "ushort" }, width * 2048 * 6],
    ["an interlaced PNG", { format: "png", isProgressive: true }, pixels * 3 * 1.25],
    ["a GIF", { format: "gif" }, pixels * 6.5],
    ["an animated GIF: one frame", { format: "gif", pageHeight: 1_000 }, width * 1_000 * 6.5],
    ["a WebP", { format: "webp" }, pixels * 8.5],
    ["an AVIF", { format: "heif" }, pixels * 20],
    ["an AVIF of more bits", { format: "heif", depth: "ushort" }, pixels * 28],
    ["any other format: unlimited", { format: "tiff" }, Infinity],
  ])("of %s", (_, header, memory) => {
    const info = { width, height, frames: 4, duration: null, hasSound: false };
    const cost = costOf({ width, height, channels, depth: "uchar", ...header } as Metadata, info);
    const frame = width * ("pageHeight" in header ? 1_000 : "height" in header ? 100 : height);
    expect(cost).toEqual({ memory: 8 * 1024 * 1024 + memory, pixels: 4 * frame });
  });
});
