/** Connection pools that count and time the SQL statements of each request, for the log, metrics, traces and `Server-Timing`. */
import type pg from "pg";
import { codeOf } from "../lib/error-code.js";
import { KeyedSemaphore } from "../lib/semaphore.js";
import type { Span } from "../runtime/telemetry/tracing.js";
import { DeadlineClient, DeadlinePool } from "./deadline.js";
import { currentScope } from "./request-scope.js";
import { withSettings } from "./settings.js";
import { LONGEST_TRANSACTION, takesConnection } from "./unit.js";

/** A client has all its connections in use, whichever servers they are to. The message is the pool's, so that it is the same failure (`faults.ts`). */
export class ClientBusyError extends Error {
  constructor(cause: unknown) {
    super("timeout exceeded when trying to connect", { cause });
  }
}

/** Limits how many database connections one client holds at a time, so that none can take them all. */
export class ClientConnections {
  private readonly clients: KeyedSemaphore;

  /**
   * @param most maximum number of connections of one client
   * @param wait milliseconds that a client at its limit waits
   */
  constructor(
    most: number,
    private readonly wait: number,
  ) {
    this.clients = new KeyedSemaphore(most);
  }

  /** Waits if the client is at its limit. @returns releases it, to be called once @throws ClientBusyError when it takes too long */
  acquire(client: string): (() => void) | Promise<() => void> {
    const release = this.clients.acquire(client, this.wait);
    if (!(release instanceof Promise)) return release;
    return release.catch((cause: unknown) => {
      throw new ClientBusyError(cause);
    });
  }

  /** As `acquire`, for the current request. A transaction acquires once, since it could wait for itself otherwise. */
  acquireForRequest(): (() => void) | Promise<() => void> | undefined {
    const client = currentScope()?.client;
    return client === undefined || !takesConnection() ? undefined : this.acquire(client);
  }
}

type Callback = (...results: unknown[]) => unknown;

/** Called after every statement. @param failed whether it ended with an error */
export type OnStatement = (seconds: number, failed: boolean) => void;

/** A connection that counts and times its statements. All overloads of `query` in `pg` either return a promise or take a callback last. */
export class CountingClient extends DeadlineClient {
  private readonly onStatement: OnStatement | undefined;

  /** @param config options of the pool, which passes them on */
  constructor(config: pg.ClientConfig & { onStatement?: OnStatement } = {}) {
    super(config);
    this.onStatement = config.onStatement;
  }

  override query(...args: never[]): never {
    const query = super.query.bind(this) as (...all: unknown[]) => unknown;
    const finish = this.begin(args[0]);
    const last: unknown = args.at(-1);
    if (typeof last === "function") {
      const callback: Callback = (...results) => {
        finish(results[0]);
        return (last as Callback)(...results);
      };
      return query(...args.slice(0, -1), callback) as never;
    }
    const result = query(...args);
    if (result instanceof Promise) result.then(() => finish(), finish);
    return result as never;
  }

  /** @returns a function to call when the statement has ended, with its error */
  private begin(query: unknown): (error?: unknown) => void {
    const scope = currentScope();
    if (scope) scope.statements += 1;
    const span = scope?.span && statementSpan(scope.span, query);
    const started = performance.now();
    return (error) => {
      const milliseconds = performance.now() - started;
      if (scope) scope.milliseconds += milliseconds;
      this.onStatement?.(milliseconds / 1e3, Boolean(error));
      span?.end(error ? codeOf(error) || "error" : undefined);
    };
  }
}

/** Maximum number of characters of a statement in a trace. Values are parameters, and not traced. */
const MAX_TEXT = 4_000;

function statementSpan(parent: Span, query: unknown): Span {
  const text = (typeof query === "string" ? query : ((query as { text?: string } | null)?.text ?? "")).trim();
  const [operation = "SQL"] = /^[a-z]+/i.exec(text) ?? [];
  return parent.child(operation.toUpperCase(), "client", {
    "db.system.name": "postgresql",
    "db.operation.name": operation.toUpperCase(),
    "db.query.text": text.slice(0, MAX_TEXT),
  });
}

/** The name of these connections, as PostgreSQL shows it. */
export const APPLICATION = "graphbooru";

/** Statements that a connection for prepared ones may have: the names of all, and as many that searches had before. */
const MOST_PREPARED = 300;

/** The URL for connections whose prepared statements are planned once, for any values. */
export const withGenericPlans = (url: string): string => withSettings(url, { plan_cache_mode: "force_generic_plan" });

export interface PoolOptions {
  url: string;
  connections: number;
  /** milliseconds to wait for a connection */
  wait: number;
  /** milliseconds to wait for the response to a statement; longer than its timeout, so that only an unresponsive server reaches it */
  silence: number;
  /** milliseconds after which PostgreSQL cancels a statement, unless the request has a deadline of its own */
  statementTimeout: number;
  /** for statements whose best plan doesn't depend on the values */
  genericPlans?: boolean;
  onStatement?: OnStatement;
  /** limits the connections of each client; may be shared by several pools */
  clients?: ClientConnections;
}

export const createPool = ({
  url,
  connections,
  wait,
  silence,
  statementTimeout,
  clients,
  ...more
}: PoolOptions): pg.Pool =>
  new DeadlinePool({
    ...(more.genericPlans ? { mostPrepared: MOST_PREPARED } : {}),
    ...(more.onStatement ? { onStatement: more.onStatement } : {}),
    connectionString: more.genericPlans ? withGenericPlans(url) : url,
    max: connections,
    pipeline: true, // a transaction sends its BEGIN and COMMIT with other statements

    Client: CountingClient,
    application_name: APPLICATION,
    connectionTimeoutMillis: wait,
    idleTimeoutMillis: 30_000,
    query_timeout: silence,
    keepAlive: true,
    idle_in_transaction_session_timeout: LONGEST_TRANSACTION, // releases the locks if the process or machine is gone
    statement_timeout: statementTimeout,
    deadline: () => (currentScope() ?? { deadline: statementTimeout }).deadline,
    acquire: () => clients?.acquireForRequest(),
  });
