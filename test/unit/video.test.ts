import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { look, render } from "../../src/media/media.js";
import type { MediaInfo } from "../../src/media/types.js";
import { probeVideo } from "../../src/media/video.js";
import { findVideoTools, installedVideoTools, runTool, type VideoTools } from "../../src/media/video-tools.js";
import { Folder } from "../support/folder.js";
import { png, truncated } from "../support/pictures.js";
import { fakeVideoTools, liveWebm, mp4, mp4Box, webm } from "../support/videos.js";

const limits = { maxPixels: 1_000_000, maxVideoSeconds: 140 };
const picture = { codec_type: "video", width: 640, height: 360, nb_frames: "50", avg_frame_rate: "25/1" };
const sound = { codec_type: "audio" };
const report = { streams: [picture, sound], format: { duration: "2.000000" } };
const wholeInfo = { width: 640, height: 360, frames: 50, duration: 2, hasSound: true };
const corrupt = { reason: "file is damaged or incomplete" };

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

async function probed(content: Buffer, tools: VideoTools): Promise<MediaInfo> {
  const file = await folder.write("file", content);
  const { type } = await look(file, limits);
  return probeVideo(file, type, limits, tools);
}

/** All that is done with a file. */
async function rendered(content: Buffer, tools: VideoTools | null) {
  const file = await folder.write("file", content);
  return render(file, await look(file, limits), limits, paths(), tools);
}

const reported = async (answer: object | string, content = mp4(), packets = "") =>
  probed(content, await fakeVideoTools(folder, { report: answer, packets }));

