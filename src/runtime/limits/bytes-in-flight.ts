/**
 * Bytes of files that are on their way into the board: counted as they arrive until their temporary file is removed, for an
 * address, an account and the process as a whole.
 */
import type { Viewer } from "../auth/viewer.js";
import type { Config } from "../../config.js";
import { failure } from "../../errors.js";
import { addressKey } from "./limiter.js";

/** Who sends a file, or has one downloaded. */
export interface Sender {
  address: string;
  /** null for visitors */
  userId: number | null;
}

/** Whose bytes a file counts as that comes with a request. */
export const senderOf = ({ address, viewer }: { address: string; viewer: Viewer }): Sender => ({
  address,
  userId: viewer.id,
});

type Limits = Pick<
  Config,
  "MAX_UPLOAD_BYTES" | "UPLOAD_BYTES_PER_ADDRESS" | "UPLOAD_BYTES_PER_USER" | "UPLOAD_BYTES_IN_FLIGHT"
>;

/** Seconds after which another attempt may succeed. */
const RETRY_SECONDS = 10;

const BOARD = "board";

export class BytesInFlight {
  private readonly held = new Map<string, number>();

  /** @param limits in bytes; one file of the largest size is always accepted */
  constructor(private readonly limits: Limits) {}

  /** Bytes that all senders together have in flight. */
  get total(): number {
    return this.held.get(BOARD) ?? 0;
  }

  /** What one file of a sender takes. The files of the operator (imports) have no sender and are not counted. */
  lease(sender?: Sender): ByteLease {
    return new ByteLease(this.held, sender ? this.sharesOf(sender) : []);
  }

  private sharesOf({ address, userId }: Sender): Share[] {
    const { MAX_UPLOAD_BYTES: most, ...limits } = this.limits;
    const shares: Share[] = [
      { key: `address:${addressKey(address)}`, limit: Math.max(most, limits.UPLOAD_BYTES_PER_ADDRESS), isOwn: true },
      { key: BOARD, limit: Math.max(most, limits.UPLOAD_BYTES_IN_FLIGHT), isOwn: false },
    ];
    if (userId !== null)
      shares.push({ key: `user:${userId}`, limit: Math.max(most, limits.UPLOAD_BYTES_PER_USER), isOwn: true });
    return shares;
  }
}

interface Share {
  key: string;
  /** bytes */
  limit: number;
  /** whether it is the sender's own limit, rather than everybody's */
  isOwn: boolean;
}

/** The bytes of one file. */
export class ByteLease {
  private bytes = 0;

  constructor(
    private readonly held: Map<string, number>,
    private readonly shares: readonly Share[],
  ) {}

  /** Counts further bytes. @throws BoardError 421 past a limit of the sender, 503 past the board's; then none is counted */
  take(bytes: number): void {
    for (const { key, limit, isOwn } of this.shares) {
      if ((this.held.get(key) ?? 0) + bytes <= limit) continue;
      throw failure(isOwn ? "uploads_in_flight" : "overloaded", {}, { retryAfter: RETRY_SECONDS });
    }
    for (const { key } of this.shares) this.held.set(key, (this.held.get(key) ?? 0) + bytes);
    this.bytes += bytes;
  }

  /** Gives all of them back; again and again does no harm. */
  release(): void {
    for (const { key } of this.shares) {
      const left = (this.held.get(key) ?? 0) - this.bytes;
      if (left > 0) this.held.set(key, left);
      else this.held.delete(key);
    }
    this.bytes = 0;
  }
}
