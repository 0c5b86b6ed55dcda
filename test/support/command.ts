/** The `board` command, as it was built when the run began. */
import { execFile, spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { Folder } from "./folder.js";

const run = promisify(execFile);

/** What a command prints, as JSON; its data folder is a new one, which is removed. */
export async function boardCommand<T>(databaseUrl: string, ...args: string[]): Promise<T> {
  await using folder = await Folder.make();
  const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: folder.path };
  const { stdout } = await run("node", ["dist/src/cli.js", ...args], { env });
  return JSON.parse(stdout) as T;
}

export interface Ran {
  code: number | null;
  stdout: string;
  /** a sentence, or lines of the audit log */
  stderr: string;
}

/** Runs a command on a board, with the given standard input. */
export async function runBoardCommand(
  { databaseUrl, config }: { databaseUrl: string; config: { dataDir: string } },
  args: string[],
  input = "",
): Promise<Ran> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: config.dataDir, BCRYPT_COST: "4" };
  const child = spawn("node", ["dist/src/cli.js", ...args], { env });
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ]);
  return { code, stdout, stderr };
}
