/** A decoder's process, as the server has it. */
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Answer, fromWire, type Results, type Task } from "./protocol.js";

const MiB = 1024 * 1024;

/** What a process takes for itself after its start: stacks of threads, and its heap. */
const GROWTH_BYTES = 64 * MiB;
/** Most megabytes of JavaScript's heap: headers, and what ffprobe says. */
const HEAP_MEGABYTES = 96;
/** Longest start, in milliseconds; it takes a third of a second where nothing else runs. */
const START_MS = 30_000;
/** Of what a process says when it dies, this many last characters are kept. */
const LAST_WORDS = 500;

const SELF = fileURLToPath(import.meta.url);
const BUILT =
  path.extname(SELF) === ".ts"
    ? path.resolve(path.dirname(SELF), "../../../dist/src/media/decoder")
    : path.dirname(SELF);
/** The built program, also where this file itself is not: a loader of TypeScript would take memory of the decodings. */
const PROGRAM = path.join(BUILT, "worker.js");

/** The process ended, or was ended, before it answered. */
export class ProcessEnded extends Error {
  override name = "ProcessEnded";
  /** @param reason `time` when it took longer than it may, `memory` when it got no more, `exit` when it ended by itself or by another */
  constructor(
    readonly reason: "time" | "memory" | "exit",
    message: string,
  ) {
    super(message);
  }
}

/** No process could be started: it is none of the file's doing. */
export class NoProcess extends Error {
  override name = "NoProcess";
}

let runtimeData: Promise<number | null> | undefined;

/** Bytes that count against the limit of a process that has just started, by one that has none; found out once. */
async function dataOfRuntime(): Promise<number | null> {
  const measured = (runtimeData ??= DecoderProcess.measure());
  return measured.catch((error: unknown) => {
    runtimeData = undefined;
    throw error;
  });
}

export class DecoderProcess {
  private readonly child: ChildProcess;
  private lastWords = "";
  /** bytes that it held after its last task */
  resident = 0;

  /**
   * Starts a process.
   * @param memory bytes that it may take for decoding, beside what it needs itself; where the system can limit it
   * @throws NoProcess
   */
  static async start(memory: number): Promise<DecoderProcess> {
    const data = await dataOfRuntime();
    const started = new DecoderProcess(data === null ? null : data + GROWTH_BYTES + memory);
    await started.ready();
    return started;
  }

  static async measure(): Promise<number | null> {
    const started = new DecoderProcess(null);
    try {
      return await started.ready();
    } finally {
      started.end();
    }
  }

  /** @param limit bytes of memory that can be written to */
  private constructor(limit: number | null) {
    this.child = spawnProgram(limit);
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.lastWords = (this.lastWords + text).slice(-LAST_WORDS);
    });
    this.child.on("error", () => undefined); // waiting callers learn of it by `exit` or `next`
    this.child.once("exit", () => this.end()); // what it has started itself may run on
  }

  private async ready(): Promise<number | null> {
    const answer = await this.next(START_MS).catch((error: unknown) => {
      throw new NoProcess("a decoder could not be started", { cause: error });
    });
    return answer.is === "ready" ? answer.data : null;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null || !this.child.connected;
  }

  /**
   * Has the process do a task; one at a time.
   * @param milliseconds after which it is ended
   * @throws BoardError and faults of the task; ProcessEnded, after which this is of no use any more
   */
  async ask<T extends Task>(task: T, milliseconds: number): Promise<Results[T["is"]]> {
    const answering = this.next(milliseconds);
    this.child.send(task, () => undefined); // that it could not be sent shows by the end of the process
    const answer = await answering;
    if (answer.is === "ready") throw new Error("a decoder says twice that it is ready");
    this.resident = answer.resident;
    if (answer.is === "exhausted") throw new ProcessEnded("memory", "no more memory");
    if (answer.is === "failed") throw fromWire(answer.error);
    return answer.result as Results[T["is"]];
  }

  /** Ends it and whatever it has started, at once. */
  end(): void {
    if (this.child.connected) this.child.disconnect();
    if (this.pid === undefined) return;
    for (const target of [-this.pid, this.pid]) {
      try {
        process.kill(target, "SIGKILL");
        return;
      } catch {
        // it has gone, or leads no group
      }
    }
  }

  /** Its next message. */
  private next(milliseconds: number): Promise<Answer> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      const settle = (settled: () => void) => {
        clearTimeout(timer);
        child.off("message", onMessage).off("exit", onExit).off("error", onExit);
        settled();
      };
      const onMessage = (message: unknown) => settle(() => resolve(message as Answer));
      const onExit = (how: unknown, signal?: unknown) =>
        settle(() => reject(new ProcessEnded("exit", `ended with ${String(signal ?? how)}: ${this.lastWords.trim()}`)));
      const onTimeout = () =>
        settle(() => {
          this.end();
          reject(new ProcessEnded("time", `took longer than ${milliseconds} ms`));
        });
      const timer = setTimeout(onTimeout, milliseconds);
      child.on("message", onMessage).once("exit", onExit).once("error", onExit);
      if (this.hasEnded) onExit(child.exitCode, child.signalCode);
    });
  }
}

/**
 * Starts a process with nothing of our environment. It is a shell that limits the memory and then becomes the program. Few arenas
 * of glibc's give back what one decoding leaves before the next begins.
 */
function spawnProgram(limit: number | null): ChildProcess {
  const program = [`--max-old-space-size=${HEAP_MEGABYTES}`, PROGRAM];
  const options: SpawnOptions = {
    env: { MALLOC_ARENA_MAX: "2" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    detached: true, // a group of its own, for what it starts
  };
  if (limit === null) return spawn(process.execPath, program, options);
  const limited = `ulimit -d ${Math.ceil(limit / 1024)}; exec "$0" "$@"`;
  return spawn("/bin/sh", ["-c", limited, process.execPath, ...program], options);
}
