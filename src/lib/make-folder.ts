import { mkdir, stat } from "node:fs/promises";
import path from "node:path";

/**
 * Creates a folder and its missing parents, each after its own parent: Node's own `recursive` never ends where the system says that the parent
 * is missing although it is there, as in /proc, and reports other reasons as this one too. Others may create them at the same time.
 * @returns the first of them that was missing; undefined if the folder was there
 * @throws Error of the system
 */
export async function makeFolder(folder: string): Promise<string | undefined> {
  const parent = path.dirname(folder);
  const first = (await isFolder(parent)) ? undefined : await makeFolder(parent);
  try {
    await mkdir(folder);
    return first ?? folder;
  } catch (error) {
    if (await isFolder(folder)) return first;
    throw error;
  }
}

const isFolder = (at: string): Promise<boolean> =>
  stat(at).then(
    (found) => found.isDirectory(),
    () => false,
  );
