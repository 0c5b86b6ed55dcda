/** What all commands share: opening the board, printing results, and in whose name things are done. */
import { sql } from "../../database/client.js";
import type { Board } from "../../board.js";
import { type Config, loadConfig } from "../../config.js";
import type { RequestContext } from "../../context.js";
import { openEmbedded } from "../../database/embedded.js";
import { Level } from "../../runtime/auth/levels.js";
import { AuditLog } from "../../runtime/telemetry/audit.js";
import { createLog } from "../../runtime/telemetry/log.js";

/** One line of JSON on standard output. */
export const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

/** Standard output is for results, so that nothing is logged, and jobs are left to the server. */
export const quietConfig = (): Config => Object.freeze({ ...loadConfig(), LOG_LEVEL: "silent", JOBS: false });

/** Runs one action on a board that is opened for it, whether a server runs or not. What it records goes to standard error. */
export async function withBoard(action: (board: Board) => Promise<void>): Promise<void> {
  const { openBoard } = await import("../../board.js"); // half of a second that commands on the database alone do without
  const audit = new AuditLog(createLog("info", process.stderr));
  await using board = await openBoard(quietConfig(), { audit });
  await action(board);
}

/** Runs one action on the database alone, whatever state its tables are in. */
export async function withDatabase(action: (url: string, config: Config) => Promise<void>): Promise<void> {
  const config = quietConfig();
  const embedded = config.DATABASE_URL ? null : await openEmbedded({ dataDir: config.dataDir });
  try {
    await action(config.DATABASE_URL ?? embedded?.url ?? "", config);
  } finally {
    await embedded?.close();
  }
}

/** Nobody to act for: the board has no Admin yet. */
export class NoAdminError extends Error {
  override name = "NoAdminError";
  override message = "There is no Admin yet in whose name to do this; make one with `user create NAME PASSWORD admin`.";
}

/**
 * What the administrator does from a shell is done in the name of the first Admin.
 * @throws NoAdminError
 */
export async function adminContext(board: Board): Promise<RequestContext> {
  const [user] = await board.database.query<{ id: number; name: string; level: number }>(sql`
    SELECT id, name, level FROM users WHERE level >= ${Level.Admin} AND NOT is_deleted AND NOT is_banned
     ORDER BY id LIMIT 1`);
  if (!user) throw new NoAdminError();
  const viewer = { ...user, isBanned: false, proof: "none" } as const;
  return { requestId: "cli", viewer, address: "127.0.0.1", baseUrl: board.config.PUBLIC_URL ?? "", log: board.log };
}
