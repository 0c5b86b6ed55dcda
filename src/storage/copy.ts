/** Copies the files of a board from one storage to another. When run again, it copies only missing files. */
import type { Progress } from "../lib/progress.js";
import { streamToFile } from "../lib/stream-to-file.js";
import { md5OfFile } from "../lib/hash.js";
import { parseKey } from "./keys.js";
import type { ListedFile, Storage } from "./storage.js";

export interface CopyReport {
  /** files that were copied now */
  copied: number;
  /** files that were there already, in the same size */
  present: number;
  /** keys that are no file's of a board, and originals that are not what their md5 says: neither is copied */
  refused: string[];
}

const AT_ONCE = 16;

/** @throws what reading one or writing the other throws; what was copied by then stays */
export async function copyFiles(from: Storage, to: Storage, onProgress?: Progress): Promise<CopyReport> {
  const report: CopyReport = { copied: 0, present: 0, refused: [] };
  let total = 0;
  for await (const _ of from.list()) total += 1;
  const files = from.list()[Symbol.asyncIterator]();
  const work = async () => {
    for (let next = await files.next(); !next.done; next = await files.next()) {
      onProgress?.("copy", report.copied + report.present + report.refused.length, total);
      await copyOne(from, to, next.value, report);
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  const failed = outcomes.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
  if (failed) throw failed.reason;
  return report;
}

/** A key bears the md5 of its original; what arrives in the other storage is compared there, byte for byte or by its sum. */
async function copyOne(from: Storage, to: Storage, { key, size }: ListedFile, report: CopyReport): Promise<void> {
  const parsed = parseKey(key);
  if (!parsed) return void report.refused.push(key);
  const there = await to.stat(key);
  if (there?.size === size) return void (report.present += 1);
  const copy = await to.createTemporary();
  try {
    await streamToFile(from.open(key), copy.path);
    const isWhole = parsed.variant !== "original" || (await md5OfFile(copy.path)) === parsed.md5;
    if (!isWhole) return void report.refused.push(key);
    await to.put(copy.path, key);
    report.copied += 1;
  } finally {
    await copy.remove();
  }
}
