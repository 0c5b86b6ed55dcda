/** The decoders of a built server: the cost of decompression bombs, and what happens when they or their server are killed. */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../support/client.js";
import { DEEP_INTERLACED, jpeg, pngBomb } from "../support/pictures.js";
import { isAlive } from "../support/processes.js";
import { OwnServer } from "../support/own-server.js";

const MiB = 1024 * 1024;

let server: OwnServer;
let upload: (file: Buffer) => Promise<Answer>;

/** Makes an account, which uploads from now on. */
async function signUp(name: string): Promise<void> {
  const client = await server.account(name, "contributor");
  upload = (file) => {
    const form = new FormData();
    form.append("upload[rating]", "s");
    form.append("upload[tag_string]", "x");
    form.append("upload[file]", new Blob([new Uint8Array(file)]), "a");
    return client.send("/uploads.json", { method: "POST", body: form });
  };
}
const stop = () => server?.[Symbol.asyncDispose]();

const read = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // the process has gone
  }
};

/** The processes below one, at any depth; any of its threads may have started them. */
function below(pid: number): number[] {
  const threads = isAlive(pid) ? readdirSync(`/proc/${pid}/task`) : [];
  const children = threads.flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean));
  return children.map(Number).flatMap((child) => [child, ...below(child)]);
}

const decoders = (): number[] =>
  below(server.process.pid).filter((pid) => read(`/proc/${pid}/cmdline`).includes("decoder/worker.js"));

/** Most bytes that a process has held so far. */
const mostOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;

let seed = 73_000;
const small = () => jpeg({ width: 1000, height: 700, seed: (seed += 1) });

const large = () => pngBomb(6000, 5000 + ((seed += 1) % 100));
const statuses = async (uploads: Promise<Answer>[]) => (await Promise.all(uploads)).map(({ status }) => status);

/** Both decoders, each after a file of its kind. */
async function pair(): Promise<number[]> {
  expect(await statuses([upload(await small()), upload(large())])).toEqual([200, 200]);
  const pids = decoders();
  expect(pids).toHaveLength(2);
  return pids;
}

describe.each([
  ["one server process", "1"],
  ["two server processes, which share them", "2"],
])("the decoders of %s", (_, workers) => {
  beforeAll(async () => {
    server = await OwnServer.start({ WORKERS: workers });
    await signUp("first");
  }, 120_000);
  afterAll(stop);

  it("are one process for all small pictures, and another for larger ones", async () => {
    expect(decoders()).toEqual([]);
    const pictures = await Promise.all(Array.from({ length: 6 }, small));
    expect(await statuses(pictures.map(upload))).toEqual(Array(6).fill(200));
    expect(decoders()).toHaveLength(1);
    await pair();
  }, 60_000);

  it("say why they refuse a file", async () => {
    const { status, json } = await upload(Buffer.from("text"));
    expect([status, json.reason]).toEqual([420, expect.stringContaining("is not a supported file type")]);
  }, 60_000);

  it("refuse two bombs of 1.2 GB at once, stay below 512 MB, and accept a small picture meanwhile", async () => {
    const before = mostOf(server.process.pid);
    const bombs = [0, 1].map((index) => upload(pngBomb(12_200, 12_200 - index, DEEP_INTERLACED)));
    expect((await upload(await small())).status).toBe(200);
    for (const { status, json } of await Promise.all(bombs)) {
      expect([status, json.reason]).toEqual([420, expect.stringContaining("takes more memory to decode than")]);
    }
    expect(mostOf(server.process.pid) - before).toBeLessThan(64 * MiB);
    expect(
      decoders()
        .map(mostOf)
        .reduce((sum, bytes) => sum + bytes, 0),
    ).toBeLessThan(512 * MiB);
  }, 60_000);

  it("are replaced when killed", async () => {
    const killed = await pair();
    for (const pid of killed) process.kill(pid, "SIGKILL");
    expect((await pair()).filter((pid) => killed.includes(pid))).toEqual([]);
  }, 60_000);

  it("end when their server is killed", async () => {
    const pids = await pair();
    await server.process.end("SIGKILL");
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  }, 60_000);

  it("end when it is stopped", async () => {
    await server.restart();
    await signUp("second");
    const pids = await pair();
    await server.process.end("SIGTERM");
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  }, 120_000);
});
