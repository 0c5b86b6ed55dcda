import { existsSync } from "node:fs";
import path from "node:path";

function findRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(path.join(folder, "package.json"))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error("package.json was not found above the program");
    folder = parent;
  }
  return folder;
}

let found: string | undefined;

/** The absolute path of the nearest parent folder (of `src` or `dist`) with a package.json. @throws Error without one */
export const projectRoot = (): string => (found ??= findRoot());
