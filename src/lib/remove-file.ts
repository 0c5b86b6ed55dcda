import { unlink } from "node:fs/promises";

/** Removes a file if it exists. Unlike `rm`, which first looks it up synchronously, it blocks no other request. */
export async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
