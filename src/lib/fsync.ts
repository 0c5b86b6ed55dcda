import { open } from "node:fs/promises";

/** Flushes a file to the disk, or a folder, so that the names in it survive a power cut. @param flags `r+` for a file */
export async function fsync(path: string, flags: "r" | "r+" = "r"): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
