import { unlink } from "node:fs/promises";
import { ifCode } from "./error-code.js";

/** Removes a file if it exists. Unlike `rm`, which first looks it up synchronously, it blocks no other request. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch(ifCode(["ENOENT"], undefined));
}
