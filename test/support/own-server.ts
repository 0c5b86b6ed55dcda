/** A server with the embedded database of a folder, for tests that kill either. */
import { execFile } from "node:child_process";
import { chmod } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { findPostmaster, type Postmaster } from "../../src/database/embedded/postmaster.js";
import { openEmbedded } from "../../src/database/embedded.js";
import { FAILURES } from "../../src/errors.js";
import { discard } from "./clusters.js";
import { Client } from "./client.js";
import { Folder } from "./folder.js";
import { prepareDataDir } from "./prepared.js";
import { ServerProcess } from "./server-process.js";

const run = promisify(execFile);

/** What no test here is about is not in its way. */
const SETTINGS = { LOG_LEVEL: "warn", LIMIT_ANONYMOUS: "1000000", LIMIT_MEMBER: "1000000", LIMIT_PLATINUM: "1000000" };

export class OwnServer implements AsyncDisposable {
  private constructor(
    private readonly folder: Folder,
    private readonly settings: Record<string, string>,
    private readonly release: string | undefined,
    /** the one that runs now, or ran last */
    public process: ServerProcess,
  ) {}

  /** @param release the folder of another build than that of this checkout */
  static async start(settings: Record<string, string> = {}, release?: string): Promise<OwnServer> {
    const folder = await Folder.make();
    await chmod(folder.path, 0o711); // the database's user has to enter it
    if (settings.DATABASE_URL === undefined) await prepareDataDir(folder.at("data"));
    const all = { ...SETTINGS, ...settings };
    const process = await ServerProcess.start(folder.at("data"), all, release);
    return new OwnServer(folder, all, release, process);
  }

  get dataDir(): string {
    return this.folder.at("data");
  }

  get anonymous(): Client {
    return new Client(this.process.url);
  }

  /** Starts it again, after it was ended. */
  async restart(): Promise<void> {
    this.process = await ServerProcess.start(this.dataDir, this.settings, this.release);
  }

  /** The output of a `board` command as JSON, whatever its exit code. */
  async board<T>(...args: string[]): Promise<T> {
    const { stdout } = await run("node", ["dist/src/cli.js", ...args], { env: this.process.env }).catch(
      (error: { stdout?: string }) => {
        if (!error.stdout) throw error;
        return { stdout: error.stdout };
      },
    );
    return JSON.parse(stdout) as T;
  }

  /** Creates an account. @returns a client with its credentials */
  async account(name: string, level: string): Promise<Client> {
    const { api_key: apiKey } = await this.board<{ api_key: string }>("user", "create", name, "a long password", level);
    return this.anonymous.as({ name, apiKey });
  }

  /** The process of its database. */
  postmaster(): Promise<Postmaster | undefined> {
    return findPostmaster(path.join(this.dataDir, "postgres"));
  }

  /** Runs work on the database, as one of its members. */
  async withDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const database = await openEmbedded({ dataDir: this.dataDir });
    const client = new pg.Client({ connectionString: database.url });
    try {
      await client.connect();
      return await work(client);
    } finally {
      await client.end();
      await database.close();
    }
  }

  /** The internal errors that the current process has logged, each of which was a 500. */
  get faults(): string[] {
    return this.process.output.filter((line) => line.includes(FAILURES.internal.reason));
  }

  /** Kills both. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.end("SIGKILL");
    discard(this.folder.path);
  }
}
