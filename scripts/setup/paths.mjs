/** Paths in the checkout. */
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of the checkout. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** Absolute path of a file in the checkout. */
export const at = (...parts) => path.join(ROOT, ...parts);

/** Folder of the set-up's state: stamps, the lock, incomplete results. */
export const NOTES = at(".cache/setup");