describe("probe of a video, with fake programs", () => {
  it("reads ffprobe's report", async () => {
    expect(await reported(report)).toEqual(wholeInfo);
    expect(await reported({ ...report, streams: [picture] })).toMatchObject({ hasSound: false });
  });

  it("lets ffprobe read only this file, as its detected type", async () => {
    await reported(report);
    const args = (await readFile(folder.at("ffprobe.args"), "utf8")).trim().split("\n");
    expect(args.slice(-6)).toEqual(["-protocol_whitelist", "file", "-f", "mov", "-i", `file:${folder.at("file")}`]);
    await reported(report, webm());
    expect(await readFile(folder.at("ffprobe.args"), "utf8")).toContain("-f\nmatroska\n");
  });

  it("hides its environment from the programs", async () => {
    const tools = await fakeVideoTools(folder, { report, before: "export > environment" });
    await probed(mp4(), tools);
    const names = (await readFile(folder.at("environment"), "utf8")).match(/^export \w+/gm) ?? [];
    expect(names.filter((name) => !/ (OLDPWD|PWD|SHLVL|_)$/.test(name))).toEqual([]);
  });

  it("counts frames by their rate if the container does not say", async () => {
    const streams = [{ ...picture, nb_frames: undefined, avg_frame_rate: "30000/1001" }];
    expect(await reported({ ...report, streams })).toMatchObject({ frames: 60 });
    const unknown = [{ ...picture, nb_frames: "N/A", avg_frame_rate: "0/0" }];
    expect(await reported({ ...report, streams: unknown })).toMatchObject({ frames: 1 });
  });

  it.each([
    ["noted beside the stream", { side_data_list: [{ side_data_type: "Display Matrix", rotation: -90 }] }],
    ["noted as a tag", { tags: { rotate: "270" } }],
  ])("reports the displayed size (%s)", async (_, note) => {
    const streams = [{ ...picture, ...note }];
    expect(await reported({ ...report, streams })).toMatchObject({ width: 360, height: 640 });
  });

  it.each([
    ["4:3", 853, 360],
    ["1:2", 640, 720],
    ["0:1", 640, 360],
    ["N/A", 640, 360],
  ])("has the size in square pixels, of which browsers make as many: %s", async (ratio, width, height) => {
    const video = { ...picture, sample_aspect_ratio: ratio };
    expect(await reported({ ...report, streams: [video] })).toMatchObject({ width, height });
    const turned = { ...video, side_data_list: [{ rotation: -90 }] };
    expect(await reported({ ...report, streams: [turned] })).toMatchObject({ width: height, height: width });
  });

  it("measures the duration of a recording without one", async () => {
    const streams = [{ ...picture, nb_frames: undefined }];
    const answer = { streams, format: {} };
    expect(await reported(answer, liveWebm(), "0.000\n0.040\n3.960\nN/A\n3.920\n")).toMatchObject({
      duration: 3.96,
      frames: 99,
    });
    await expect(reported(answer, liveWebm(), "0.0\n140.04\n")).rejects.toMatchObject({
      reason: "file is longer than 140 seconds",
    });
  });

  it("refuses a video that is too long, and accepts one of exactly the maximum", async () => {
    expect(await reported({ ...report, format: { duration: "140.0" } })).toMatchObject({ duration: 140 });
    await expect(reported({ ...report, format: { duration: "140.1" } })).rejects.toMatchObject({
      status: 420,
      reason: "file is longer than 140 seconds",
    });
  });

  it("refuses a video with too many pixels", async () => {
    const streams = [{ ...picture, width: 1001, height: 1000 }];
    await expect(reported({ ...report, streams })).rejects.toMatchObject({
      reason: "file has more than 1000000 pixels",
    });
  });

  it("refuses a video that claims more frames than can be stored", async () => {
    const streams = [{ ...picture, nb_frames: "4294967295" }];
    await expect(reported({ ...report, streams })).rejects.toMatchObject(corrupt);
    const fast = [{ ...picture, nb_frames: undefined, avg_frame_rate: "2147483647/1" }];
    await expect(reported({ ...report, streams: fast })).rejects.toMatchObject(corrupt);
  });

  it("refuses audio without video, even with a cover", async () => {
    const unsupported = { reason: expect.stringContaining("is not a supported file type") };
    await expect(reported({ ...report, streams: [sound] })).rejects.toMatchObject(unsupported);
    const cover = { ...picture, disposition: { attached_pic: 1 } };
    await expect(reported({ ...report, streams: [sound, cover] })).rejects.toMatchObject(unsupported);
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "Segmentation fault"],
    ["no streams", { format: {} }],
    ["no size", { streams: [{ codec_type: "video" }] }],
  ])("refuses a file if ffprobe reports %s", async (_, answer) => {
    await expect(reported(answer)).rejects.toMatchObject(corrupt);
  });

  it("refuses a file if ffprobe fails", async () => {
    const tools = await fakeVideoTools(folder, { report, before: "echo 'moov atom not found' >&2; exit 1" });
    await expect(probed(mp4(), tools)).rejects.toMatchObject(corrupt);
  });

  it("is a temporary failure if ffprobe is killed, as by the kernel when memory runs out", async () => {
    const tools = await fakeVideoTools(folder, { report, before: "kill -9 $$" });
    await expect(probed(mp4(), tools)).rejects.toMatchObject({ key: "overloaded", status: 503 });
  });

  it.each([
    ["MP4", mp4()],
    ["WebM", webm()],
  ])("refuses a truncated %s before it asks ffprobe", async (_, whole) => {
    await expect(reported(report, whole)).resolves.toBeDefined();
    for (const part of [0.3, 0.9])
      await expect(reported(report, truncated(whole, part))).rejects.toMatchObject(corrupt);
    await expect(reported(report, whole.subarray(0, -1))).rejects.toMatchObject(corrupt);
  });

  it("reads large boxes and boxes without an end", async () => {
    const large = Buffer.alloc(16 + 20);
    large.writeUInt32BE(1, 0);
    large.write("mdat", 4);
    large.writeBigUInt64BE(36n, 8);
    await expect(reported(report, Buffer.concat([mp4(), large]))).resolves.toBeDefined();
    await expect(reported(report, Buffer.concat([mp4(), large.subarray(0, -1)]))).rejects.toMatchObject(corrupt);
    const endless = mp4Box("mdat", Buffer.alloc(10));
    endless.writeUInt32BE(0, 0);
    await expect(reported(report, Buffer.concat([mp4(), endless]))).resolves.toBeDefined();
  });

  it("accepts no video without the programs, or if they are gone", async () => {
    const missing = { status: 420, reason: expect.stringContaining("has no ffmpeg and ffprobe") };
    await expect(rendered(mp4(), null)).rejects.toMatchObject(missing);
    const gone = { ffmpeg: folder.at("gone"), ffprobe: folder.at("gone") };
    await expect(probed(mp4(), gone)).rejects.toMatchObject(missing);
  });
});

