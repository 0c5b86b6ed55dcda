/**
 * How long a statement may take before PostgreSQL itself cancels it. It differs by the viewer's level, so a connection is
 * told of it when it is given out, and only if it last served another level: the usual statement costs nothing more.
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
   * To be called outside of transactions, since a rollback would take it back. Of a failure the statement will tell that the
   * connection is wanted for.
   */
  setDeadline(milliseconds: number, done: () => void): void {
    this.deadline = milliseconds;
    // The pool has given it away and nobody has it in hand yet: an error that nobody hears ends the process.
    this.on("error", ignore);
    super.query(`SET statement_timeout = ${milliseconds}`, () => {
      this.off("error", ignore);
      done();
    });
  }
}

type Connected = Parameters<pg.Pool["connect"]>[0];

export interface DeadlinePoolConfig extends pg.PoolConfig {
  Client: typeof DeadlineClient;
  /** milliseconds that the statements of whoever asks may take; undefined when any time will do */
  deadline: () => number | undefined;
}

/**
 * A pool whose connections have the deadline of who asks for them. It gives them out in that one's asynchronous context,
 * too: without that, a connection that had to be waited for would bring the context of whoever released it.
 */
export class DeadlinePool extends pg.Pool {
  constructor(private readonly config: DeadlinePoolConfig) {
    super(config);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    const wanted = this.config.deadline();
    if (!callback) return this.connectWithin(wanted);
    const given = AsyncResource.bind(callback);
    super.connect((error, client, release) => {
      if (!client || error) given(error, client, release);
      else prepare(client, wanted, () => given(error, client, release));
    });
  }

  private async connectWithin(wanted: number | undefined): Promise<pg.PoolClient> {
    const client = await super.connect();
    return new Promise((resolve) => prepare(client, wanted, () => resolve(client)));
  }
}

function prepare(client: pg.PoolClient, wanted: number | undefined, done: () => void): void {
  const connection = client as unknown as DeadlineClient;
  if (wanted === undefined || wanted === connection.deadline) done();
  else connection.setDeadline(wanted, done);
}
