/**
 * The program of a decoder process, which opens uploaded files. It has no access to the database or secrets, runs at low
 * priority, is the first to be killed when the machine runs out of memory, and exits with the server that started it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import { look, render } from "../media.js";
import { restrictLoaders } from "../libvips.js";
import { messageOf, type Task, toWire } from "./protocol.js";
import type { Reply } from "./replies.js";

const NICENESS = 10;
/** The highest `oom_score_adj`: the kernel kills this process first. */
const OOM_SCORE = "1000";

/** Error messages of libvips, its codecs, ffmpeg and the system. */
const NO_MEMORY = /out of memory|(?:insufficient|allocate) memory|memory allocation|failed to allocate/i;

const isExhausted = (error: unknown): boolean =>
  NO_MEMORY.test(messageOf(error)) || NO_MEMORY.test(messageOf((error as { cause?: unknown }).cause ?? ""));

/** Ignores errors: not every system supports both, or permits them. */
function lowerPriority(): void {
  const settings = [() => os.setPriority(NICENESS), () => writeFileSync("/proc/self/oom_score_adj", OOM_SCORE)];
  for (const apply of settings) {
    try {
      apply();
    } catch {
      // unchanged
    }
  }
}

/** Kills this process, even while a thread is decoding, with its process group, to which ffmpeg belongs. */
function end(): void {
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    process.exit(1);
  }
}

async function replyTo(task: Task): Promise<Reply> {
  const resident = () => process.memoryUsage.rss();
  try {
    const { path, limits } = task;
    const result = await (task.is === "look"
      ? look(path, limits)
      : render(path, task.seen, limits, task.to, task.tools));
    return { is: "done", result, resident: resident() };
  } catch (error) {
    if (isExhausted(error)) return { is: "exhausted", resident: resident() };
    return { is: "failed", error: toWire(error), resident: resident() };
  }
}

/** Writable memory, including reserved one (with Node 24 half a gigabyte for machine code), in bytes. */
function ownData(): number | null {
  try {
    const kibibytes = /^VmData:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    return kibibytes === undefined ? null : Number(kibibytes) * 1024;
  } catch {
    return null;
  }
}

const send = (message: Reply): void => void process.send?.(message);

// Terminals and service managers signal all processes, but only the server ends this one.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.on("disconnect", end);
process.on("message", (task: Task) => void replyTo(task).then(send));
lowerPriority();
restrictLoaders();
send({ is: "ready", data: ownData() });