describe("render of a video, with fake programs", () => {
  const large = { streams: [{ ...picture, width: 1280, height: 640 }], format: { duration: "2.0" } };

  it("makes thumbnails of the first frame, and no sample", async () => {
    const tools = await fakeVideoTools(folder, { report: large, frame: await png({ width: 720, height: 360 }) });
    expect(await rendered(mp4(), tools)).toMatchObject({
      info: { width: 1280 },
      hasSample: false,
      placeholder: expect.any(String),
    });
    expect(await sharp(folder.at("preview.jpg")).metadata()).toMatchObject({ format: "jpeg", width: 180, height: 90 });
    expect(await sharp(folder.at("360.webp")).metadata()).toMatchObject({ format: "webp", width: 360, height: 180 });
    expect(await sharp(folder.at("720.webp")).metadata()).toMatchObject({ format: "webp", width: 720, height: 360 });
    const args = (await readFile(folder.at("ffmpeg.args"), "utf8")).trim().split("\n");
    expect(args[0]).toBe("-nostdin");
    expect(args.join(" ")).toContain("-protocol_whitelist file -f mov -i file:");
    expect(args.join(" ")).toContain("-frames:v 1 -vf scale=720:360");
  });

  it("starts one thread for each step, since their stacks count as memory: 16 of them would take all of it", async () => {
    const tools = await fakeVideoTools(folder, { report: large, frame: await png({ width: 720, height: 360 }) });
    await rendered(mp4(), tools);
    const args = (await readFile(folder.at("ffmpeg.args"), "utf8")).trim().split("\n");
    const input = args.indexOf("-i");
    const threads = (some: string[]) => some.filter((name, at) => name === "-threads" && some[at + 1] === "1").length;
    expect([threads(args.slice(0, input)), threads(args.slice(input))]).toEqual([1, 1]);
    expect(args.join(" ")).toContain("-filter_threads 1");
  });

  it("refuses a video without a decodable frame", async () => {
    await expect(rendered(mp4(), await fakeVideoTools(folder, { report: large }))).rejects.toMatchObject(corrupt);
    const failing = await fakeVideoTools(folder, {
      report: large,
      before: 'case "$*" in *frames:v*) exit 69;; esac',
    });
    await expect(rendered(mp4(), failing)).rejects.toMatchObject(corrupt);
  });
});

describe("runTool", () => {
  const script = (body: string) => folder.write("tool", `#!/bin/sh\n${body}\n`, 0o755);

  it("returns the program's output", async () => {
    const result = await runTool(await script('printf "%s" "$1"'), ["$(id); `id`"]);
    expect(result).toEqual({ outcome: "done", output: Buffer.from("$(id); `id`") });
  });

  it("gives the program an empty input", async () => {
    expect(await runTool(await script("cat; echo end"), [])).toMatchObject({ output: Buffer.from("end\n") });
  });

  it("kills a program that takes too long", async () => {
    expect(await runTool(await script("trap '' TERM; exec sleep 20"), [], { timeout: 100 })).toEqual({
      outcome: "slow",
    });
  });

  it("kills a program that prints too much", async () => {
    expect(await runTool(await script("exec yes"), [], { timeout: 20_000 })).toEqual({ outcome: "verbose" });
  });

  it("distinguishes a program that could not be started from one that failed", async () => {
    const tooLong = "x".repeat(200_000);
    expect(await runTool("/bin/true", [tooLong])).toMatchObject({ outcome: "killed", cause: { code: "E2BIG" } });
  });

  it("distinguishes a missing program from a failing one", async () => {
    expect(await runTool(folder.at("missing"), [])).toEqual({ outcome: "missing" });
    expect(await runTool(await script("exit 3"), [])).toMatchObject({ outcome: "failed", cause: { code: 3 } });
  });
});

