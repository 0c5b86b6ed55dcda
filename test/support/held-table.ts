/** A table or a row that is locked for a while, and settings with which statements wait for it as long as a test needs. */
import pg from "pg";

/** Statements wait until the test releases the lock, however busy the machine is. */
export const PATIENCE = {
  STATEMENT_TIMEOUT_MEMBER_MS: "20000",
  STATEMENT_TIMEOUT_GOLD_MS: "20000",
  STATEMENT_TIMEOUT_MS: "20000",
  DATABASE_WAIT_MS: "20000",
};

export interface Held extends AsyncDisposable {
  /** number of statements that wait for it */
  waiting(): Promise<number>;
  /** Runs statements before it is released. */
  commit(statements: string): Promise<void>;
}

/** Locks a table until disposed of. */
export const holdTable = (url: string, table: string): Promise<Held> =>
  hold(
    url,
    `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`,
    `SELECT FROM pg_locks WHERE relation = '${table}'::regclass AND NOT granted`,
  );

/** Locks a row until disposed of; reads and references go on. What waits for a lock that is held by one who waits counts too. */
export const holdRow = (url: string, table: string, id: number): Promise<Held> =>
  hold(
    url,
    `SELECT FROM ${table} WHERE id = ${id} FOR NO KEY UPDATE`,
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event IN ('transactionid', 'tuple', 'advisory')",
  );

async function hold(url: string, lock: string, waiting: string): Promise<Held> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`BEGIN; ${lock}`);
  return {
    waiting: async () => {
      await client.query("SELECT pg_stat_clear_snapshot()"); // else the connections stay those of the first look
      return (await client.query(waiting)).rowCount ?? 0;
    },
    commit: async (statements) => void (await client.query(`${statements}; COMMIT`)),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
