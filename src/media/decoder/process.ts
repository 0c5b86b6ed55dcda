/** The server's side of a decoder process. */
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import path from "node:path";
import type { Duplex } from "node:stream";
import type { z } from "zod";
import { jsonOf } from "../../lib/json.js";
import { projectRoot } from "../../lib/project-root.js";
import { untilFound } from "../../lib/until-found.js";
import { fromWire, type Results, type Task } from "./protocol.js";
import { READY, REPLIES } from "./replies.js";

const MiB = 1024 * 1024;

/** Memory that a process allocates for itself after its start: stacks of threads, and heap. */
const GROWTH_BYTES = 64 * MiB;
/** Limit of the JavaScript heap, which contains only headers and ffprobe's output. */
const HEAP_MEGABYTES = 96;
/** Time limit of a start, in milliseconds; on an idle machine it takes a third of a second. */
const START_MS = 30_000;
/** Characters that are kept from the end of a process's standard error. */
const STDERR_CHARS = 500;
/** Maximum characters of a reply. */
const REPLY_CHARS = 1_000_000;
/** The file descriptor of a process's end of the channel. */
const CHANNEL = 3;

/** The built program, also when tests run the sources: a TypeScript loader would need memory. */
const PROGRAM = path.join(projectRoot(), "dist/src/media/decoder/worker.js");

/** The process exited or was killed before it responded. */
export class ProcessEnded extends Error {
  override name = "ProcessEnded";
  /** @param reason `time`: killed after the time limit; `memory`: out of memory; `killed`: by something else; `exit`: exited or crashed, or killed for an invalid reply */
  constructor(
    readonly reason: "time" | "memory" | "killed" | "exit",
    message: string,
  ) {
    super(message);
  }
}

export class NoProcess extends Error {
  override name = "NoProcess";
}

/** Writable memory of a newly started process in bytes, measured once, in a process without limit. */
const runtime = untilFound(async () => ({ data: await DecoderProcess.measure() }));

export class DecoderProcess {
  private readonly child: ChildProcess;
  /** undefined if the process could not be started */
  private readonly channel: Duplex | undefined;
  private stderrTail = "";
  /** its id may be another process's */
  private isReaped = false;
  /** resident memory after the last task, in bytes */
  resident = 0;

  /**
   * Starts a process.
   * @param memory limit for decoding in bytes, in addition to the process's own, on systems that support it
   * @throws NoProcess
   */
  static async start(memory: number, program = PROGRAM): Promise<DecoderProcess> {
    const data = (await runtime())?.data ?? null;
    const started = new DecoderProcess(data === null ? null : data + GROWTH_BYTES + memory, program);
    await started.ready();
    return started;
  }

  static async measure(): Promise<number | null> {
    const started = new DecoderProcess(null, PROGRAM);
    try {
      return await started.ready();
    } finally {
      started.end();
    }
  }

  /** @param limit writable memory in bytes */
  private constructor(limit: number | null, program: string) {
    this.child = spawnProgram(limit, program);
    this.channel = this.child.stdio?.[CHANNEL] as Duplex | undefined;
    this.channel?.setEncoding("utf8").on("error", () => undefined); // of its end
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderrTail = (this.stderrTail + text).slice(-STDERR_CHARS);
    });
    this.child.on("error", () => undefined); // handled by `next`
    this.child.once("exit", () => {
      this.end(); // what is left of its group, which keeps its id
      this.isReaped = true;
    });
  }

  private async ready(): Promise<number | null> {
    const { data } = await this.next(READY, START_MS).catch((error: unknown) => {
      throw new NoProcess("a decoder process could not be started", { cause: error });
    });
    return data;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null || this.channel?.destroyed !== false;
  }

  /**
   * Runs a task in the process; one at a time.
   * @param milliseconds time limit, after which the process is killed
   * @throws errors of the task; ProcessEnded, after which this object can't be used
   */
  async run<T extends Task>(task: T, milliseconds: number): Promise<Results[T["is"]]> {
    const replying = this.next(REPLIES[task.is], milliseconds);
    this.channel?.write(`${JSON.stringify(task)}\n`); // if it can't be sent, `next` fails
    const reply = await replying;
    this.resident = reply.resident;
    if (reply.is === "exhausted") throw new ProcessEnded("memory", "out of memory");
    if (reply.is === "failed") throw fromWire(reply.error);
    return reply.result as Results[T["is"]];
  }

  /** Kills the process and those that it has started. */
  end(): void {
    this.channel?.destroy();
    if (this.pid === undefined || this.isReaped) return;
    try {
      process.kill(-this.pid, "SIGKILL");
    } catch {
      // all of its group have ended
    }
  }

  /**
   * The next message of the process, a line of JSON. A file may have taken the process over: it is killed for a message that is
   * invalid or too long, and nothing is read while no message is expected.
   * @throws ProcessEnded
   */
  private next<T>(schema: z.ZodType<T>, milliseconds: number): Promise<T> {
    const { child, channel } = this;
    return new Promise((resolve, reject) => {
      let line = "";
      const settle = (settled: () => void) => {
        clearTimeout(timer);
        channel?.off("data", onData).pause();
        child.off("exit", onExit).off("error", onExit);
        settled();
      };
      const endFor = (reason: ProcessEnded["reason"], message: string) =>
        settle(() => {
          this.end();
          reject(new ProcessEnded(reason, message));
        });
      const onData = (text: string) => {
        line += text;
        if (line.length > REPLY_CHARS) return endFor("exit", "its reply is too long");
        if (!line.endsWith("\n")) return;
        const reply = schema.safeParse(jsonOf(line));
        if (reply.success) settle(() => resolve(reply.data));
        else endFor("exit", "its reply is invalid");
      };
      const onExit = (how: unknown, signal?: unknown) =>
        endFor(
          signal === "SIGKILL" ? "killed" : "exit",
          `ended with ${String(signal ?? how)}: ${this.stderrTail.trim()}`,
        );
      const timer = setTimeout(() => endFor("time", `took longer than ${milliseconds} ms`), milliseconds);
      channel?.on("data", onData).resume();
      child.once("exit", onExit).once("error", onExit);
      if (this.hasEnded) onExit(child.exitCode, child.signalCode);
    });
  }
}

/**
 * Starts a process with an empty environment. A shell limits the memory and executes the program. With few malloc arenas, glibc
 * returns the memory of a decoding before the next one. The program has Node's IPC; this end of its channel is a pipe, since Node
 * throws an uncaught error here for a message that is invalid, and keeps one without end.
 */
function spawnProgram(limit: number | null, file: string): ChildProcess {
  const program = [`--max-old-space-size=${HEAP_MEGABYTES}`, file];
  const options: SpawnOptions = {
    env: { MALLOC_ARENA_MAX: "2", NODE_CHANNEL_FD: String(CHANNEL) },
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    detached: true, // leads a process group, with which ffmpeg can be killed
  };
  if (limit === null) return spawn(process.execPath, program, options);
  const limited = `ulimit -d ${Math.ceil(limit / 1024)}; exec "$0" "$@"`;
  return spawn("/bin/sh", ["-c", limited, process.execPath, ...program], options);
}
