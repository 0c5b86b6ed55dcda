/** A copy of the board's database for writes, so that the board itself stays unchanged. */
import pg from "pg";
import type { BenchBoard } from "./boards.js";

const NAME = "graphbooru_writes";

/** Closes the board's own connection meanwhile, since a database in use can't be copied. No server may run on it. */
export class BoardCopy implements AsyncDisposable {
  private constructor(
    private readonly adminUrl: string,
    readonly url: string,
    readonly client: pg.Client,
  ) {}

  static async make(board: BenchBoard): Promise<BoardCopy> {
    const { rows } = await board.client.query<{ name: string }>("SELECT current_database() AS name");
    await board.client.end();
    const adminUrl = board.url("postgres");
    await run(adminUrl, [
      `DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`,
      `CREATE DATABASE ${NAME} TEMPLATE ${pg.escapeIdentifier(rows[0]?.name ?? "")} STRATEGY file_copy`,
    ]);
    const client = new pg.Client({ connectionString: board.url(NAME) });
    await client.connect();
    return new BoardCopy(adminUrl, board.url(NAME), client);
  }

  /** Number of deadlocks that PostgreSQL has detected. Sessions report them when they end. */
  async deadlocks(): Promise<number> {
    const { rows } = await this.client.query<{ deadlocks: number }>(
      "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
    );
    return rows[0]?.deadlocks ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.end();
    await run(this.adminUrl, [`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`]);
  }
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
