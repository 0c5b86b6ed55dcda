/**
 * Once per run: an embedded cluster in a temporary folder, with one migrated database that `createDatabase` copies.
 * Everything is gone afterwards; what a killed run leaves behind is removed by the next one.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { type EmbeddedDatabase, openEmbedded } from "../../src/database/embedded.js";
import { findPostmaster } from "../../src/database/embedded/postmaster.js";
import { migrate } from "../../src/database/migrate.js";
import { FAST, TEMPLATE } from "./embedded-settings.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** the run's cluster: superuser's connection string of the database that `createDatabase` is called from */
    databaseUrl: string;
  }
}

const PREFIX = "graphbooru-test-";

function makeFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), PREFIX));
  chmodSync(folder, 0o711); // the database's user has to enter it
  writeFileSync(path.join(folder, "owner"), String(process.pid));
  return folder;
}

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
};

/** Ends the servers, and removes the folders, of runs whose process is gone. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(os.tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = path.join(os.tmpdir(), name);
    try {
      if (!isGone(Number(readFileSync(path.join(folder, "owner"), "utf8")))) continue;
      const left = await findPostmaster(path.join(folder, "postgres"));
      if (left) process.kill(left.pid, "SIGQUIT");
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    } catch {
      // another user's, or just being made or removed
    }
  }
}

async function makeTemplate(database: EmbeddedDatabase): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await client.end();
  const url = new URL(database.url);
  url.pathname = `/${TEMPLATE}`;
  await migrate(url.href);
}

/** Ends the server when vitest is interrupted or gives up before it comes to the teardown. */
function endWithProcess(folder: string, postmaster: number | undefined): () => void {
  const onExit = () => {
    try {
      if (postmaster) process.kill(postmaster, "SIGQUIT");
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    } catch {
      // the next run sweeps
    }
  };
  const onSignal = () => process.exit(130);
  process.once("exit", onExit);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, onSignal);
  return () => process.off("exit", onExit);
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweep();
  const folder = makeFolder();
  const database = await openEmbedded({ dataDir: folder, settings: FAST });
  const stopWatching = endWithProcess(folder, (await findPostmaster(path.join(folder, "postgres")))?.pid);
  await makeTemplate(database);
  project.provide("databaseUrl", database.url);
  return async () => {
    await database.close();
    stopWatching();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
}
