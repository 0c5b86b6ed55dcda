/**
 * Events of the board, for listeners in every process: services notify inside their transaction, PostgreSQL
 * delivers after the commit (NOTIFY), and each process hears it once (LISTEN). Where there is Redis, it delivers in
 * PostgreSQL's place, whose commits wait for each other when they notify; every process listens to both.
 */
import { setMaxListeners } from "node:events";
import pg from "pg";
import { type Executor, type Sql, sql } from "../../database/client.js";
import { type Redis, subscriberOf } from "../../database/redis.js";
import type { Logger } from "../telemetry/log.js";

export interface BoardEvent {
  type: "post_created" | "post_changed" | "comment_created" | "note_changed" | "dmail_received" | "session_ended";
  /** the record's or session's number */
  id: number;
  /** the post, the owner of the dmail, or the user whose session it was: what listeners choose by */
  about: number;
}

/** In the place of a session's number: the cookies of the specification, which are of no session. */
export const NO_SESSION = 0;

const CHANNEL = "graphbooru_events";
const RETRY_MILLISECONDS = 1_000;

/** Events of running transactions, to be published by Redis after the commit. */
const outboxes = new WeakMap<Executor, BoardEvent[]>();

const notification = (event: BoardEvent): Sql => sql`pg_notify(${CHANNEL}, ${JSON.stringify(event)})`;

/** Publishes an event when the transaction is committed, and not at all when it isn't. */
export async function notify(db: Executor, event: BoardEvent): Promise<void> {
  const outbox = outboxes.get(db);
  if (outbox) outbox.push(event);
  else await db.execute(sql`SELECT ${notification(event)}`);
}

/** As `notify`, as a part of a statement that is run next: an expression to be selected. */
export function notifying(db: Executor, event: BoardEvent): Sql {
  const outbox = outboxes.get(db);
  outbox?.push(event);
  return outbox ? sql`NULL` : notification(event);
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

  /** Begins to listen; connects again whenever a connection is lost. Events of that time are missed. */
  async listen(): Promise<void> {
    await this.listenToPostgres();
    if (this.redis) await this.listenToRedis(this.redis);
  }

  /**
   * From here on, what happens in the transaction is collected for `publish`, unless Redis is not configured or not reachable.
   * @returns the list that collects it
   */
  collect(db: Executor): BoardEvent[] {
    const outbox: BoardEvent[] = [];
    if (this.redis?.status === "ready") outboxes.set(db, outbox);
    return outbox;
  }

  /** Publishes what was collected in a transaction, after its commit; by PostgreSQL if Redis has just become unreachable. */
  async publish(outbox: readonly BoardEvent[]): Promise<void> {
    for (const event of outbox) {
      await this.publishByRedis(event)
        .catch(() => notify(this.database, event))
        .catch((error: unknown) => this.log.warn({ err: error, event }, "event lost"));
    }
  }

  private async publishByRedis(event: BoardEvent): Promise<void> {
    if (!this.redis) throw new Error("there is no Redis");
    await this.redis.publish(this.redisChannel, JSON.stringify(event));
  }

  /** Pub/sub knows no databases, so that their number is in the name. */
  private get redisChannel(): string {
    return `${CHANNEL}:${this.redis?.options.db ?? 0}`;
  }

  private async listenToRedis(redis: Redis): Promise<void> {
    const subscriber = await subscriberOf(redis, this.log);
    this.subscriber = subscriber;
    subscriber.on("message", (_channel: string, payload: string) => this.deliver(payload));
    const subscribed = subscriber.subscribe(this.redisChannel).catch((error: unknown) => {
      if (!this.isClosed) this.log.warn({ err: error }, "no events by Redis");
    });
    if (subscriber.status === "ready") await subscribed; // else it happens when Redis comes back
  }

  private async listenToPostgres(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: "graphbooru events",
      keepAlive: true, // it never asks, and would not notice that the other machine is gone
      keepAliveInitialDelayMillis: 10_000,
    });
    client.on("error", (error) => this.log.warn({ err: error }, "event connection lost"));
    client.on("end", () => this.listenAgain());
    client.on("notification", ({ payload }) => this.deliver(payload));
    this.client = client;
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
  }

  private listenAgain(): void {
    if (this.isClosed) return;
    setTimeout(() => {
      if (!this.isClosed)
        this.listenToPostgres().catch((error: unknown) => this.log.warn({ err: error }, "no event connection"));
    }, RETRY_MILLISECONDS).unref();
  }

  private deliver(payload: string | undefined): void {
    const event = JSON.parse(payload ?? "null") as BoardEvent | null;
    if (event) this.dispatchEvent(new CustomEvent(event.type, { detail: event }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isClosed = true;
    this.subscriber?.disconnect();
    await this.client?.end();
  }
}
