/** The first entry of a backup: what it is of. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { BackupError } from "./archive.js";

export const MANIFEST = "manifest.json";
/** The entry after it with its checksum, in the format of sha256sum. */
export const MANIFEST_SUM = "manifest.sha256";
/** changes when an older version of the board could not restore it */
const FORMAT = 1;

const manifest = z.object({
  format: z.literal(FORMAT),
  /** when the snapshot was taken */
  takenAt: z.string(),
  /** names of the migrations that the tables are made by, oldest first */
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  sequences: z.record(z.string(), z.string()),
});

export type Manifest = z.infer<typeof manifest>;

export const writeManifest = (content: Omit<Manifest, "format">): Buffer =>
  Buffer.from(`${JSON.stringify({ format: FORMAT, ...content }, null, 2)}\n`);

/** What the second entry says of the first. */
export const sumOf = (content: Buffer): Buffer =>
  Buffer.from(`${createHash("sha256").update(content).digest("hex")}  ${MANIFEST}\n`);

/** @throws BackupError when it is none that this version of the board can read */
export function readManifest(content: Buffer): Manifest {
  try {
    return manifest.parse(JSON.parse(content.toString()));
  } catch {
    throw new BackupError("The backup was made by another version of the board, or is none.");
  }
}
