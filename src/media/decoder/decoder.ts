/**
 * Decodes uploaded files in separate processes, so that a malicious one affects only its own upload.
 *
 * There are two processes, each with one file at a time: a quick one for what is small by its bytes, pixels and memory, which is
 * nearly everything, and a slow one for the rest. What takes the quick one longer than it may, or more memory than it has, is done
 * again by the slow one: so an estimate that was wrong, or a crafted file, holds up the quick one for seconds only. What is too much
 * for the slow one is refused.
 */
import { failure, invalid } from "../../errors.js";
import type { Logger } from "../../runtime/telemetry/log.js";
import type { DerivedPaths, FileType, Look, MediaLimits, Rendered } from "../types.js";
import { installedVideoTools, type VideoTools } from "../video-tools.js";
import { Lane } from "./lane.js";
import { NoProcess, ProcessEnded } from "./process.js";
import type { Results, Task } from "./protocol.js";

const MiB = 1024 * 1024;

/** What a process holds by itself. */
const RUNTIME_BYTES = 80 * MiB;
/** Of the memory for decoding, the quick process' part. */
const QUICK_PART = 0.25;
/** What the quick process takes at most: bytes of a file, and pixels of all its frames. */
const QUICK_FILE_BYTES = 16 * MiB;
const QUICK_PIXELS = 24_000_000;
/** The longest that each works on one file before it is ended, in milliseconds: 150 million pixels take about five seconds. */
const QUICK_MS = 5_000;
const SLOW_MS = 60_000;
/** Milliseconds after which a process without work is ended; starting one takes a third of a second. */
const IDLE_MS = 30_000;

/** A file to be decoded. */
export interface DecodeRequest {
  path: string;
  /** its size */
  bytes: number;
  limits: MediaLimits;
  /** where thumbnails and sample are written */
  to: DerivedPaths;
  /** whether videos are taken, if ffmpeg is there */
  videos: boolean;
}

/** What became of it. */
export interface Decoded extends Rendered {
  type: FileType;
}

/** What decodes files: this process's decoders, or those of another process of the board. */
export interface Decoding extends AsyncDisposable {
  /**
   * Says what a file is and contains, and writes its thumbnails and sample.
   * @throws BoardError 420 on the field `file`: `unsupported_file`, `corrupt_file`, `too_many_pixels`, `too_much_memory`, `too_slow`,
   *   `too_long_video` or `no_video_support`; 503 when too many wait. Anything else is a fault, such as a full disk
   */
  decode(request: DecodeRequest): Promise<Decoded>;
}

export interface DecoderOptions {
  /** bytes that both processes together may take, all in all */
  memory: number;
  log: Logger;
  quickMs?: number;
  slowMs?: number;
  idleMs?: number;
  /** ffmpeg and ffprobe; by default those on PATH */
  tools?: () => Promise<VideoTools | null>;
}

export class Decoder implements Decoding {
  readonly quick: Lane;
  readonly slow: Lane;

  constructor(private readonly options: DecoderOptions) {
    const { memory, log, quickMs = QUICK_MS, slowMs = SLOW_MS, idleMs: idle = IDLE_MS } = options;
    const room = memory - 2 * RUNTIME_BYTES;
    const quick = Math.floor(room * QUICK_PART);
    this.quick = new Lane({ name: "quick", memory: quick, milliseconds: quickMs, idle, log });
    this.slow = new Lane({ name: "slow", memory: room - quick, milliseconds: slowMs, idle, log });
  }

  async decode({ path, bytes, limits, to, videos }: DecodeRequest): Promise<Decoded> {
    const first = bytes <= QUICK_FILE_BYTES ? this.quick : this.slow;
    first.refuseWhenFull();
    const seen = await this.run(first, { is: "look", path, limits });
    const tools = videos && seen.kind === "video" ? await this.tools() : null;
    const rendered = await this.run(this.laneFor(seen), { is: "render", path, seen, limits, to, tools });
    return { type: seen.type, ...rendered };
  }

  private async tools(): Promise<VideoTools | null> {
    const tools = await (this.options.tools ?? installedVideoTools)();
    return tools && { ...tools, memory: this.slow.options.memory };
  }

  /** @throws BoardError 420 `too_much_memory` */
  private laneFor(seen: Look): Lane {
    if (seen.kind === "video") return this.slow;
    const { memory, pixels } = seen.cost;
    if (memory > this.slow.options.memory) throw this.tooMuchMemory();
    return memory <= this.quick.options.memory && pixels <= QUICK_PIXELS ? this.quick : this.slow;
  }

  private tooMuchMemory() {
    return invalid("file", "too_much_memory", { limit: this.slow.options.memory });
  }

  private async run<T extends Task>(lane: Lane, task: T): Promise<Results[T["is"]]> {
    try {
      return await (lane === this.quick ? this.runQuick(task) : this.runSlow(task));
    } catch (error) {
      throw this.refusalFor(error);
    }
  }

  private runQuick<T extends Task>(task: T): Promise<Results[T["is"]]> {
    return this.quick.run(task).catch((error: unknown) => {
      if (!(error instanceof ProcessEnded)) throw error;
      return this.runSlow(task);
    });
  }

  /** A process that exited may have been killed from outside: the file is tried once more in the next one. */
  private runSlow<T extends Task>(task: T): Promise<Results[T["is"]]> {
    this.slow.refuseWhenFull();
    return this.slow.run(task).catch((error: unknown) => {
      if (!(error instanceof ProcessEnded) || error.reason !== "exit") throw error;
      return this.slow.run(task);
    });
  }

  private refusalFor(error: unknown): unknown {
    if (error instanceof NoProcess) return failure("overloaded", {}, { cause: error });
    if (!(error instanceof ProcessEnded)) return error;
    if (error.reason === "memory") return this.tooMuchMemory();
    return invalid("file", error.reason === "time" ? "too_slow" : "corrupt_file");
  }

  /** Ends both processes. */
  [Symbol.asyncDispose](): Promise<void> {
    for (const lane of [this.quick, this.slow]) lane[Symbol.dispose]();
    return Promise.resolve();
  }
}
