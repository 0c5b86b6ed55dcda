/**
 * Events of the board, for listeners in every process: services notify within their transaction, PostgreSQL
 * delivers after the commit (NOTIFY), and each process receives it once (LISTEN). With Redis, events are delivered by it
 * instead, since PostgreSQL's commits with notifications wait for each other; every process listens to both.
 */
import { setMaxListeners } from "node:events";
import pg from "pg";
import { type Executor, type Sql, sql } from "../../database/client.js";
import { endConnection, KEPT_ALIVE } from "../../database/pool.js";
import { type Redis, subscriberOf } from "../../database/redis.js";
import { jsonOf } from "../../lib/json.js";
import type { Logger } from "../telemetry/log.js";

export interface BoardEvent {
  type: "post_created" | "post_changed" | "comment_created" | "note_changed" | "dmail_received" | "session_ended";
  id: number;
  /** the post, the owner of the dmail, or the user of the session: what listeners filter by */
  about: number;
}

/** In place of a session's id: the specification's cookies, which belong to no session. */
export const NO_SESSION = 0;

const CHANNEL = "graphbooru_events";
const RETRY_MILLISECONDS = 1_000;
/** Longest wait for a connection and for its only statement: a proxy may accept it and say nothing. */
const CONNECT_MILLISECONDS = 5_000;

/** Events of running transactions, which Redis publishes after the commit. */
const outboxes = new WeakMap<Executor, BoardEvent[]>();

const notification = (event: BoardEvent): Sql => sql`pg_notify(${CHANNEL}, ${JSON.stringify(event)})`;

/** Publishes an event when the transaction commits; never if it is rolled back. */
export async function notify(db: Executor, event: BoardEvent): Promise<void> {
  const outbox = outboxes.get(db);
  if (outbox) outbox.push(event);
  else await db.execute(sql`SELECT ${notification(event)}`);
}

/** Like `notify`, as an expression to be selected by the next statement. */
export function notifying(db: Executor, event: BoardEvent): Sql {
  const outbox = outboxes.get(db);
  outbox?.push(event);
  return outbox ? sql`NULL` : notification(event);
}

/** Null for a text that other programs have sent to the channel. */
function readEvent(payload: string): BoardEvent | null {
  const event = jsonOf(payload) as BoardEvent | null | undefined;
  return typeof event?.type === "string" ? event : null;
}

/** Events as they are dispatched in this process. */
export class BoardEvents extends EventTarget implements AsyncDisposable {
  private client: pg.Client | null = null;
  private subscriber: Redis | null = null;
  private isClosed = false;

  constructor(
    private readonly url: string,
    private readonly log: Logger,
    private readonly database: Executor,
    private readonly redis: Redis | null = null,
  ) {
    super();
    setMaxListeners(0, this); // each subscription is one
  }

  /** Starts listening, and reconnects when a connection is lost. Events in between are missed. */
  async listen(): Promise<void> {
    await this.listenToPostgres();
    if (this.redis) await this.listenToRedis(this.redis);
  }

  /**
   * From now on, events of the transaction are collected for `publish`, unless Redis is not configured or not reachable.
   * @returns the list of collected events
   */
  collect(db: Executor): BoardEvent[] {
    const outbox: BoardEvent[] = [];
    if (this.redis?.status === "ready") outboxes.set(db, outbox);
    return outbox;
  }

  /** Publishes a transaction's events after its commit; by PostgreSQL if Redis has just become unreachable. */
  async publish(outbox: readonly BoardEvent[]): Promise<void> {
    for (const event of outbox) {
      await Promise.resolve(this.redis?.publish(this.redisChannel, JSON.stringify(event)))
        .catch(() => notify(this.database, event))
        .catch((error: unknown) => this.log.warn({ err: error, event }, "event lost"));
    }
  }

  /** Pub/sub has no databases, so the name includes their number. */
  private get redisChannel(): string {
    return `${CHANNEL}:${this.redis?.options.db ?? 0}`;
  }

  private async listenToRedis(redis: Redis): Promise<void> {
    const subscriber = await subscriberOf(redis, this.log);
    this.subscriber = subscriber;
    subscriber.on("message", (_channel: string, payload: string) => this.deliver(payload));
    const subscribed = subscriber.subscribe(this.redisChannel).catch((error: unknown) => {
      if (!this.isClosed) this.log.warn({ err: error }, "the subscription to events in Redis failed");
    });
    if (subscriber.status === "ready") await subscribed; // otherwise it happens when Redis is back
  }

  private async listenToPostgres(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: "graphbooru events",
      ...KEPT_ALIVE,
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      query_timeout: CONNECT_MILLISECONDS,
    });
    client.on("error", (error) => this.log.warn({ err: error }, "event connection lost"));
    client.on("end", () => this.listenAgain());
    client.on("notification", ({ payload }) => this.deliver(payload));
    this.client = client;
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`).catch(async (error: unknown) => {
      await client.end(); // a standby refuses it, and would keep the connection when it is promoted
      throw error;
    });
  }

  private listenAgain(): void {
    if (this.isClosed) return;
    setTimeout(() => {
      if (!this.isClosed)
        this.listenToPostgres().catch((error: unknown) =>
          this.log.warn({ err: error }, "the connection for events could not be opened"),
        );
    }, RETRY_MILLISECONDS).unref();
  }

  private deliver(payload = ""): void {
    const event = readEvent(payload);
    if (event) this.dispatchEvent(new CustomEvent(event.type, { detail: event }));
    else this.log.warn({ payload }, "not an event of the board");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isClosed = true;
    this.subscriber?.disconnect();
    if (this.client) await endConnection(this.client);
  }
}
