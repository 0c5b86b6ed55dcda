/** A connection that a command has for itself, outside the server's pools. */
import pg from "pg";

/**
 * Opens a connection, runs the work with it and closes it.
 * @param url of the database
 * @param purpose what it is for, as pg_stat_activity shows it
 * @throws what the work throws; when the connection is lost, its statements fail
 */
export async function withSession<T>(
  url: string,
  purpose: string,
  work: (session: pg.Client) => Promise<T>,
): Promise<T> {
  const session = new pg.Client({ connectionString: url, application_name: `graphbooru ${purpose}` });
  session.on("error", () => undefined); // an error that nobody hears would end the process; the next statement reports it
  await session.connect();
  try {
    return await work(session);
  } finally {
    await session.end();
  }
}
