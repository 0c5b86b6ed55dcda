/** A connection for a command, outside the server's pools. */
import pg from "pg";
import { KEPT_ALIVE } from "./pool.js";

/** Longest wait for a connection, in milliseconds: a program that is not PostgreSQL may accept it and say nothing. */
const CONNECT_MS = 10_000;

/** Timeouts that a database or its user may have for requests; older versions of PostgreSQL don't have all. */
const TIMEOUTS = [
  "statement_timeout",
  "lock_timeout",
  "transaction_timeout",
  "idle_in_transaction_session_timeout",
  "idle_session_timeout",
];

/** A statement that turns off the timeouts of a connection. */
export const WITHOUT_TIMEOUTS = `SELECT set_config(name, '0', false) FROM pg_settings
  WHERE name = ANY('{${TIMEOUTS.join(",")}}')`;

/**
 * Opens a connection without timeouts, runs the work with it and closes it.
 * @param url of the database
 * @param purpose part of the application name in pg_stat_activity
 * @param connectMs longest wait for the connection, in milliseconds
 * @throws Error "timeout expired" if the server does not respond; errors of the work; if the connection is lost, its statements fail
 */
export async function withSession<T>(
  url: string,
  purpose: string,
  work: (session: pg.Client) => Promise<T>,
  connectMs = CONNECT_MS,
): Promise<T> {
  const session = new pg.Client({
    connectionString: url,
    application_name: `graphbooru ${purpose}`,
    connectionTimeoutMillis: connectMs,
    ...KEPT_ALIVE,
  });
  session.on("error", () => undefined); // an unhandled event would end the process; the next statement fails anyway
  await session.connect();
  try {
    await session.query(WITHOUT_TIMEOUTS);
    return await work(session);
  } finally {
    await session.end();
  }
}

export async function hasTable(session: pg.Client, name: string): Promise<boolean> {
  const { rows } = await session.query<{ found: boolean }>("SELECT to_regclass($1) IS NOT NULL AS found", [name]);
  return rows[0]?.found === true;
}