describe("findVideoTools", () => {
  it("finds both programs in a folder", async () => {
    const tools = await fakeVideoTools(folder, {});
    expect(await findVideoTools(folder.path)).toEqual(tools);
  });

  it("finds nothing when one is missing or does not run", async () => {
    await fakeVideoTools(folder, {});
    await using half = await Folder.make();
    await half.write("ffmpeg", "#!/bin/sh\nexit 0\n", 0o755);
    expect(await findVideoTools(half.path)).toBeNull();
    await half.write("ffprobe", "#!/bin/sh\nexit 1\n", 0o755);
    expect(await findVideoTools(half.path)).toBeNull();
  });

  it("is a temporary failure if one is killed, as by the kernel when memory runs out", async () => {
    await fakeVideoTools(folder, {});
    await folder.write("ffprobe", "#!/bin/sh\nkill -9 $$\n", 0o755);
    await expect(findVideoTools(folder.path)).rejects.toMatchObject({ status: 503 });
  });
});

const installed = await installedVideoTools();

describe.skipIf(!installed)("with the real ffmpeg, if on PATH", () => {
  const need = (): VideoTools => {
    if (!installed) throw new Error("skipped");
    return installed;
  };
  /** A second of a test picture, 320x240 at 10 frames a second, with or without a tone. */
  async function film(ext: "mp4" | "webm", options: string[], input: string[] = []): Promise<Buffer> {
    const made = folder.at(`made.${ext}`);
    const source = ["-f", "lavfi", "-i", "testsrc=duration=1:size=320x240:rate=10"];
    const result = await runTool(need().ffmpeg, ["-nostdin", "-v", "error", ...source, ...input, ...options, made]);
    expect(result).toMatchObject({ outcome: "done" });
    return readFile(made);
  }
  const tone = ["-f", "lavfi", "-i", "sine=duration=1"];
  const h264 = ["-c:v", "mpeg4", "-pix_fmt", "yuv420p"];
  const vp8 = ["-c:v", "libvpx"];

  it("reads an MP4 with sound and shows its first frame", async () => {
    const { info, hasSample } = await rendered(await film("mp4", [...h264, "-c:a", "aac"], tone), installed);
    expect(hasSample).toBe(false);
    expect(info).toMatchObject({ width: 320, height: 240, frames: 10, hasSound: true });
    expect(info.duration).toBeCloseTo(1, 0);
    expect(await sharp(folder.at("preview.jpg")).metadata()).toMatchObject({ format: "jpeg", width: 180, height: 135 });
  });

  it("reads a silent WebM", async () => {
    const info = await probed(await film("webm", vp8), need());
    expect(info).toMatchObject({ width: 320, height: 240, frames: 10, hasSound: false });
  });

  it("shows oblong pixels as wide as they are", async () => {
    const { info } = await rendered(await film("mp4", [...h264, "-vf", "setsar=2"]), installed);
    expect(info).toMatchObject({ width: 640, height: 240 });
    expect(await sharp(folder.at("preview.jpg")).metadata()).toMatchObject({ width: 180, height: 68 });
  });

  it("shows the first of several video streams, whose size it has, as browsers do", async () => {
    const [red, larger] = ["color=red:size=320x240", "color=blue:size=640x480"];
    const inputs = [red, larger].flatMap((source) => ["-f", "lavfi", "-i", `${source}:duration=1:rate=10`]);
    const both = ["-map", "1", "-map", "2", "-disposition:v", "default"];
    const { info } = await rendered(await film("mp4", [...both, ...h264], inputs), installed);
    expect(info).toMatchObject({ width: 320, height: 240 });
    const { dominant } = await sharp(folder.at("preview.jpg")).stats();
    expect(dominant).toMatchObject({ r: 248, b: 8 });
  });

  it("measures a WebM that was recorded live", async () => {
    const info = await probed(await film("webm", [...vp8, "-live", "1"]), need());
    expect(info.duration).toBeCloseTo(0.9, 1);
  });

  it("refuses truncated videos, even with the index in front", async () => {
    for (const whole of [
      await film("mp4", [...h264, "-y", "-movflags", "+faststart"]),
      await film("webm", [...vp8, "-y"]),
    ]) {
      await expect(probed(truncated(whole), need())).rejects.toMatchObject(corrupt);
    }
  });

  it("refuses a playlist disguised as a video", async () => {
    const secret = await folder.write("secret.txt", "secret");
    await expect(
      probed(Buffer.concat([mp4(), Buffer.from(`#EXTM3U\n#EXTINF:1,\nfile://${secret}`)]), need()),
    ).rejects.toMatchObject(corrupt);
  });
});
