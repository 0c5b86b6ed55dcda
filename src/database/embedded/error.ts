import { OperatorError } from "../../errors.js";
import { codeOf } from "../../lib/error-code.js";

/** The embedded database can't be used. */
export class EmbeddedError extends OperatorError {}

const SYSTEM_REASONS: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  ENOTDIR: "a part of the path is not a folder",
  EEXIST: "there is a file of this name",
  ENOENT: "no such file or folder",
};

/** The reason of a failed system call. */
export const reasonOf = (error: unknown): string =>
  SYSTEM_REASONS[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));

/** Runs work on the file system. @throws EmbeddedError whose message begins with `failure` */
export async function explain<T>(failure: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EmbeddedError) throw error;
    throw new EmbeddedError(`${failure}: ${reasonOf(error)}.`, { cause: error });
  }
}
