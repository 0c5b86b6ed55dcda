import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Absolute paths of the two programs that read videos. */
export interface VideoTools {
  ffmpeg: string;
  ffprobe: string;
  /** most bytes of memory that each may take; 4 GiB by default */
  memory?: number | undefined;
}

/** Longest run of one program, in milliseconds. */
const TOOL_TIMEOUT_MS = 60_000;
/** Most bytes that a program may answer. */
const TOOL_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Most address space that a program may take, in kibibytes; where the system can limit it. */
const TOOL_MEMORY_KIB = 4 * 1024 * 1024;
/** What a shell answers for a program that is not there, or can't be run. */
const NOT_FOUND = new Set<unknown>([126, 127]);

/** What became of one run. */
export type ToolResult =
  | { outcome: "done"; output: Buffer }
  /** it did not end in time and was killed */
  | { outcome: "slow" }
  /** it answered more than it may and was killed */
  | { outcome: "verbose" }
  /** it is not there any more */
  | { outcome: "missing" }
  /** it ended with an error; `cause` has its words */
  | { outcome: "failed"; cause: unknown };

/** What a run may take. */
export interface ToolLimits {
  timeout?: number;
  memory?: number | undefined;
}

interface ToolError extends Error {
  code?: string | number;
  killed?: boolean;
}

function resultOf(error: ToolError): ToolResult {
  if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return { outcome: "verbose" };
  if (NOT_FOUND.has(error.code)) return { outcome: "missing" };
  return error.killed ? { outcome: "slow" } : { outcome: "failed", cause: error };
}

/**
 * Runs one of the programs, without input, without our environment, which holds secrets, and with a limit on its memory. It
 * is the shell that sets the limit and then becomes the program; it never reads the arguments.
 * @param limits milliseconds after which it is killed, and bytes of memory that it may write to
 */
export async function runTool(program: string, args: string[], limits: ToolLimits = {}): Promise<ToolResult> {
  const { timeout = TOOL_TIMEOUT_MS, memory } = limits;
  const data = memory === undefined ? "" : `ulimit -d ${Math.ceil(memory / 1024)} 2>/dev/null;`;
  const options = { encoding: "buffer", env: {}, killSignal: "SIGKILL", maxBuffer: TOOL_OUTPUT_BYTES } as const;
  const limited = ["-c", `${data} ulimit -v ${TOOL_MEMORY_KIB} 2>/dev/null; exec "$0" "$@"`, program, ...args];
  const running = run("/bin/sh", limited, { ...options, timeout });
  running.child.stdin?.end();
  try {
    return { outcome: "done", output: (await running).stdout };
  } catch (error) {
    return resultOf(error as ToolError);
  }
}

/** Asks a shell, which knows PATH; Windows has none and thereby no videos. */
async function onPath(program: string): Promise<string | null> {
  const found = await run("/bin/sh", ["-c", 'command -v "$0"', program]).catch(() => null);
  const path = found?.stdout.trim();
  return path?.startsWith("/") ? path : null;
}

async function works(program: string): Promise<boolean> {
  return (await runTool(program, ["-version"], { timeout: 10_000 })).outcome === "done";
}

/**
 * Finds ffmpeg and ffprobe; null unless both are there and run.
 * @param folder where to look instead of PATH
 */
export async function findVideoTools(folder?: string): Promise<VideoTools | null> {
  const locate = async (program: string) => (folder ? `${folder}/${program}` : onPath(program));
  const [ffmpeg, ffprobe] = await Promise.all([locate("ffmpeg"), locate("ffprobe")]);
  if (!ffmpeg || !ffprobe) return null;
  return (await works(ffmpeg)) && (await works(ffprobe)) ? { ffmpeg, ffprobe } : null;
}

let installed: Promise<VideoTools | null> | undefined;

/** The programs on PATH, looked for once in the life of the process. */
export const installedVideoTools = (): Promise<VideoTools | null> => (installed ??= findVideoTools());
