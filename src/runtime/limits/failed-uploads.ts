/** Limits files that are refused while decoding: each may have cost as much as an accepted one, or far more. */
import { Level } from "../auth/levels.js";
import type { SignedIn } from "../auth/viewer.js";
import { BoardError, failure, PROBLEMS } from "../../errors.js";
import { Attempts } from "./attempts.js";
import type { LimitStore } from "./store.js";

/** Not errors of the board itself, nor sources that are pages or texts, which cost little. */
const isCostly = (error: unknown): boolean =>
  error instanceof BoardError &&
  error.code === "INVALID_RECORD" &&
  error.fields?.file?.includes(PROBLEMS.unsupported_file) !== true;

export class FailedUploads {
  private readonly attempts: Attempts;

  /** @param limit per user below Admin and hour */
  constructor(store: LimitStore, limit: number) {
    const refusal = (retryAfter: number) => failure("failed_upload_limit", { limit }, { retryAfter });
    this.attempts = new Attempts(store.counter("failed-uploads", limit), limit, refusal);
  }

  /**
   * Decodes a file and counts it if it is refused. No more than may fail run at once; others wait.
   * @throws BoardError 421 if too many of this hour were refused; errors of decoding
   */
  async run<T>(uploader: SignedIn, decode: () => Promise<T>): Promise<T> {
    if (uploader.level >= Level.Admin) return decode();
    return this.attempts.run([`user:${uploader.id}`], (fail) =>
      decode().catch(async (error: unknown) => {
        if (isCostly(error)) await fail();
        throw error;
      }),
    );
  }
}
