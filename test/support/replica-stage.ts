/** Two servers of one board on a primary with a streaming replica, and a Redis if it is installed. */
import pg from "pg";
import { inject } from "vitest";
import { startBoard, type TestBoard } from "./board.js";
import type { Client } from "./client.js";
import type { TestUser } from "./factory.js";
import { Folder } from "./folder.js";
import { CutProxy } from "./cut-proxy.js";
import { noRedis, TestRedis } from "./redis.js";
import { PostgresServer } from "./replica.js";

/** Milliseconds that the replica may be behind, for all that a test looks at meanwhile. */
export const MAX_LAG = 6_000;

let serial = 0;

export class ReplicaStage implements AsyncDisposable {
  private constructor(
    readonly primary: PostgresServer,
    readonly replica: PostgresServer,
    /** the servers' way to the replica */
    readonly proxy: CutProxy,
    readonly servers: readonly [TestBoard, TestBoard],
    private readonly resources: AsyncDisposable[],
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<ReplicaStage> {
    const primary = await PostgresServer.start();
    const replica = await primary.replicate();
    const proxy = await CutProxy.open(replica.url);
    const redis = noRedis === null ? await TestRedis.start() : null;
    const folder = await Folder.make();
    const env = {
      TRUST_PROXY: "1",
      DATABASE_URL: primary.url,
      // the others are another cluster and another database, which are never read from
      DATABASE_REPLICA_URLS: [proxy.url, inject("databaseUrl"), replica.urlOf("postgres")].join(","),
      DATABASE_REPLICA_LAG_MS: String(MAX_LAG),
      DATA_DIR: folder.at("data"),
      ...(redis ? { REDIS_URL: redis.url } : { LIMITS_STORE: "postgres" }),
      ...settings,
    };
    const servers = [await startBoard(env), await startBoard(env)] as const;
    const resources = [primary, replica, proxy, folder, ...(redis ? [redis] : []), ...servers];
    return new ReplicaStage(primary, replica, proxy, servers, resources);
  }

  get first(): TestBoard {
    return this.servers[0];
  }

  /** A visitor who has written nothing, at an address of their own. */
  visitor(): Client {
    serial += 1;
    return this.first.anonymous.with({ "x-forwarded-for": `203.0.${Math.floor(serial / 250)}.${(serial % 250) + 1}` });
  }

  /** An account that has written nothing, with an address of its own. */
  async reader(): Promise<Client> {
    const { name, apiKey }: TestUser = await this.first.make.user("Member");
    return this.visitor().as({ name, apiKey });
  }

  /** The same asked at either server. */
  async atBoth<T>(client: Client, ask: (client: Client) => Promise<T>): Promise<[T, T]> {
    const [one, other] = this.servers.map(({ url }) => Object.assign(Object.create(client) as Client, { url }));
    return [await ask(one as Client), await ask(other as Client)];
  }

  /** Runs work while the replica is paused after everything written before. */
  async paused<T>(work: () => Promise<T>): Promise<T> {
    await this.caughtUp();
    await this.replica.pause();
    try {
      return await work();
    } finally {
      await this.replica.resume();
    }
  }

  /** Blocks reads of this table at the replica, and none at the primary: until `resume`, or its end. */
  async hold(table: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.primary.url });
    await client.connect();
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await this.primary.ask(`INSERT INTO tags (name) VALUES ('marker_${(serial += 1)}')`); // so that the lock is told on
    await this.caughtUp();
    await this.replica.pause();
    await client.query("COMMIT");
    await client.end();
  }

  /** Number of statements that wait there. */
  async waiting(): Promise<number> {
    const rows = await this.replica.ask("SELECT FROM pg_locks WHERE relation IS NOT NULL AND NOT granted");
    return rows.length;
  }

  private async caughtUp(): Promise<void> {
    const [here] = await this.primary.ask<{ lsn: string }>("SELECT pg_current_wal_flush_lsn()::text AS lsn");
    const isThere = `SELECT pg_last_wal_replay_lsn() >= '${here?.lsn}' AS it`;
    for (;;) if ((await this.replica.ask<{ it: boolean }>(isThere))[0]?.it) return;
  }

  /** Which of the servers read from the replica: those that show a stranger what was there before a change. */
  async areRead(): Promise<[boolean, boolean]> {
    const name = `marker_${(serial += 1)}`;
    return this.paused(async () => {
      await this.primary.ask(`INSERT INTO tags (name) VALUES ('${name}')`);
      return this.atBoth(this.visitor(), async (client) => {
        const { status, json } = await client.get("/tags.json", { search: { name } });
        return status === 200 && (json as unknown[]).length === 0;
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of this.resources.toReversed()) await each[Symbol.asyncDispose]();
  }
}
