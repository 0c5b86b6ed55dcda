/** Counts and times the SQL statements of each request, for the log, `Server-Timing` and the tests that hold listings to budgets. */
import type pg from "pg";
import { KeyedSemaphore } from "../lib/keyed-semaphore.js";
import type { Span } from "../runtime/telemetry/tracing.js";
import { DeadlineClient, DeadlinePool } from "./deadline.js";
import { currentScope } from "./request-scope.js";
import { takesConnection } from "./unit.js";

/** Bounds how many connections to the database one client of the board holds at a time, so that nobody takes them all. */
export class ClientTurns {
  private readonly clients: KeyedSemaphore;

  /**
   * @param most connections of one client at a time
   * @param wait milliseconds that its next statement waits for one of them
   */
  constructor(
    most: number,
    private readonly wait: number,
  ) {
    this.clients = new KeyedSemaphore(most);
  }

  /** Waits for a turn of the client where it has to. @returns what ends the turn, to be called once @throws Error when it takes too long */
  take(client: string): (() => void) | Promise<() => void> {
    const turn = this.clients.acquire(client, this.wait);
    if (!(turn instanceof Promise)) return turn;
    return turn.catch((cause: unknown) => {
      // as the pool says it, so that it is the same failure (`faults.ts`)
      throw new Error("timeout exceeded when trying to connect", { cause });
    });
  }

  /** The request's turn to run statements; a transaction that has a connection needs no second turn, since it could wait for itself. */
  ofCurrent(): (() => void) | Promise<() => void> | undefined {
    const client = currentScope()?.client;
    return client === undefined || !takesConnection() ? undefined : this.take(client);
  }
}

type Callback = (...results: unknown[]) => unknown;

/** Called after every statement. @param failed whether it ended with an error */
export type OnStatement = (seconds: number, failed: boolean) => void;

/** A client that counts. `pg` has many overloads of `query`; all of them end here, with a callback as the last or a promise. */
export class CountingClient extends DeadlineClient {
  private readonly onStatement: OnStatement | undefined;

  /** @param config options of the pool, which hands them on */
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

  /** @returns what is to be called at the end, with the error if there is one */
  private begin(query: unknown): (error?: unknown) => void {
    const scope = currentScope();
    if (scope) scope.statements += 1;
    const span = scope?.span && statementSpan(scope.span, query);
    const started = performance.now();
    return (error) => {
      const milliseconds = performance.now() - started;
      if (scope) scope.milliseconds += milliseconds;
      this.onStatement?.(milliseconds / 1e3, Boolean(error));
      span?.end(error ? ((error as { code?: string }).code ?? "error") : undefined);
    };
  }
}

/** Characters of a long statement that are logged. Values are not among them: they are parameters. */
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

/** Milliseconds; of a transaction that its process has forgotten, or whose machine is gone, the locks are given back. */
const IDLE_IN_TRANSACTION = 60_000;

/** Plan each prepared statement once, for any values. */
export const GENERIC_PLANS = { options: "-c plan_cache_mode=force_generic_plan" };

export interface PoolOptions {
  url: string;
  connections: number;
  /** milliseconds that anybody waits for a connection before it is refused */
  wait: number;
  /** milliseconds after which nobody waits for an answer any more: of a database that has fallen silent, since others cancel */
  silence: number;
  /** milliseconds after which PostgreSQL gives a statement up, unless the request's scope says otherwise */
  statementTimeout: number;
  /** plan each prepared statement once, for any values: for statements that leave PostgreSQL no choice */
  genericPlans?: boolean;
  /** called after each statement */
  onStatement?: OnStatement;
  /** how many connections one client holds at a time; those of several pools together when they are given the same */
  turns?: ClientTurns;
}

/** The pool that Prisma and everything else of a process share. */
export const createPool = ({
  url,
  connections,
  wait,
  silence,
  statementTimeout,
  turns,
  ...more
}: PoolOptions): pg.Pool =>
  new DeadlinePool({
    ...(more.genericPlans ? GENERIC_PLANS : {}),
    ...(more.onStatement ? { onStatement: more.onStatement } : {}),
    connectionString: url,
    max: connections,
    pipeline: true, // a transaction sends its BEGIN and COMMIT with other statements

    Client: CountingClient,
    application_name: "graphbooru",
    connectionTimeoutMillis: wait,
    idleTimeoutMillis: 30_000,
    query_timeout: silence,
    keepAlive: true,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION,
    statement_timeout: statementTimeout,
    deadline: () => (currentScope() ?? { deadline: statementTimeout }).deadline,
    turn: () => turns?.ofCurrent(),
  });
