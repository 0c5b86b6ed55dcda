/** The migrations of a later version: those of this one, and some more. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Folder } from "./folder.js";

/** @param more names and scripts, in any order @returns the folder they are in */
export async function laterMigrations(folder: Folder, more: Record<string, string>): Promise<string> {
  const migrations = folder.at("migrations");
  await cp(path.resolve(import.meta.dirname, "../../prisma/migrations"), migrations, { recursive: true });
  for (const [name, script] of Object.entries(more)) {
    await mkdir(path.join(migrations, name), { recursive: true });
    await writeFile(path.join(migrations, name, "migration.sql"), script);
  }
  return migrations;
}
