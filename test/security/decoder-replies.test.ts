/** A decoder process that an uploaded file has taken over can write anything to its channel to the server. */
import { existsSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DecoderProcess } from "../../src/media/decoder/process.js";
import { Folder } from "../support/folder.js";
import { isAlive } from "../support/processes.js";

const MiB = 1024 * 1024;
const limits = { maxPixels: 150_000_000, maxVideoSeconds: 140 };

let folder: Folder;
beforeEach(async () => {
  folder = await Folder.make();
});
afterEach(() => folder[Symbol.asyncDispose]());

describe("a decoder process that a file has taken over", () => {
  const task = { is: "look", path: "/", limits } as const;
  const done = (result: unknown) => JSON.stringify({ is: "done", result, resident: 1 });
  const type = { ext: "jpg", mime: "image/jpeg", kind: "image" };
  const info = { width: 1, height: 1, frames: 1, duration: null, hasSound: false };
  const cost = { memory: 1, pixels: 1 };
  const image = { kind: "image", type, info, cost };
  /** A process that says it is ready, and answers its first task with this. @param more of its program */
  const takenOver = async (answer: string, more = "") => {
    const file = await folder.write(
      "taken-over.cjs",
      `const { writeFileSync, writeSync } = require("node:fs");
       const send = (text) => {
         for (let rest = Buffer.from(text); rest.length > 0; ) {
           try { rest = rest.subarray(writeSync(3, rest)); } catch (error) { if (error.code !== "EAGAIN") throw error; }
         }
       };
       process.on("message", () => send(${JSON.stringify(answer)}));
       ${more}
       send('{"is":"ready","data":null}\\n');`,
    );
    return DecoderProcess.start(64 * MiB, file);
  };

  it("gets its reply accepted if that has the form of an honest one", async () => {
    const taken = await takenOver(`${done(image)}\n`);
    expect(await taken.run(task, 20_000)).toEqual(image);
    taken.end();
  });

  it.each<[string, string]>([
    ["text that is not JSON", "rubbish\n"],
    ["a hundred thousand brackets", `${"[".repeat(100_000)}\n`],
    ["null", "null\n"],
    ["a message of Node's own, about a handle", '{"cmd":"NODE_HANDLE","type":"net.Server"}\n'],
    ["another one", '{"cmd":"NODE_HANDLE_ACK"}\n'],
    ["the ready message again", '{"is":"ready","data":null}\n'],
    ["an error without content", '{"is":"failed","error":null,"resident":1}\n'],
    ["an error of an unknown key", '{"is":"failed","error":{"message":"x","key":"constructor"},"resident":1}\n'],
    ["no result", `${done(undefined)}\n`],
    ["a result of another task", `${done({ info, hasSample: true })}\n`],
    ["a type of file that is not accepted", `${done({ ...image, type: { ...type, ext: "html" } })}\n`],
    ["a width that is a text", `${done({ ...image, info: { ...info, width: "1" } })}\n`],
    ["two replies", `${done(image)}\n${done(image)}\n`],
    ["an endless reply", `"${"x".repeat(1_100_000)}`],
  ])("is killed for %s", async (_, answer) => {
    const taken = await takenOver(answer);
    await expect(taken.run(task, 20_000)).rejects.toMatchObject({ name: "ProcessEnded", reason: "exit" });
    await expect.poll(() => isAlive(taken.pid as number)).toBe(false);
  });

  it("is not killed after it has ended, when its process id may have been reused", async () => {
    const taken = await takenOver(`${done(image)}\n`);
    const pid = taken.pid as number;
    process.kill(pid, "SIGKILL");
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
    await expect(taken.run(task, 20_000)).rejects.toMatchObject({ name: "ProcessEnded" });
    const kill = vi.spyOn(process, "kill");
    taken.end();
    expect(kill).not.toHaveBeenCalled();
    kill.mockRestore();
  });

  it("is not read from while no reply is expected", async () => {
    const flood = `
      let [sent, end] = [0, Date.now() + 1000];
      while (Date.now() < end) {
        try { sent += writeSync(3, "x".repeat(100_000)); } catch {} // EAGAIN while it is not read
      }
      writeFileSync(${JSON.stringify(folder.at("sent"))}, String(sent));`;
    const taken = await takenOver(`${done(image)}\n`, `process.once("SIGUSR2", () => { ${flood} });`);
    await taken.run(task, 20_000);
    process.kill(taken.pid as number, "SIGUSR2");
    const sent = () => Number(readFileSync(folder.at("sent"), "utf8"));
    await expect.poll(sent).toBeGreaterThan(0);
    expect(sent()).toBeLessThan(1_000_000);
    taken.end();
  });
});
