/** The MD5 of a file, by which the board finds duplicates. */
import { md5 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** @returns 32 hexadecimal digits; the file is read in chunks, never as a whole */
export async function md5Of(file: Blob): Promise<string> {
  const sum = md5.create();
  const reader = file.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) sum.update(part.value);
  return bytesToHex(sum.digest());
}
