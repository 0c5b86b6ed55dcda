/** PostgreSQL servers from the system's packages, which support replicas; if they are not installed, the reason to skip. */
import { execFile, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, chown, mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { migrate } from "../../src/database/migrate.js";
import { discard } from "./clusters.js";
import { Folder } from "./folder.js";
import { freePort } from "./redis.js";

const run = promisify(execFile);

/** Where Debian puts each version's programs. */
const VERSIONS = "/usr/lib/postgresql";
const PROGRAMS = ["initdb", "pg_basebackup", "pg_ctl"];

const folders = existsSync(VERSIONS) ? readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a)) : [];
const programs = folders
  .map((version) => path.join(VERSIONS, version, "bin"))
  .find((folder) => PROGRAMS.every((program) => existsSync(path.join(folder, program))));

/** PostgreSQL does not run as root; the package brings a user for it. */
function findUser(): { uid: number; gid: number } | null | undefined {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = ["-u", "-g"].map((option) => {
    const { status, stdout } = spawnSync("id", [option, "postgres"], { encoding: "utf8" });
    return status === 0 ? Number(stdout) : undefined;
  });
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

const user = findUser();

/** Why tests with replicas can't run here; null when they can. */
export const noReplicas: string | null =
  programs === undefined ? "no postgresql package" : user === undefined ? "no user postgres" : null;

/** Tests need no durability, and a replica has to reconnect soon. */
const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "32MB",
  max_connections: "100",
  wal_keep_size: "256MB",
  wal_retrieve_retry_interval: "100ms",
  max_standby_streaming_delay: "0",
};

const DATABASE = "board";

const program = (name: string, ...args: string[]) => run(path.join(programs ?? "", name), args, { ...user, cwd: "/" });

/** One server, a primary or a replica. */
export class PostgresServer implements AsyncDisposable {
  private constructor(
    private readonly folder: Folder,
    private readonly port: number,
  ) {}

  /** A new primary, migrated. */
  static async start(): Promise<PostgresServer> {
    const server = await PostgresServer.make();
    await program(
      "initdb",
      "-D",
      server.data,
      "-U",
      "postgres",
      "-A",
      "trust",
      "--no-sync",
      "-E",
      "UTF8",
      "--locale=C.UTF-8",
    );
    await server.start();
    await server.ask(`CREATE DATABASE ${DATABASE}`, "postgres");
    await migrate(server.url);
    return server;
  }

  private static async make(): Promise<PostgresServer> {
    const folder = await Folder.make();
    const server = new PostgresServer(folder, await freePort());
    await chmod(folder.path, 0o711); // its user has to enter it
    await mkdir(server.data, { mode: 0o700 });
    if (user) await chown(server.data, user.uid, user.gid);
    return server;
  }

  /** A streaming replica of this server, that runs. */
  async replicate(): Promise<PostgresServer> {
    const replica = await PostgresServer.make();
    const from = ["-d", this.urlOf("postgres"), "-D", replica.data];
    await program("pg_basebackup", ...from, "-R", "-X", "stream", "-c", "fast", "--no-sync");
    await replica.start();
    return replica;
  }

  private get data(): string {
    return this.folder.at("cluster");
  }

  /** The URL of one of its databases. */
  urlOf(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  get url(): string {
    return this.urlOf(DATABASE);
  }

  /** Starts it again after `kill`. */
  async start(): Promise<void> {
    const all = { ...SETTINGS, port: this.port, listen_addresses: "127.0.0.1", unix_socket_directories: "" };
    const options = Object.entries(all).map(([name, value]) => `-c ${name}='${value}'`);
    const log = path.join(this.data, "server.log");
    await program("pg_ctl", "start", "-w", "-s", "-D", this.data, "-l", log, "-o", options.join(" "));
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    await program("pg_ctl", "stop", "-s", "-D", this.data, "-m", "immediate");
  }

  /** Runs a statement directly. */
  async ask<T>(statement: string, database = DATABASE): Promise<T[]> {
    const client = new pg.Client({ connectionString: this.urlOf(database) });
    await client.connect();
    try {
      return (await client.query(statement)).rows as T[];
    } finally {
      await client.end();
    }
  }

  /** Pauses the replay of a replica until `resume`. */
  async pause(): Promise<void> {
    await this.ask("SELECT pg_wal_replay_pause()");
    for (;;) {
      const [row] = await this.ask<{ state: string }>("SELECT pg_get_wal_replay_pause_state() AS state");
      if (row?.state === "paused") return;
    }
  }

  async resume(): Promise<void> {
    await this.ask("SELECT pg_wal_replay_resume()");
  }

  [Symbol.asyncDispose](): Promise<void> {
    discard(this.folder.path);
    return Promise.resolve();
  }
}
