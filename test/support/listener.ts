/** Listens to a board by the graphql-ws protocol, as clients do. */
import { createClient } from "graphql-ws";
import { vi } from "vitest";
import { WebSocket } from "ws";
import { type BoardEvent, notify } from "../../src/runtime/events/events.js";
import type { TestBoard } from "./board.js";
import type { Login } from "./client.js";

/** Milliseconds until a test gives up, and between two pilot events, which all listeners receive. */
const PATIENCE = { timeout: 20_000, interval: 100 };

interface Numbered {
  id: number;
}

/** Pilot events: by the first the test knows that the server listens, by the second that it has sent all before it. */
export type Pilots = readonly [begin: BoardEvent, end: BoardEvent];

/** One subscription. Its results are the records of the events, in order, those of the pilots left out. */
export class Subscription<T extends Numbered> {
  readonly results: T[] = [];
  readonly errors: { extensions?: { status?: number; code?: string } }[] = [];
  private begins = 0;
  private ends = 0;
  private awaitedEnds = 0;

  constructor(
    private readonly test: TestBoard,
    private readonly pilots: Pilots,
  ) {}

  hear(record: T): void {
    const [begin, end] = this.pilots;
    if (record.id === begin.id) this.begins += 1;
    else if (record.id === end.id) this.ends += 1;
    else this.results.push(record);
  }

  /** Waits until the server listens, or has refused. */
  async begun(): Promise<void> {
    const outcome = async () => {
      await notify(this.test.board.database, this.pilots[0]);
      return this.begins + this.errors.length > 0;
    };
    await vi.waitUntil(outcome, PATIENCE);
  }

  /** Waits until all events so far have arrived: events come in order. */
  async caughtUp(): Promise<void> {
    await notify(this.test.board.database, this.pilots[1]);
    this.awaitedEnds += 1;
    await vi.waitUntil(() => this.ends >= this.awaitedEnds, PATIENCE);
  }
}

export class Listener implements AsyncDisposable {
  /** the code of the close frame, when the server has closed the connection */
  closed: number | null = null;
  private readonly client;

  /** @param proof a login, or headers of the handshake such as cookies; nothing for visitors */
  constructor(
    private readonly test: TestBoard,
    proof: { login?: Login; headers?: Record<string, string> } = {},
  ) {
    const { login, headers = {} } = proof;
    class WithHeaders extends WebSocket {
      constructor(address: string, protocols: string | string[]) {
        super(address, protocols, { headers });
      }
    }
    this.client = createClient({
      url: `${test.url.replace("http", "ws")}/graphql`,
      webSocketImpl: WithHeaders,
      retryAttempts: 0,
      on: { closed: (event) => void (this.closed = (event as { code: number }).code) },
      ...(login ? { connectionParams: { login: login.name, api_key: login.apiKey } } : {}),
    });
  }

  /** Subscribes to one field, and waits until the server listens or has refused. */
  async listen<T extends Numbered>(query: string, pilots: Pilots): Promise<Subscription<T>> {
    const subscription = new Subscription<T>(this.test, pilots);
    this.client.subscribe<Record<string, T>>(
      { query },
      {
        next: ({ data, errors }) => {
          if (errors) subscription.errors.push(...errors);
          else Object.values(data ?? {}).forEach((record) => subscription.hear(record));
        },
        error: (error) =>
          void subscription.errors.push(...(Array.isArray(error) ? (error as typeof subscription.errors) : [{}])),
        complete: () => undefined,
      },
    );
    await subscription.begun();
    return subscription;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.dispose();
  }
}
