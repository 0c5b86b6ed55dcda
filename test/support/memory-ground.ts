/**
 * Servers for the tests of the post cache: on a database of the tests; or on a primary with a replica for reads, and a server
 * in a process of its own, which are killed now and then.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Folder } from "./folder.js";
import { createDatabase } from "./database.js";
import { PostgresServer } from "./replica.js";
import { ServerProcess } from "./server-process.js";

export interface Ground extends AsyncDisposable {
  /** of the database */
  url: string;
  /** settings of the servers with a cache */
  settings: Record<string, string>;
  /** starts the server in a process of its own, where there is one */
  serve(settings: Record<string, string>): Promise<void>;
  /** where that one listens */
  address(): string | undefined;
  /** Waits until reads find everything that is committed. */
  settle(): Promise<void>;
  /** Kills one of them in the middle of its work, each in turn, and starts it again. */
  kill(round: number): Promise<void>;
}

/** One database, nothing of which is killed. */
export async function plainGround(): Promise<Ground> {
  const database = await createDatabase();
  const nothing = () => Promise.resolve();
  return {
    url: database.url,
    settings: {},
    serve: nothing,
    address: () => undefined,
    settle: nothing,
    kill: nothing,
    [Symbol.asyncDispose]: () => database.drop(),
  };
}

/** The log position of a server. */
const WRITTEN = "SELECT pg_current_wal_lsn() - '0/0' AS position";
const REPLAYED = "SELECT coalesce(pg_last_wal_replay_lsn() - '0/0', 0) AS position";

/** What a killed server left behind is still at work. */
const AT_WORK = `SELECT FROM pg_stat_activity WHERE application_name = 'graphbooru' AND state <> 'idle'`;

async function positionOf(server: PostgresServer, statement: string): Promise<number> {
  const [row] = await server.ask<{ position: string }>(statement);
  return Number(row?.position);
}

/** A primary, a replica, and a server that is killed. */
export async function harshGround(folder: Folder): Promise<Ground> {
  const primary = await PostgresServer.start();
  const replica = await primary.replicate();
  let server: ServerProcess | undefined;
  let start = (): Promise<ServerProcess> => Promise.reject(new Error("no server was wanted"));
  const killServer = async () => {
    await server?.end("SIGKILL");
    server = await start();
  };
  const restart = async (database: PostgresServer) => {
    await database.kill();
    await database.start();
  };
  const kills = [killServer, killServer, () => restart(replica), killServer, killServer, () => restart(primary)];
  return {
    url: primary.url,
    settings: { DATABASE_REPLICA_URLS: replica.url },
    async serve(settings) {
      start = () => ServerProcess.start(folder.at("data"), settings);
      server = await start();
    },
    address: () => server?.url,
    async settle() {
      while ((await primary.ask(AT_WORK)).length > 0) await sleep(5);
      const written = await positionOf(primary, WRITTEN);
      // a replica may cancel what is asked of it while it replays
      while ((await positionOf(replica, REPLAYED).catch(() => 0)) < written) await sleep(5);
    },
    kill: async (round) => kills[round % kills.length]?.(),
    async [Symbol.asyncDispose]() {
      await server?.end("SIGKILL");
      await replica[Symbol.asyncDispose]();
      await primary[Symbol.asyncDispose]();
    },
  };
}
