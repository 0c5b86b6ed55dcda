/** The built server as a process of its own, with its embedded database in a temporary folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { Folder } from "./folder.js";
import { prepareDataDir } from "./prepared.js";

const STARTED = /REST\s+(http:\/\/\S+?)\/posts\.json/;

export class ServerProcess implements AsyncDisposable {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: Folder | null,
    /** of the server and of every command that is to find it */
    readonly env: NodeJS.ProcessEnv,
    readonly url: string,
    /** milliseconds from its start until it served */
    readonly startTime: number,
    /** what it has written on its standard output so far, line by line */
    readonly output: readonly string[],
  ) {}

  /**
   * @param dataDir a folder to start on again, or to create; by default a temporary one with a database
   * @param release the folder of another build than that of this checkout
   */
  static async start(dataDir?: string, settings: Record<string, string> = {}, release = "."): Promise<ServerProcess> {
    const folder = dataDir === undefined ? await Folder.make() : null;
    if (folder) {
      await chmod(folder.path, 0o711); // the database's user has to enter it
      if (settings.DATABASE_URL === undefined) await prepareDataDir(folder.at("data"));
    }
    const always = { DATA_DIR: dataDir ?? folder?.at("data"), PORT: "0", BCRYPT_COST: "4", DRAIN_MS: "0" };
    const env = { ...process.env, ...always, ...settings };
    const began = Date.now();
    const child = spawn("node", [path.join(release, "dist/src/main.js")], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const output: string[] = [];
    const url = await addressOf(child, output);
    return new ServerProcess(child, folder, env, url, Date.now() - began, output);
  }

  get dataDir(): string {
    return this.env.DATA_DIR as string;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** Whether it is running. */
  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The messages that it has logged so far. */
  get messages(): string[] {
    const lines = this.output.filter((line) => line.startsWith("{"));
    return lines.map((line) => String((JSON.parse(line) as { msg?: unknown }).msg));
  }

  /** Sends a signal and waits for the exit. @returns the exit code, null after a signal that can't be caught */
  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    if (!this.isAlive) return this.child.exitCode;
    const exit = once(this.child, "exit");
    this.child.kill(signal);
    const [code] = (await exit) as [number | null];
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    await this.folder?.[Symbol.asyncDispose]();
  }
}

/** Where the server says that it listens. Its output is read to the end, or it would block or fail on a full or closed pipe. */
function addressOf(child: ChildProcess, output: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout)
      createInterface({ input: child.stdout }).on("line", (line) => {
        output.push(line);
        const url = STARTED.exec(line)?.[1];
        if (url !== undefined) resolve(url);
      });
    child.once("exit", () => reject(new Error(`the server ended before it listened:\n${output.join("\n")}`)));
  });
}
