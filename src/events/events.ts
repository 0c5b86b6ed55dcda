/**
 * What happens on the board, told to whoever listens in any process: services notify inside their transaction, PostgreSQL
 * delivers after the commit (NOTIFY), and each process hears it once (LISTEN).
 */
import pg from "pg";
import type { Db } from "../database/client.js";
import type { Logger } from "../telemetry/log.js";

export interface BoardEvent {
  type: "post_created" | "comment_created" | "note_changed" | "dmail_received";
  /** the record's number */
  id: number;
  /** the post, or the owner of the dmail: what listeners choose by */
  about: number;
}

const CHANNEL = "graphbooru_events";
const RETRY_MILLISECONDS = 1_000;

/** Tells of an event when the transaction is committed, and not at all when it isn't. */
export const notify = (db: Db, event: BoardEvent): Promise<number> =>
  db.$executeRaw`SELECT pg_notify(${CHANNEL}, ${JSON.stringify(event)})`;

/** Events as they are dispatched in this process. */
export class BoardEvents extends EventTarget implements AsyncDisposable {
  private client: pg.Client | null = null;
  private isClosed = false;

  constructor(
    private readonly url: string,
    private readonly log: Logger,
  ) {
    super();
  }

  /** Begins to listen; connects again whenever the connection is lost. Events of that time are missed. */
  async listen(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url, application_name: "graphbooru events" });
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
      if (!this.isClosed) this.listen().catch((error: unknown) => this.log.warn({ err: error }, "no event connection"));
    }, RETRY_MILLISECONDS).unref();
  }

  private deliver(payload: string | undefined): void {
    const event = JSON.parse(payload ?? "null") as BoardEvent | null;
    if (event) this.dispatchEvent(new CustomEvent(event.type, { detail: event }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isClosed = true;
    await this.client?.end();
  }
}
