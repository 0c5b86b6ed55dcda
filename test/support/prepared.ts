/** The data folder of a board that was started before: its cluster is a copy of one that the run made and migrated once. */
import { execFile } from "node:child_process";
import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

/** The environment variable with the path of the run's cluster, which does not run. */
export const PREPARED = "TEST_PREPARED_CLUSTER";

/**
 * Makes the data folder, for a server that is not about creating its database: doing so takes longer than everything else at its start.
 * Outside of a run of the tests it is left to the server.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const cluster = process.env[PREPARED];
  if (cluster === undefined) return;
  await mkdir(dataDir);
  await chmod(dataDir, 0o711); // the database's user has to enter it
  await promisify(execFile)("cp", ["-a", cluster, path.join(dataDir, "postgres")]);
}
