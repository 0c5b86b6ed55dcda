/** Settings of all connections, and what the board expects of a database that it did not create. */
import type { Client } from "pg";
import { OperatorError } from "../errors.js";

type Settings = Readonly<Record<string, string>>;

/**
 * Defaults that a server, a database or its user may have otherwise. Prisma writes and reads times without their zone, and the driver only in this
 * style; locks are taken before what they protect is read, which another isolation level would read as it was before.
 */
const REQUIRED: Settings = {
  TimeZone: "UTC",
  DateStyle: "ISO",
  default_transaction_isolation: "read committed",
  idle_session_timeout: "0", // those that listen are idle
  search_path: "public", // the only schema that Prisma uses
};

/** The URL of a database with settings for each connection, which override the defaults and those in the URL. */
export function withSettings(url: string, settings: Settings = REQUIRED): string {
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${value.replaceAll(" ", "\\ ")}`);
  const options = encodeURIComponent(flags.join(" "));
  if (url.includes(options)) return url;
  if (/[?&]options=/.test(url)) return url.replace(/[?&]options=[^&]*/, `$&%20${options}`);
  return `${url}${url.includes("?") ? "&" : "?"}options=${options}`;
}

const READ = `SELECT current_setting('server_encoding') AS encoding, lower('IÉΣ') = 'iéσ' AS "hasLetters",
  (SELECT jsonb_object_agg(name, setting) FROM pg_settings WHERE name = ANY($1)) AS settings`;

/** @throws OperatorError if the database, or a pool in front of it, can't be used */
export async function requireSettings(session: Client): Promise<void> {
  const { rows } = await session.query<{ encoding: string; hasLetters: boolean; settings: Settings }>(READ, [
    Object.keys(REQUIRED),
  ]);
  const [{ encoding, hasLetters, settings }] = rows as [(typeof rows)[number]];
  if (encoding !== "UTF8") throw unusable(`the database has the encoding ${encoding}; create it with UTF8`);
  if (!hasLetters)
    throw unusable("lower('IÉΣ') is not 'iéσ' in the database; create it with another locale, such as C.UTF-8");
  for (const [name, value] of Object.entries(REQUIRED))
    if (!settings[name]?.startsWith(value))
      throw unusable(
        `${name} of its connections is ${settings[name]}; with a pool that ignores "options", use ALTER ROLE ... SET ${name} = '${value}'`,
      );
}

const unusable = (reason: string): OperatorError => new OperatorError(`DATABASE_URL: ${reason}.`);
