/**
 * What a connection is given out with: how long its statements may take before PostgreSQL itself cancels them, and how many
 * others the same client holds already. The former differs by the viewer's level, so it is set on a connection when it is given
 * out, and only if it last served another level: the usual statement costs nothing more.
 */
import { AsyncResource } from "node:async_hooks";
import pg from "pg";

const ignore = (): void => undefined;

/** A connection whose `statement_timeout` can be changed. */
export class DeadlineClient extends pg.Client {
  /** milliseconds that its statements may take */
  deadline: number;

  constructor(config: pg.ClientConfig = {}) {
    super(config);
    this.deadline = Number(config.statement_timeout) || 0;
  }

  /**
   * To be called outside of transactions, since a rollback would take it back. It is sent ahead of the statement that the
   * connection is wanted for, and not waited for: that statement will report a failure.
   */
  setDeadline(milliseconds: number): void {
    this.deadline = milliseconds;
    // The pool has given it away and nobody has it in hand yet: an error that nobody hears ends the process.
    this.on("error", ignore);
    super.query(`SET statement_timeout = ${milliseconds}`, () => this.off("error", ignore));
  }
}

type Turn = (() => void) | Promise<() => void> | undefined;
type Connected = Parameters<pg.Pool["connect"]>[0];

export interface DeadlinePoolConfig extends pg.PoolConfig {
  Client: typeof DeadlineClient;
  /** milliseconds that the statements of the current request may take; undefined for no limit */
  deadline: () => number | undefined;
  /** Waits until the current request may have a connection, where it has to, and returns a function to call when it is released. Undefined: no waiting */
  turn?: () => Turn;
}

/**
 * A pool whose connections have the deadline of the current request. A connection is handed out in the asynchronous context of
 * the request that asked for it, not in that of the request that released it.
 */
export class DeadlinePool extends pg.Pool {
  constructor(private readonly config: DeadlinePoolConfig) {
    super(config);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    const wanted = this.config.deadline();
    const turn = this.config.turn?.();
    if (!callback) return this.connectWithin(wanted, turn);
    // not `AsyncResource.bind`, which makes a property of the function by `Object.defineProperty`
    const asked = new AsyncResource("Connection");
    const given: Connected = (...results) => asked.runInAsyncScope(callback, undefined, ...results);
    if (!(turn instanceof Promise)) return this.connectNow(wanted, given, turn);
    turn.then(
      (done) => this.connectNow(wanted, given, done),
      (error: Error) => given(error, undefined, ignore),
    );
  }

  private connectNow(wanted: number | undefined, given: Connected, done?: () => void): void {
    super.connect((error, client) => {
      if (!client || error) {
        done?.();
        return given(error, client, ignore);
      }
      callAtRelease(client, done);
      prepare(client, wanted);
      given(error, client, (broken) => client.release(broken));
    });
  }

  private async connectWithin(wanted: number | undefined, turn?: Turn): Promise<pg.PoolClient> {
    const done = await turn;
    try {
      const client = await super.connect();
      callAtRelease(client, done);
      prepare(client, wanted);
      return client;
    } catch (error) {
      done?.();
      throw error;
    }
  }
}

/** The pool gives each connection a `release` of its own whenever it gives it out. */
function callAtRelease(client: pg.PoolClient, done: (() => void) | undefined): void {
  if (!done) return;
  const release = client.release.bind(client);
  client.release = (broken) => {
    done();
    release(broken);
  };
}

function prepare(client: pg.PoolClient, wanted: number | undefined): void {
  const connection = client as unknown as DeadlineClient;
  if (wanted !== undefined && wanted !== connection.deadline) connection.setDeadline(wanted);
}
