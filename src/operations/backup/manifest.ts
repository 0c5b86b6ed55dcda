/** The first entry of a backup, which describes its tables and version. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { BackupError } from "./archive.js";

export const MANIFEST = "manifest.json";
/** The second entry: the checksum of the first, in the format of sha256sum. */
export const MANIFEST_SUM = "manifest.sha256";
/** incremented by changes that older versions of the board can't restore */
const FORMAT = 1;

const manifest = z.object({
  format: z.literal(FORMAT),
  takenAt: z.string(),
  /** names of the applied migrations, oldest first */
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  sequences: z.record(z.string(), z.string()),
});

export type Manifest = z.infer<typeof manifest>;

export const writeManifest = (content: Omit<Manifest, "format">): Buffer =>
  Buffer.from(`${JSON.stringify({ format: FORMAT, ...content }, null, 2)}\n`);

/** The content of the second entry. */
export const sumOf = (content: Buffer): Buffer =>
  Buffer.from(`${createHash("sha256").update(content).digest("hex")}  ${MANIFEST}\n`);

/** @throws BackupError if this version of the board can't read it */
export function readManifest(content: Buffer): Manifest {
  try {
    return manifest.parse(JSON.parse(content.toString()));
  } catch {
    throw new BackupError("The file was written by another version of the board, or is not a backup.");
  }
}
