import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { sniff } from "../../src/media/sniff.js";
import { Folder } from "../support/folder.js";
import { apng, avif, gif, jpeg, png, pngChunk, truncated, webp } from "../support/pictures.js";
import { mp4, mp4Box, webm } from "../support/videos.js";

async function sniffed(content: Buffer | string, name = "file") {
  await using folder = await Folder.make();
  return await sniff(await folder.write(name, content));
}

const image = (ext: string, mime = `image/${ext}`) => ({ ext, mime, kind: "image" });

describe("sniff", () => {
  it.each([
    ["JPEG", jpeg, image("jpg", "image/jpeg")],
    ["PNG", png, image("png")],
    ["animated PNG, which is a PNG", apng, image("png")],
    ["GIF", gif, image("gif")],
    ["animated GIF", () => gif({ frames: 3 }), image("gif")],
    ["WebP", webp, image("webp")],
    ["animated WebP", () => webp({ frames: 3 }), image("webp")],
    ["AVIF", avif, image("avif")],
    ["MP4", async () => mp4(), { ext: "mp4", mime: "video/mp4", kind: "video" }],
    ["WebM", async () => webm(), { ext: "webm", mime: "video/webm", kind: "video" }],
  ])("recognizes %s", async (_, make, expected) => {
    expect(await sniffed(await make())).toEqual(expected);
  });

  it.each(["isom", "iso2", "iso6", "mp41", "mp42", "avc1", "M4V ", "M4VP", "MSNV", "dash"])(
    "accepts an MP4 of the brand %j",
    async (brand) => expect((await sniffed(mp4(brand)))?.ext).toBe("mp4"),
  );

  it.each(["heic", "mif1", "qt  ", "3gp5", "3g2a", "M4A ", "crx ", "F4V ", "avis", "zzzz"])(
    "does not accept the brand %j",
    async (brand) => expect(await sniffed(mp4(brand))).toBeNull(),
  );

  it("does not accept other Matroska files", async () => {
    expect(await sniffed(webm("matroska"))).toBeNull();
  });

  it("does not accept SVG under any name", async () => {
    expect(await sniffed('<svg xmlns="http://www.w3.org/2000/svg"/>', "x.png")).toBeNull();
    expect(await sniffed('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')).toBeNull();
  });

  it("goes by content, not by name", async () => {
    expect((await sniffed(await png(), "x.jpg"))?.ext).toBe("png");
  });

  it.each([
    ["nothing", ""],
    ["a text", "hello"],
    ["a page", "<!doctype html><title>x</title>"],
    ["a zip", Buffer.from("504b0506000000000000000000000000000000000000", "hex")],
    ["a flash film", Buffer.from("4357530a00000000", "hex")],
    ["the beginning of an MP4", Buffer.from("ftyp")],
    ["zeros", Buffer.alloc(5000)],
  ])("does not accept %s", async (_, content) => expect(await sniffed(content)).toBeNull());

  it("does not accept TIFF, BMP or JPEG XL", async () => {
    expect(
      await sniffed(
        await sharp(await png())
          .tiff()
          .toBuffer(),
      ),
    ).toBeNull();
    expect(await sniffed(Buffer.concat([Buffer.from("BM"), Buffer.alloc(100)]))).toBeNull();
    expect(await sniffed(Buffer.from("0000000c4a584c200d0a870a", "hex"))).toBeNull();
  });

  it("recognizes a truncated picture", async () => {
    expect((await sniffed(truncated(await jpeg())))?.ext).toBe("jpg");
    expect((await sniffed((await png()).subarray(0, 20)))?.ext).toBe("png");
    expect((await sniffed(truncated(await gif())))?.ext).toBe("gif");
    expect((await sniffed(truncated(await webp())))?.ext).toBe("webp");
  });

  it("recognizes a PNG whose first chunks are large", async () => {
    const file = await png();
    const text = pngChunk("tEXt", Buffer.alloc(200_000, "x"));
    expect((await sniffed(Buffer.concat([file.subarray(0, 33), text, file.subarray(33)])))?.ext).toBe("png");
  });

  it("recognizes an MP4 only by its first box", async () => {
    expect(await sniffed(Buffer.concat([mp4Box("free", Buffer.alloc(8)), mp4()]))).toBeNull();
  });

  it("fails if there is no file", async () => {
    await expect(sniff("/nonexistent/file")).rejects.toThrow("ENOENT");
  });
});
