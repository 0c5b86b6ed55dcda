/** The built server, as `npm start` runs it, on a measured board. */
import { readFileSync } from "node:fs";
import { ServerProcess } from "../../test/support/server-process.js";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: { start: string } };
/** The options of Node in `npm start`. */
export const NODE_OPTIONS = /exec node (.*) dist/.exec(scripts.start)?.[1] ?? "";

/** Limits are off, and the database time is reported; other settings have their defaults. */
export const SETTINGS = {
  NODE_ENV: "production",
  NODE_OPTIONS,
  SERVER_TIMING: "true",
  STATEMENT_TIMEOUT_MEMBER_MS: "60000",
  LIMIT_ANONYMOUS: "1000000000",
  LIMIT_MEMBER: "1000000000",
  LIMIT_GOLD: "1000000000",
  LIMIT_PLATINUM: "1000000000",
  NEW_TAGS_PER_HOUR: "1000000000",
  POST_EDITS_PER_HOUR: "1000000000",
  LOG_LEVEL: process.env.LOG_LEVEL ?? "warn",
};

const started = new Set<ServerProcess>();

/**
 * @param databaseUrl by default the database of the folder
 * @param settings in addition to the common ones
 */
export async function startServer(
  dataDir: string,
  databaseUrl = "",
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const server = await ServerProcess.start(dataDir, { ...SETTINGS, DATABASE_URL: databaseUrl, ...settings });
  started.add(server);
  return server;
}

/** For interrupted scripts: stops the servers that they have started. */
export function endServers(): void {
  for (const server of started) void server.end();
}

/** Resident memory in MB (10^6 bytes); null without /proc. */
export function residentMemory(pid: number): number | null {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kibibytes === undefined ? null : (Number(kibibytes) * 1024) / 1e6;
  } catch {
    return null;
  }
}
