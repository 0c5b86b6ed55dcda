/** Decoders: separate processes with limits of memory and time, which may be killed at any time. */
import { readFileSync } from "node:fs";
import os from "node:os";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Decoded, Decoder, type DecoderOptions } from "../../src/media/decoder/decoder.js";
import { createLog } from "../../src/runtime/telemetry/log.js";
import { Folder } from "../support/folder.js";
import { DEEP_INTERLACED, gif, jpeg, pngBomb, tinyBlocksGif, truncated, webp } from "../support/pictures.js";
import { isAlive } from "../support/processes.js";
import { fakeVideoTools, mp4 } from "../support/videos.js";
import { processorTime } from "../support/timing.js";

const MiB = 1024 * 1024;
const limits = { maxPixels: 150_000_000, maxVideoSeconds: 140 };

let folder: Folder;
let decoder: Decoder;
let log: Record<string, unknown>[];
beforeEach(async () => {
  folder = await Folder.make();
  log = [];
});
afterEach(async () => {
  await decoder[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

function start(options: Partial<DecoderOptions> = {}): void {
  const lines = { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) };
  decoder = new Decoder({ memory: 512 * MiB, log: createLog("info", lines), ...options });
}

let files = 0;
const paths = () => ({ preview: folder.at(`${files}-preview.jpg`), sample: folder.at(`${files}-sample.jpg`) });

async function decode(content: Buffer | string, owner?: string): Promise<Decoded> {
  const path = await folder.write(`${(files += 1)}`, content);
  return decoder.decode({ path, bytes: content.length, limits, to: paths(), videos: true, owner });
}

/** The number of a process that is there by now. */
function pidOf(lane: "quick" | "slow"): number {
  const { pid } = decoder[lane];
  if (pid === undefined) throw new Error(`the ${lane} process has not been started`);
  return pid;
}

const ended = () =>
  log.filter(({ msg }) => msg === "decoder process ended").map(({ lane, task, reason }) => [lane, task, reason]);
const processFile = (lane: "quick" | "slow", name: string) => readFileSync(`/proc/${pidOf(lane)}/${name}`, "utf8");
/** A picture that is small, and yet more pixels than the quick process takes. */
const large = () => pngBomb(6000, 5000);

describe("a file", () => {
  it("is decoded by a process started on demand and reused", async () => {
    start();
    expect([decoder.quick.pid, decoder.slow.pid]).toEqual([undefined, undefined]);
    const found = await decode(await jpeg({ width: 1000, height: 500 }));
    const info = { width: 1000, height: 500, frames: 1, duration: null, hasSound: false };
    expect(found).toEqual({ type: { ext: "jpg", mime: "image/jpeg", kind: "image" }, info, hasSample: true });
    expect(await sharp(paths().preview).metadata()).toMatchObject({ width: 180, height: 90 });
    expect(await sharp(paths().sample).metadata()).toMatchObject({ width: 850, height: 425 });
    const pid = pidOf("quick");
    await decode(await webp());
    expect([decoder.quick.pid, decoder.slow.pid]).toEqual([pid, undefined]);
  });

  it("is refused with the decoder's own reason", async () => {
    start();
    await expect(decode("text")).rejects.toMatchObject({
      status: 420,
      fields: { file: [expect.stringContaining("is not a supported file type")] },
    });
    await expect(decode(truncated(await jpeg({ width: 300 })))).rejects.toMatchObject({
      status: 420,
      reason: "file is damaged or incomplete",
      cause: expect.any(Error),
    });
  });

  it("whose output can't be written is a 500, and the decoder continues", async () => {
    start();
    const path = await folder.write("file", await jpeg());
    const to = { preview: folder.at("missing/preview.jpg"), sample: folder.at("sample.jpg") };
    const request = { path, bytes: 1, limits, to, videos: false };
    await expect(decoder.decode(request)).rejects.not.toHaveProperty("key");
    expect((await decode(await jpeg())).info.width).toBe(64);
  });

  it("of 40 MB in blocks of one byte is parsed in the decoder and takes almost no time in this process", async () => {
    start();
    await decode(await gif());
    const file = await tinyBlocksGif(20_000_000);
    const spent = await processorTime(async () => {
      expect((await decode(file)).info).toMatchObject({ width: 2, frames: 1 });
    });
    expect(spent).toBeLessThan(3_000); // to walk over it takes ten times as long, and most of these write it
  });

  it("that is a video is read by ffmpeg, a child of the decoder", async () => {
    const report = { streams: [{ codec_type: "video", width: 64, height: 48 }], format: { duration: "1" } };
    const parent = `echo $PPID > ${folder.at("parent")}`;
    const tools = await fakeVideoTools(folder, { report, frame: await jpeg(), before: parent });
    start({ tools: () => Promise.resolve(tools) });
    expect(await decode(mp4())).toMatchObject({ type: { ext: "mp4" }, info: { duration: 1 }, hasSample: false });
    expect(Number(readFileSync(folder.at("parent"), "utf8"))).toBe(pidOf("slow"));
  });

  it("about which ffprobe writes megabytes is refused with the first of them only", async () => {
    const before = "head -c 4000000 /dev/zero | tr '\\0' x >&2; exit 1";
    const tools = await fakeVideoTools(folder, { before });
    start({ tools: () => Promise.resolve(tools) });
    const error = await decode(mp4()).catch((refusal: unknown) => refusal as Error);
    expect(error).toMatchObject({ reason: "file is damaged or incomplete" });
    expect(((error as Error).cause as Error).message.length).toBeLessThanOrEqual(1_000);
  });
});

describe("its process", () => {
  it("has an empty environment and the lowest priority, and is killed first when memory runs out", async () => {
    start();
    await decode(await jpeg());
    const names = processFile("quick", "environ")
      .split("\0")
      .map((entry) => entry.split("=")[0]);
    const own = [
      "MALLOC_ARENA_MAX",
      "NODE_CHANNEL_FD",
      "NODE_CHANNEL_SERIALIZATION_MODE",
      "PWD",
      "OLDPWD",
      "SHLVL",
      "_",
      "",
    ];
    expect(names.filter((name) => !own.includes(name ?? ""))).toEqual([]);
    expect(os.getPriority(pidOf("quick"))).toBe(10);
    expect(processFile("quick", "oom_score_adj").trim()).toBe("1000");
  });

  it("reads only accepted formats, whatever the message says", async () => {
    start();
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`;
    const tiff = await sharp({ create: { width: 9, height: 9, channels: 3, background: "#ffffff" } })
      .tiff()
      .toBuffer();
    for (const content of [Buffer.from(svg), tiff]) {
      expect(await sharp(content).metadata()).toMatchObject({ width: 9 });
      const path = await folder.write("file", content);
      const type = { ext: "png", mime: "image/png", kind: "image" } as const;
      const info = { width: 9, height: 9, frames: 1, duration: null, hasSound: false };
      const seen = { kind: "image", type, info, cost: { memory: 1, pixels: 81 } } as const;
      const task = { is: "render", path, seen, limits, to: paths(), tools: null } as const;
      await expect(decoder.quick.run(task, "")).rejects.toMatchObject({ reason: "file is damaged or incomplete" });
    }
  });

  it("ends with the decoder, and when idle for a while", async () => {
    start({ idleMs: 1 });
    await decode(await jpeg());
    const pid = pidOf("quick");
    await expect.poll(() => isAlive(pid)).toBe(false);
    await decode(await jpeg());
    await decoder[Symbol.asyncDispose]();
    await expect.poll(() => isAlive(pidOf("quick"))).toBe(false);
    await expect(decode(await jpeg())).rejects.toMatchObject({ status: 503, retryAfter: 5 });
  });

  it("ignores the signals of a terminal or service manager", async () => {
    start();
    await decode(await jpeg());
    const pid = pidOf("quick");
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.kill(pid, signal);
    await decode(await jpeg());
    expect([pidOf("quick"), isAlive(pid)]).toEqual([pid, true]);
  });
});

describe("memory", () => {
  const share = Math.floor((512 - 160) * 0.75) * MiB;

  it("is estimated from the header: a bomb of 1.2 GB is refused before decoding", async () => {
    start();
    await expect(decode(pngBomb(12_200, 12_200, DEEP_INTERLACED))).rejects.toMatchObject({
      status: 420,
      reason: `file takes more memory to decode than the server allows (${share} bytes)`,
    });
    expect(decoder.slow.pid).toBeUndefined(); // where it would have been decoded
  });

  it("is limited by the system: a file with a false header ends only its process", async () => {
    start({ memory: 260 * MiB });
    const path = await folder.write("bomb", pngBomb(6000, 6000, DEEP_INTERLACED)); // 288 MB
    const type = { ext: "png", mime: "image/png", kind: "image" } as const;
    const info = { width: 6000, height: 6000, frames: 1, duration: null, hasSound: false };
    const seen = { kind: "image", type, info, cost: { memory: 1, pixels: 1 } } as const;
    const task = { is: "render", path, seen, limits, to: paths(), tools: null } as const;
    await expect(decoder.slow.run(task, "")).rejects.toMatchObject({ name: "ProcessEnded", reason: "memory" });
    expect(ended()).toEqual([["slow", "render", "memory"]]);
    expect((await decode(large())).info.width).toBe(6000);
  });

  it("of the quick process is small: larger files go to the slow one", async () => {
    start();
    await decode(await jpeg());
    expect((await decode(pngBomb(3500, 3500, DEEP_INTERLACED))).info.width).toBe(3500); // 98 MB
    const most = (lane: "quick" | "slow") =>
      Number(/^VmHWM:\s+(\d+) kB/m.exec(processFile(lane, "status"))?.[1]) * 1024;
    expect(most("quick")).toBeLessThan(200 * MiB);
    expect(most("slow")).toBeGreaterThan(most("quick"));
  });
});

describe("time", () => {
  it("that exceeds the quick process's limit is available in the slow one", async () => {
    start({ quickMs: 1 });
    expect((await decode(await tinyBlocksGif(4_000_000))).info.width).toBe(2);
    expect(ended()[0]).toEqual(["quick", "look", "time"]);
  });

  it("that exceeds both limits is refused, and the next file is decoded", async () => {
    start({ quickMs: 1, slowMs: 1 });
    await expect(decode(await tinyBlocksGif(4_000_000))).rejects.toMatchObject({
      status: 420,
      reason: "file takes too long to decode",
    });
    expect(ended()).toEqual([
      ["quick", "look", "time"],
      ["slow", "look", "time"],
    ]);
  });

  it("that is exceeded ends ffmpeg too", async () => {
    const before = `echo $$ > ${folder.at("pid")}; sleep 100`;
    const tools = await fakeVideoTools(folder, { before });
    start({ tools: () => Promise.resolve(tools), slowMs: 1_500 });
    await expect(decode(mp4())).rejects.toMatchObject({ reason: "file takes too long to decode" });
    await expect.poll(() => isAlive(Number(readFileSync(folder.at("pid"), "utf8")))).toBe(false);
  });
});

describe("a process that ends over a file", () => {
  it("because it was killed is replaced, and the next one decodes the file", async () => {
    start();
    await decode(large());
    const pid = pidOf("slow");
    process.kill(pid, "SIGSTOP");
    const held = decode(large());
    await decode(await jpeg()); // the look at the large one was before it
    process.kill(pid, "SIGKILL");
    expect((await held).info.width).toBe(6000);
    expect(ended()).toEqual([["slow", "render", "killed"]]);
    expect(pidOf("slow")).not.toBe(pid);
  });

  it.each([
    ["by itself: the file is refused", "SEGV", "exit", { status: 420, reason: "file is damaged or incomplete" }],
    ["because it was killed: a temporary failure", "KILL", "killed", { status: 503, key: "overloaded" }],
  ])("twice %s, and others are decoded", async (_, signal, reason, refusal) => {
    const tools = await fakeVideoTools(folder, { before: `kill -${signal} $PPID` });
    start({ tools: () => Promise.resolve(tools) });
    await expect(decode(mp4())).rejects.toMatchObject(refusal);
    expect(ended()).toEqual([
      ["slow", "render", reason],
      ["slow", "render", reason],
    ]);
    expect((await decode(large())).info.width).toBe(6000);
  });
});

describe("other files", () => {
  it("are not delayed by a large file, which the slow process decodes", async () => {
    start();
    await decode(large());
    const slow = pidOf("slow");
    process.kill(slow, "SIGSTOP"); // it takes for ever now
    const held = decode(large());
    expect((await decode(await jpeg())).info.width).toBe(64);
    process.kill(slow, "SIGCONT");
    expect((await held).info.width).toBe(6000);
  });

  it("wait for their owner's turn, however many another one has", async () => {
    start();
    const picture = await jpeg();
    await decode(picture);
    const pid = pidOf("quick");
    process.kill(pid, "SIGSTOP");
    const order: string[] = [];
    const ask = (owner: string) =>
      decode(picture, owner).then(
        () => order.push(owner),
        () => order.push("none"),
      );
    const asked = Array.from({ length: 34 }, () => ask("many"));
    await expect.poll(() => order).toEqual(["none"]);
    asked.push(ask("few"));
    await expect.poll(() => order).toEqual(["none", "none"]);
    process.kill(pid, "SIGCONT");
    await Promise.all(asked);
    expect(order.slice(2, 8)).toContain("few");
  });

  it("wait in a bounded queue: beyond 32 they are refused at once", async () => {
    start();
    const picture = await jpeg();
    await decode(picture);
    const pid = pidOf("quick");
    process.kill(pid, "SIGSTOP");
    const waiting = Array.from({ length: 33 }, () => decode(picture));
    await expect.poll(() => decoder.quick.slot.waiting).toBe(32);
    await expect(decode(picture)).rejects.toMatchObject({ status: 503, retryAfter: 5 });
    process.kill(pid, "SIGCONT");
    expect((await Promise.all(waiting)).map(({ info }) => info.width)).toEqual(Array(33).fill(64));
  });
});
