/** The files of the project, by their paths from the top folder. */
import { readFileSync } from "node:fs";
import path from "node:path";

/** The top folder. */
export const ROOT = path.resolve(import.meta.dirname, "../..");

/** The text of a file. */
export const readProjectFile = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
