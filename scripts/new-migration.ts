/**
 * Writes the difference between a migrated database and prisma/schema to a new migration, to be reviewed and completed:
 *
 *   DATABASE_URL=postgres://... npx tsx scripts/new-migration.ts add_something
 *
 * The database must have all present migrations; it is only read. Checks, expression and partial indexes are added by hand.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pendingMigrations } from "../src/database/migrate.js";
import { projectRoot } from "../src/lib/project-root.js";
import { explainFailure } from "../src/runtime/explain.js";
import { drift } from "./drift.js";

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

async function difference(database: string): Promise<string> {
  const pending = await pendingMigrations(database);
  if (pending.length > 0) refuse(`The database still lacks ${pending.join(", ")}.`);
  return drift(database);
}

const [name] = process.argv.slice(2);
const url = process.env.DATABASE_URL;
if (!url || !name || !/^[a-z0-9_]+$/.test(name)) {
  refuse("Usage: DATABASE_URL=postgres://... npx tsx scripts/new-migration.ts name_in_lower_case");
}

const sql = await difference(url).catch((error: unknown) => refuse(explainFailure(error)));
if (sql === "") {
  console.log("The database agrees with prisma/schema; nothing was written.");
} else {
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const folder = path.join(projectRoot(), "prisma", "migrations", `${stamp}_${name}`);
  mkdirSync(folder);
  writeFileSync(path.join(folder, "migration.sql"), `${sql}\n`);
  console.log(`Wrote ${path.relative(projectRoot(), folder)}/migration.sql`);
}
