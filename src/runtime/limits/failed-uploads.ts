/** Limits files that are refused while decoding: each may have cost as much as an accepted one, or far more. */
import { Level } from "../auth/levels.js";
import type { SignedIn } from "../auth/viewer.js";
import { BoardError, failure, PROBLEMS } from "../../errors.js";
import { Attempts } from "./attempts.js";
import type { Counter, LimitStore } from "./store.js";

/** Not errors of the board itself, nor sources that are pages or texts, which cost little. */
const isCostly = (error: unknown): boolean =>
  error instanceof BoardError &&
  error.code === "INVALID_RECORD" &&
  error.fields?.file?.includes(PROBLEMS.unsupported_file) !== true;

export class FailedUploads {
  private readonly failed: Counter;
  private readonly attempts: Attempts;

  /** @param limit per user below Admin and hour */
  constructor(
    store: LimitStore,
    private readonly limit: number,
  ) {
    this.failed = store.counter("failed-uploads", limit);
    this.attempts = new Attempts(limit);
  }

  /**
   * Decodes a file and counts it if it is refused. No more than may fail run at once; others wait.
   * @throws BoardError 421 if too many of this hour were refused; errors of decoding
   */
  async run<T>(uploader: SignedIn, decode: () => Promise<T>): Promise<T> {
    if (uploader.level >= Level.Admin) return decode();
    const key = `user:${uploader.id}`;
    await this.attempts.begin([key], async () => [await this.countOf(key)]);
    try {
      return await decode();
    } catch (error) {
      if (isCostly(error)) await this.failed.count(key);
      throw error;
    } finally {
      this.attempts.end([key]);
    }
  }

  private async countOf(key: string): Promise<number> {
    const found = await this.failed.read(key);
    if (!found || found.points < this.limit) return found?.points ?? 0;
    const retryAfter = Math.max(1, Math.ceil(found.msBeforeNext / 1000));
    throw failure("failed_upload_limit", { limit: this.limit }, { retryAfter });
  }
}
