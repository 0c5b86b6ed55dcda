/** Pools of connections, as the driver's, except for how they end. */
import { once } from "node:events";
import { callbackify } from "node:util";
import pg from "pg";

/** Milliseconds to wait for connections to close; those to a server that no longer responds never do. */
const LONGEST_CLOSE = 2_000;

/**
 * Options of connections that may wait for long without sending anything: unless the system probes them, those whose server's machine has failed
 * wait for ever.
 */
export const KEPT_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** Ends a connection; one whose server no longer responds without its goodbye. */
export async function endConnection(client: pg.Client): Promise<void> {
  const { connection } = client as pg.Client & { connection: pg.Connection };
  const timer = setTimeout(() => connection.stream.destroy(), LONGEST_CLOSE);
  await client.end();
  clearTimeout(timer);
}

/**
 * A pool whose `end` waits until its connections are closed. The driver's only asks for that, so that a database that is stopped
 * next may still have some, and ends each with an error.
 */
export class Pool extends pg.Pool {
  private readonly open = new Set<pg.PoolClient>();

  constructor(config: pg.PoolConfig) {
    super(config);
    this.on("connect", (client) => this.open.add(client));
    this.on("remove", (client) => this.open.delete(client));
  }

  /** @throws Error when it is called a second time */
  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    const ended = super.end().then(() => this.closed());
    return callback ? callbackify(() => ended)(callback) : ended;
  }

  private async closed(): Promise<void> {
    const signal = AbortSignal.timeout(LONGEST_CLOSE);
    while (this.open.size > 0 && !signal.aborted) await once(this, "remove", { signal }).catch(() => undefined);
  }
}
