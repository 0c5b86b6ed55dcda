/**
 * A pool that limits, for each request, how long its statements take and how many connections it holds. The statement timeout depends on the viewer's
 * level. It is set when a connection is checked out, and only if its last viewer had another one, so that it usually costs nothing.
 */
import { AsyncResource } from "node:async_hooks";
import pg from "pg";
import { Pool } from "./pool.js";

const ignore = (): void => undefined;

/** A connection whose `statement_timeout` can be changed. */
export class DeadlineClient extends pg.Client {
  /** milliseconds that its statements may take */
  deadline: number;

  constructor(config: pg.ClientConfig = {}) {
    super(config);
    this.deadline = Number(config.statement_timeout) || 0;
    this.on("error", ignore); // the running or next statement reports it; an unhandled event would end the process
  }

  /**
   * Not to be called within a transaction, since a rollback would undo it. It is sent before the next statement and not awaited:
   * if it fails, so does that statement.
   */
  setDeadline(milliseconds: number): void {
    this.deadline = milliseconds;
    super.query(`SET statement_timeout = ${milliseconds}`, ignore);
  }
}

type Release = () => void;
type OnConnect = Parameters<pg.Pool["connect"]>[0];

export interface DeadlinePoolConfig extends pg.PoolConfig {
  Client: typeof DeadlineClient;
  /** milliseconds that the statements of the current request may take; undefined for no limit */
  deadline: () => number | undefined;
  /** how many statements a connection may have prepared; one with more is closed after its next use, since none is ever dropped */
  mostPrepared?: number | undefined;
  /** Waits until the current request may have a connection. @returns a function to call when it is released; undefined without a limit */
  acquire?: () => Release | Promise<Release> | undefined;
}

/**
 * A pool whose connections have the deadline of the current request. Callbacks run in the asynchronous context of the request that
 * asked for the connection, not of the one that released it.
 */
export class DeadlinePool extends Pool {
  constructor(private readonly config: DeadlinePoolConfig) {
    super(config);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnConnect): void;
  override connect(callback?: OnConnect): Promise<pg.PoolClient> | void {
    if (!callback)
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error)));
      });
    const deadline = this.config.deadline();
    const acquired = this.config.acquire?.();
    // faster than `AsyncResource.bind`, which defines a property on the function
    const context = new AsyncResource("Connection");
    const onConnect: OnConnect = (...results) => context.runInAsyncScope(callback, undefined, ...results);
    if (!(acquired instanceof Promise)) return this.connectNow(deadline, onConnect, acquired);
    acquired.then(
      (release) => this.connectNow(deadline, onConnect, release),
      (error: Error) => onConnect(error, undefined, ignore),
    );
  }

  private connectNow(deadline: number | undefined, onConnect: OnConnect, release?: Release): void {
    super.connect((error, client) => {
      if (!client || error) {
        release?.();
        return onConnect(error, client, ignore);
      }
      this.checkOut(client, deadline, release);
      onConnect(error, client, (broken) => client.release(broken));
    });
  }

  /** Sets the deadline, and has `onRelease` called when the connection is released: the pool sets a new `release` at each checkout. */
  private checkOut(client: pg.PoolClient, deadline: number | undefined, onRelease: Release | undefined): void {
    const { mostPrepared } = this.config;
    const isFull = mostPrepared !== undefined && preparedOn(client) > mostPrepared;
    if (onRelease || isFull) {
      const release = client.release.bind(client);
      client.release = (broken) => {
        onRelease?.();
        release(broken ?? isFull);
      };
    }
    const connection = client as unknown as DeadlineClient;
    if (deadline !== undefined && deadline !== connection.deadline) connection.setDeadline(deadline);
  }
}

/** How many statements a connection has prepared, of which the driver keeps the texts. */
function preparedOn(client: pg.PoolClient): number {
  const { connection } = client as unknown as { connection: { parsedStatements: Record<string, string> } };
  return Object.keys(connection.parsedStatements).length;
}
