/** Copies the files of a board from one storage to another. When run again, it copies only missing files. */
import type { Progress } from "../lib/progress.js";
import { md5OfFile, streamToFile } from "../lib/files.js";
import { parseKey } from "./keys.js";
import type { ListedFile, Storage } from "./storage.js";

export interface CopyReport {
  copied: number;
  /** files that the target already has, with the same size */
  present: number;
  /** keys that are not a board's, and originals that don't match their md5; not copied */
  refused: string[];
}

const CONCURRENCY = 16;

/** @throws errors of either storage; files copied before stay */
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
  const outcomes = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work));
  const failed = outcomes.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
  if (failed) throw failed.reason;
  return report;
}

/** Originals are compared with the md5 in their key. Files that are removed meanwhile are left out. */
async function copyOne(from: Storage, to: Storage, { key, size }: ListedFile, report: CopyReport): Promise<void> {
  const parsed = parseKey(key);
  if (!parsed) return void report.refused.push(key);
  const existing = await to.stat(key);
  if (existing?.size === size) return void (report.present += 1);
  const copy = await to.temporary.create();
  try {
    await streamToFile(from.open(key), copy.path);
    const isIntact = parsed.variant !== "original" || (await md5OfFile(copy.path)) === parsed.md5;
    if (!isIntact) return void report.refused.push(key);
    await to.put(copy.path, key);
    report.copied += 1;
  } catch (error) {
    if (await from.stat(key)) throw error; // otherwise it was removed after it was listed, as with an expunged post
  } finally {
    await copy.remove();
  }
}
