import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "./project-root.js";

/** The version of this program, from its package.json. */
export const version = (): string =>
  (JSON.parse(readFileSync(path.join(projectRoot(), "package.json"), "utf8")) as { version: string }).version;
