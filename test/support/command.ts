/** The built `board` command. */
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What a command prints, as JSON. */
export async function boardCommand<T>(databaseUrl: string, ...args: string[]): Promise<T> {
  spawnSync("node", ["scripts/setup.mjs", "--quiet"], { stdio: "inherit" });
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const { stdout } = await run("node", ["dist/src/cli.js", ...args], { env });
  return JSON.parse(stdout) as T;
}
