/** A table that nobody else reads for a while, and settings with which that takes as long as a test wants. */
import pg from "pg";

/** What is held up is so until the test lets it go, however busy the machine. */
export const PATIENCE = {
  STATEMENT_TIMEOUT_MEMBER_MS: "20000",
  STATEMENT_TIMEOUT_GOLD_MS: "20000",
  STATEMENT_TIMEOUT_MS: "20000",
  DATABASE_WAIT_MS: "20000",
};

export interface HeldTable extends AsyncDisposable {
  /** how many statements wait for it */
  waiting(): Promise<number>;
}

/** Locks a table until disposed of. */
export async function holdTable(url: string, table: string): Promise<HeldTable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  const waiting = `SELECT FROM pg_locks WHERE relation = '${table}'::regclass AND NOT granted`;
  return {
    waiting: async () => (await client.query(waiting)).rowCount ?? 0,
    [Symbol.asyncDispose]: () => client.end(),
  };
}
