/** Common parts of the commands: opening the board, printing results, and the acting user. */
import { InvalidArgumentError } from "commander";
import { sql } from "../../database/client.js";
import type { Board } from "../../board.js";
import { type Config, loadConfig } from "../../config.js";
import type { RequestContext } from "../../context.js";
import { OperatorError } from "../../errors.js";
import { hasOwn, openServer } from "../../database/embedded.js";
import { hasTable, withSession } from "../../database/session.js";
import { isBanned } from "../../runtime/auth/expired-bans.js";
import { Level } from "../../runtime/auth/levels.js";
import type { SignedIn } from "../../runtime/auth/viewer.js";
import { isUserName } from "../../database/user-name.js";
import { AuditLog } from "../../runtime/telemetry/audit.js";
import { createLog } from "../../runtime/telemetry/log.js";
import { MAX_INT } from "../../lib/integers.js";
import { NoBoardError } from "../no-board.js";

/** Prints a line of JSON on standard output. */
export const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

/** The configuration without logs, since standard output is for results, and without running jobs. */
export const quietConfig = (): Config => Object.freeze({ ...loadConfig(), LOG_LEVEL: "silent", JOBS: false });

interface Options {
  /** whether the action may be the first on a new board, which is then created */
  mayCreate?: boolean;
}

/** Refuses to create a board where one is expected, as with a wrong DATA_DIR. @throws NoBoardError */
export async function requireBoard({ DATABASE_URL: url, dataDir }: Config): Promise<void> {
  const isThere = url ? withSession(url, "command", (client) => hasTable(client, "users")) : hasOwn(dataDir);
  if (!(await isThere)) throw new NoBoardError();
}

/** Opens the board for an action, whether or not a server is running. The audit log goes to standard error. */
export async function withBoard(action: (board: Board) => Promise<void>, { mayCreate }: Options = {}): Promise<void> {
  const config = quietConfig();
  if (!mayCreate) await requireBoard(config);
  const { openBoard } = await import("../../board.js"); // takes half a second, which `withDatabase` saves
  const audit = new AuditLog(createLog("info", process.stderr));
  await using board = await openBoard(config, { audit });
  await action(board);
}

/** Runs an action on the database only, whichever migrations have been applied. */
export async function withDatabase(
  action: (url: string, config: Config) => Promise<void>,
  { mayCreate }: Options = {},
): Promise<void> {
  const config = quietConfig();
  if (!mayCreate) await requireBoard(config);
  await using database = await openServer(config);
  await action(database.url, config);
}

/** Parses the argument with the id of a record. @param of the kind of record, with its article: `a post` */
export const idOf =
  (of: string) =>
  (text: string): number => {
    if (/^\d+$/.test(text) && Number(text) <= MAX_INT) return Number(text);
    throw new InvalidArgumentError(`must be the id of ${of}.`);
  };

/**
 * The context of a command that acts as a user, with the rights of an Admin: anyone with a shell on the server may do anything.
 * @param name of the account; by default that of the first Admin
 * @param without the message if there is none
 * @throws OperatorError
 */
export async function contextAs(
  { database, config, log }: Board,
  name: string | undefined,
  requestId: string,
  without: string,
): Promise<RequestContext & { viewer: SignedIn }> {
  const [user] = await database.query<{ id: number; name: string }>(sql`
    SELECT id, name FROM users
     WHERE NOT is_deleted AND NOT ${isBanned(sql`users`)}
       AND ${name === undefined ? sql`level >= ${Level.Admin}` : isUserName(sql`name`, name)}
     ORDER BY id LIMIT 1`);
  if (!user) throw new OperatorError(without);
  const viewer: SignedIn = { ...user, level: Level.Admin, isBanned: false, proof: "none" };
  return { requestId, viewer, address: "127.0.0.1", baseUrl: config.PUBLIC_URL ?? "", log };
}

/** That of a command that needs no particular account. @throws OperatorError without an Admin */
export const adminContext = (board: Board) =>
  contextAs(board, undefined, "cli", "This needs an Admin account; create one with `user create NAME PASSWORD admin`.");
