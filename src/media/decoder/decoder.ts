/**
 * Decodes uploaded files in separate processes, so that a malicious one affects only its own upload.
 *
 * There are two processes, each with one file at a time and the owners of files in turns: a quick one for files small in bytes, pixels and estimated memory, which are
 * nearly all, and a slow one for the rest. If a file exceeds the quick one's time or memory, the slow one tries it
 * again, so that a wrong estimate or a crafted file blocks the quick one for seconds only. A file that is too much for the slow one
 * is refused.
 */
import { failure, invalid } from "../../errors.js";
import type { Logger } from "../../runtime/telemetry/log.js";
import type { DerivedPaths, FileType, Look, MediaLimits, Rendered } from "../types.js";
import { installedVideoTools, type VideoTools } from "../video-tools.js";
import { Lane } from "./lane.js";
import { NoProcess, ProcessEnded } from "./process.js";
import type { Results, Task } from "./protocol.js";

const MiB = 1024 * 1024;

/** Memory of an idle process. */
const RUNTIME_BYTES = 80 * MiB;
/** The quick process's share of the memory for decoding. */
const QUICK_SHARE = 0.25;
/** Limits of the quick process: bytes of a file, and pixels of all its frames. */
const QUICK_FILE_BYTES = 16 * MiB;
const QUICK_PIXELS = 24_000_000;
/** Time limit of one task in each process, in milliseconds: 150 million pixels take about five seconds. */
const QUICK_MS = 5_000;
const SLOW_MS = 60_000;
/** Idle time after which a process is stopped, in milliseconds; starting one takes a third of a second. */
const IDLE_MS = 30_000;

export interface DecodeRequest {
  path: string;
  bytes: number;
  limits: MediaLimits;
  /** paths of the thumbnails and sample to write */
  to: DerivedPaths;
  /** whether videos are accepted if ffmpeg is installed */
  videos: boolean;
  /** whose file it is: owners take turns. Absent for files of the administrator, and in requests from servers of the previous release */
  owner?: string | undefined;
}

export interface Decoded extends Rendered {
  type: FileType;
}

/** A decoder of files: processes of this server process, or those of the first one (`SharedDecoder`). */
export interface Decoding extends AsyncDisposable {
  /**
   * Inspects and decodes a file, and writes its thumbnails and sample.
   * @throws BoardError 420 on the field `file`: `unsupported_file`, `corrupt_file`, `too_many_pixels`, `too_much_memory`, `too_slow`,
   *   `too_long_video` or `no_video_support`; 503 if the queue is full, or if something kills the processes. Other errors, such as a full disk, are not the file's fault
   */
  decode(request: DecodeRequest): Promise<Decoded>;
}

export interface DecoderOptions {
  /** memory limit of both processes together, in bytes */
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
    const available = memory - 2 * RUNTIME_BYTES;
    const quick = Math.floor(available * QUICK_SHARE);
    this.quick = new Lane({ name: "quick", memory: quick, milliseconds: quickMs, idle, log });
    this.slow = new Lane({ name: "slow", memory: available - quick, milliseconds: slowMs, idle, log });
  }

  async decode({ path, bytes, limits, to, videos, owner = "" }: DecodeRequest): Promise<Decoded> {
    const first = bytes <= QUICK_FILE_BYTES ? this.quick : this.slow;
    const seen = await this.run(first, { is: "look", path, limits }, owner);
    const tools = videos && seen.kind === "video" ? await this.tools() : null;
    const rendered = await this.run(this.laneFor(seen), { is: "render", path, seen, limits, to, tools }, owner);
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

  /** Tries the slow process if the quick one has ended, and once more in a new one if it ended by itself, or was killed by something else. */
  private async run<T extends Task>(lane: Lane, task: T, owner: string): Promise<Results[T["is"]]> {
    for (let attempt = lane === this.quick ? 0 : 1; ; attempt += 1) {
      try {
        return await (attempt === 0 ? this.quick : this.slow).run(task, owner);
      } catch (error) {
        const mayHelp = error instanceof ProcessEnded && (attempt === 0 || /^(exit|killed)$/.test(error.reason));
        if (!mayHelp || attempt === 2) throw this.refusalFor(error);
      }
    }
  }

  private refusalFor(error: unknown): unknown {
    if (error instanceof NoProcess) return failure("overloaded", {}, { cause: error });
    if (!(error instanceof ProcessEnded)) return error;
    if (error.reason === "killed") return failure("overloaded", {}, { cause: error });
    if (error.reason === "memory") return this.tooMuchMemory();
    return invalid("file", error.reason === "time" ? "too_slow" : "corrupt_file");
  }

  [Symbol.asyncDispose](): Promise<void> {
    for (const lane of [this.quick, this.slow]) lane[Symbol.dispose]();
    return Promise.resolve();
  }
}
