/**
 * Bytes of uploads in progress: counted from their arrival until their temporary file is removed, for an
 * address, an account and the process as a whole.
 */
import type { Viewer } from "../auth/viewer.js";
import type { Config } from "../../config.js";
import { failure } from "../../errors.js";
import { addTo } from "../../lib/add-to.js";
import { addressKey } from "./limiter.js";

/** The sender of a file, or the user who has one downloaded. */
export interface Sender {
  address: string;
  /** null for visitors */
  userId: number | null;
}

export const senderOf = ({ address, viewer }: { address: string; viewer: Viewer }): Sender => ({
  address,
  userId: viewer.id,
});

type Limits = Pick<
  Config,
  "MAX_UPLOAD_BYTES" | "UPLOAD_BYTES_PER_ADDRESS" | "UPLOAD_BYTES_PER_USER" | "UPLOAD_BYTES_IN_FLIGHT"
>;

/** Seconds after which a retry may succeed. */
const RETRY_SECONDS = 10;

const BOARD = "board";

export class BytesInFlight {
  private readonly held = new Map<string, number>();

  /** @param limits in bytes; one file of the largest size is always accepted */
  constructor(private readonly limits: Limits) {}

  /** Bytes in flight of all senders together. */
  get total(): number {
    return this.held.get(BOARD) ?? 0;
  }

  /** Counts one file of a sender. Files of the administrator (imports) have no sender and are not counted. */
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

export class ByteLease {
  private bytes = 0;

  constructor(
    private readonly held: Map<string, number>,
    private readonly shares: readonly Share[],
  ) {}

  /** Counts further bytes. @throws BoardError 421 over a limit of the sender, 503 over the board's; then none is counted */
  take(bytes: number): void {
    for (const { key, limit, isOwn } of this.shares) {
      if ((this.held.get(key) ?? 0) + bytes <= limit) continue;
      throw failure(isOwn ? "uploads_in_flight" : "overloaded", {}, { retryAfter: RETRY_SECONDS });
    }
    for (const { key } of this.shares) addTo(this.held, key, bytes);
    this.bytes += bytes;
  }

  /** Releases all of them; may be called more than once. */
  release(): void {
    for (const { key } of this.shares) addTo(this.held, key, -this.bytes);
    this.bytes = 0;
  }
}
