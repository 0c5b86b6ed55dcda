import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { overloaded } from "../errors.js";
import { untilFound } from "../lib/until-found.js";

const run = promisify(execFile);

/** Absolute paths of ffmpeg and ffprobe. */
export interface VideoTools {
  ffmpeg: string;
  ffprobe: string;
  /** memory limit of each in bytes; 4 GiB by default */
  memory?: number | undefined;
}

const TOOL_TIMEOUT_MS = 60_000;
/** Limit of a program's standard output. */
const TOOL_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Limit of a program's address space, on systems that support it. */
const TOOL_MEMORY_KIB = 4 * 1024 * 1024;
/** Exit codes of a shell for programs that don't exist or can't be run. */
const NOT_FOUND = new Set<unknown>([126, 127]);

export type ToolResult =
  | { outcome: "done"; output: Buffer }
  /** killed because of the time limit */
  | { outcome: "slow" }
  /** killed because of too much output */
  | { outcome: "verbose" }
  /** no longer installed */
  | { outcome: "missing" }
  /** killed by something else, such as the kernel when memory runs out, or not started for a lack of it */
  | { outcome: "killed"; cause: unknown }
  /** exited with an error; `cause` contains its output */
  | { outcome: "failed"; cause: unknown };

export interface ToolLimits {
  /** in milliseconds */
  timeout?: number;
  /** writable memory in bytes */
  memory?: number | undefined;
}

interface ToolError extends Error {
  code?: string | number;
  killed?: boolean;
  signal?: NodeJS.Signals | null;
}

function resultOf(error: ToolError): ToolResult {
  if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return { outcome: "verbose" };
  if (NOT_FOUND.has(error.code)) return { outcome: "missing" };
  if (error.killed) return { outcome: "slow" };
  const isOfSystem = error.signal === "SIGKILL" || typeof error.code === "string";
  return { outcome: isOfSystem ? "killed" : "failed", cause: error };
}

/**
 * Runs a program without input, with an empty environment (ours contains secrets) and limited memory. A shell
 * sets the limits and executes the program; arguments are passed on, not parsed.
 */
export async function runTool(program: string, args: string[], limits: ToolLimits = {}): Promise<ToolResult> {
  const { timeout = TOOL_TIMEOUT_MS, memory } = limits;
  const data = memory === undefined ? "" : `ulimit -d ${Math.ceil(memory / 1024)} 2>/dev/null;`;
  const options = { encoding: "buffer", env: {}, killSignal: "SIGKILL", maxBuffer: TOOL_OUTPUT_BYTES } as const;
  const limited = ["-c", `${data} ulimit -v ${TOOL_MEMORY_KIB} 2>/dev/null; exec "$0" "$@"`, program, ...args];
  try {
    const running = run("/bin/sh", limited, { ...options, timeout });
    running.child.stdin?.end();
    return { outcome: "done", output: (await running).stdout };
  } catch (error) {
    return resultOf(error as ToolError);
  }
}

/** Finds a program on PATH with a shell, which Windows doesn't have: videos are not supported there. */
async function onPath(program: string): Promise<string | null> {
  const found = await run("/bin/sh", ["-c", 'command -v "$0"', program]).catch(() => null);
  const path = found?.stdout.trim();
  return path?.startsWith("/") ? path : null;
}

async function works(program: string): Promise<boolean> {
  const { outcome } = await runTool(program, ["-version"], { timeout: 10_000 });
  if (outcome === "slow" || outcome === "killed") throw overloaded();
  return outcome === "done";
}

/**
 * Finds ffmpeg and ffprobe; null unless both exist and run.
 * @param folder searched instead of PATH
 * @throws BoardError 503 if the system is too busy to run them
 */
export async function findVideoTools(folder?: string): Promise<VideoTools | null> {
  const locate = async (program: string) => (folder ? `${folder}/${program}` : onPath(program));
  const [ffmpeg, ffprobe] = await Promise.all([locate("ffmpeg"), locate("ffprobe")]);
  if (!ffmpeg || !ffprobe) return null;
  return (await works(ffmpeg)) && (await works(ffprobe)) ? { ffmpeg, ffprobe } : null;
}

/** The programs on PATH. While there are none, each call looks again: the system may have been too busy to start them. */
export const installedVideoTools = untilFound(() => findVideoTools());
