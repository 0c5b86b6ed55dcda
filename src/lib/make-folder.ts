import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "./error-code.js";

/**
 * Creates a folder and its missing parents, one after the other: Node's own `recursive` never ends where the system says that the parent
 * is missing although it is there, as in /proc, and reports other reasons as this one too.
 * @param mode of each folder
 * @returns the first of them that was missing; undefined if the folder was there
 * @throws Error of the system
 */
export async function makeFolder(folder: string, mode?: number): Promise<string | undefined> {
  try {
    await mkdir(folder, { mode });
    return folder;
  } catch (error) {
    const found = await stat(folder).catch(() => null);
    if (found?.isDirectory()) return undefined;
    const parent = path.dirname(folder);
    const isMissing = codeOf(error) === "ENOENT" && (await stat(parent).catch(() => null)) === null;
    if (!isMissing) throw error;
    const first = await makeFolder(parent, mode);
    const own = await makeFolder(folder, mode);
    return first ?? own;
  }
}
