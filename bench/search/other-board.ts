/**
 * Posts in the table layout of other boards: the tags as one text, a GIN index of its words, a b-tree on the id, and
 * PostgreSQL's own plan. Favorites and pools are queried in our tables, by our indexes: no layout of theirs is faster.
 */
import pg from "pg";
import type { Effort } from "./load/driver.js";
import { median } from "./statistics.js";

/** Timeout of a query in milliseconds, which is its result then. */
export const PATIENCE = 60_000;
/** Milliseconds; slower queries are repeated less often. */
const LONG = 5_000;
const QUERY_CANCELED = "57014";

/** Creates the table, or updates the dates of an existing one. Takes minutes for a million posts. */
export async function makeOtherBoard(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT to_regclass('other_board.posts') IS NOT NULL AS found",
  );
  if (!rows[0]?.found) await build(client);
  await client.query(
    `UPDATE other_board.posts theirs SET created_at = posts.created_at FROM posts
      WHERE posts.id = theirs.id AND theirs.created_at <> posts.created_at`,
  );
  await client.query("VACUUM (ANALYZE) other_board.posts");
}

async function build(client: pg.Client): Promise<void> {
  const columns = await client.query<{ names: string }>(
    `SELECT string_agg(format('posts.%I', column_name), ', ' ORDER BY ordinal_position) AS names
       FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = 'posts' AND column_name <> 'tag_ids'`,
  );
  await client.query("BEGIN");
  await client.query("SET LOCAL maintenance_work_mem = '512MB'; SET LOCAL synchronous_commit = off");
  await client.query("CREATE SCHEMA other_board");
  await client.query(
    `CREATE TABLE other_board.posts AS
     SELECT ${columns.rows[0]?.names},
       (SELECT string_agg(tags.name, ' ' ORDER BY tags.name) FROM tags WHERE tags.id = ANY(posts.tag_ids)) AS tag_string
       FROM posts ORDER BY posts.id`,
  );
  await client.query("ALTER TABLE other_board.posts ADD PRIMARY KEY (id)");
  await client.query("CREATE INDEX ON other_board.posts USING GIN (string_to_array(tag_string, ' '))");
  await client.query("COMMIT");
}

export interface TheirTime {
  /** median in milliseconds; PATIENCE after a timeout */
  milliseconds: number;
  timedOut: boolean;
  /** found ids, in order */
  ids: number[];
}

/** One run to warm up, then as many as fit into the time; very slow queries run at most twice. */
export class OtherBoard implements AsyncDisposable {
  private constructor(private readonly client: pg.Client) {}

  static async open(url: string): Promise<OtherBoard> {
    const client = new pg.Client({ connectionString: url, statement_timeout: PATIENCE });
    await client.connect();
    return new OtherBoard(client);
  }

  /** The fastest form of the query. */
  async measure(forms: readonly string[], effort: Effort): Promise<TheirTime> {
    const times: TheirTime[] = [];
    for (const form of forms) times.push(await this.time(form, effort));
    return times.reduce((best, time) => (time.milliseconds < best.milliseconds ? time : best));
  }

  private async time(statement: string, effort: Effort): Promise<TheirTime> {
    const first = await this.run(statement);
    if (!first) return { milliseconds: PATIENCE, timedOut: true, ids: [] };
    const least = first.milliseconds > LONG ? 1 : effort.least;
    const seconds = first.milliseconds > LONG ? 0 : effort.seconds;
    const times: number[] = [];
    const started = performance.now();
    while (times.length < least || performance.now() - started < seconds * 1000)
      times.push((await this.run(statement))?.milliseconds ?? PATIENCE);
    return { milliseconds: median(times), timedOut: false, ids: first.ids };
  }

  /** Null after a timeout. */
  private async run(statement: string): Promise<{ milliseconds: number; ids: number[] } | null> {
    const started = performance.now();
    try {
      const { rows } = await this.client.query<{ id: number }>(statement);
      return { milliseconds: performance.now() - started, ids: rows.map((row) => row.id) };
    } catch (error) {
      if ((error as { code?: unknown }).code === QUERY_CANCELED) return null;
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.client.end();
  }
}
