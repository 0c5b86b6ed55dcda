/**
 * The program of a decoder process: everything that opens uploaded files. It knows no database and no secrets, works at the
 * lowest priority, is the first to be ended when the machine runs out of memory, and ends with the server that has started it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import { look, render } from "../media.js";
import { restrictLoaders } from "../libvips.js";
import { type Answer, messageOf, type Results, type Task, toWire } from "./protocol.js";

const NICENESS = 10;
const FIRST_TO_GO = "1000";

/** libvips, its codecs, ffmpeg and the system say it in their own words. */
const NO_MEMORY = /out of memory|(?:insufficient|allocate) memory|memory allocation|failed to allocate/i;

const isExhausted = (error: unknown): boolean =>
  NO_MEMORY.test(messageOf(error)) || NO_MEMORY.test(messageOf((error as { cause?: unknown }).cause ?? ""));

/** What can't be had (another system, no right to) changes nothing of what is done. */
function yieldToOthers(): void {
  const wishes = [() => os.setPriority(NICENESS), () => writeFileSync("/proc/self/oom_score_adj", FIRST_TO_GO)];
  for (const wish of wishes) {
    try {
      wish();
    } catch {
      // as it was
    }
  }
}

/** At once, whatever a thread is at, and with ffmpeg where one runs: this process leads a group of its own. */
function end(): void {
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    process.exit(1);
  }
}

function perform(task: Task): Promise<Results[keyof Results]> {
  if (task.is === "look") return look(task.path, task.limits);
  return render(task.path, task.seen, task.limits, task.to, task.tools);
}

async function answer(task: Task): Promise<Answer> {
  const resident = () => process.memoryUsage.rss();
  try {
    const result = await perform(task);
    return { is: "done", result, resident: resident() };
  } catch (error) {
    if (isExhausted(error)) return { is: "exhausted", resident: resident() };
    return { is: "failed", error: toWire(error), resident: resident() };
  }
}

/** Memory that can be written to, also what is only reserved: with Node 24 half a gigabyte for machine code. */
function ownData(): number | null {
  try {
    const kibibytes = /^VmData:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    return kibibytes === undefined ? null : Number(kibibytes) * 1024;
  } catch {
    return null;
  }
}

const send = (message: Answer): void => void process.send?.(message);

// A terminal or service manager signals every process; the server ends this one when it is no longer needed.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.on("disconnect", end);
process.on("message", (task: Task) => void answer(task).then(send));
yieldToOthers();
restrictLoaders();
send({ is: "ready", data: ownData() });
