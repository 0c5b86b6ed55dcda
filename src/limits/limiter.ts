/** Counts events per key in fixed windows. One table of limits; every refusal is a 421 with the seconds to wait. */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import ipaddr from "ipaddr.js";
import { Level } from "../auth/levels.js";
import type { Config } from "../config.js";
import { failure } from "../errors.js";
import type { Viewer } from "../auth/viewer.js";

const HOUR = 3600;

export interface Allowance {
  limit: number;
  remaining: number;
  /** seconds until the window ends */
  reset: number;
  /** true when this request is past the limit */
  exceeded: boolean;
}

/** Requests an hour by level; the levels that the specification does not show have Platinum's. */
export function hourlyLimit(config: Config, level: number): number {
  if (level >= Level.Platinum) return config.LIMIT_PLATINUM;
  if (level >= Level.Gold) return config.LIMIT_GOLD;
  return level >= Level.Member ? config.LIMIT_MEMBER : config.LIMIT_ANONYMOUS;
}

/** One key for one party: IPv4 as it is, IPv6 by its /64, since a single customer has a whole /64. */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const parts = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(":")}::/64`;
}

export class Limiter {
  private readonly requests: RateLimiterMemory;
  private readonly logins: RateLimiterMemory;
  private readonly signUps: RateLimiterMemory;

  constructor(private readonly config: Config) {
    // The point limits of `requests` vary by caller, so the window alone is fixed here.
    this.requests = new RateLimiterMemory({ keyPrefix: "requests", points: Number.MAX_SAFE_INTEGER, duration: HOUR });
    this.logins = new RateLimiterMemory({
      keyPrefix: "logins",
      points: config.LOGIN_ATTEMPTS_PER_HOUR,
      duration: HOUR,
    });
    this.signUps = new RateLimiterMemory({ keyPrefix: "sign-ups", points: config.ACCOUNTS_PER_HOUR, duration: HOUR });
  }

  /** Counts one request of the viewer (by user, or by address when anonymous). */
  async request(viewer: Viewer, address: string): Promise<Allowance> {
    const limit = hourlyLimit(this.config, viewer.level);
    const key = viewer.id === null ? `address:${addressKey(address)}` : `user:${viewer.id}`;
    const used = await this.requests.consume(key);
    const reset = Math.max(1, Math.ceil(used.msBeforeNext / 1000));
    const remaining = Math.max(0, limit - used.consumedPoints);
    return { limit, remaining, reset, exceeded: used.consumedPoints > limit };
  }

  /**
   * Refuses further attempts after too many failures for this name or from this address.
   * @throws BoardError 421
   */
  async checkLogin(name: string, address: string): Promise<void> {
    for (const key of [`name:${name}`, `address:${addressKey(address)}`]) {
      const seen = await this.logins.get(key);
      if (seen && seen.consumedPoints >= this.config.LOGIN_ATTEMPTS_PER_HOUR) {
        throw failure("login_attempts", {}, { retryAfter: Math.ceil(seen.msBeforeNext / 1000) });
      }
    }
  }

  async failedLogin(name: string, address: string): Promise<void> {
    await Promise.allSettled([
      this.logins.consume(`name:${name}`),
      this.logins.consume(`address:${addressKey(address)}`),
    ]);
  }

  /** @throws BoardError 421 after too many accounts from one address */
  async signUp(address: string): Promise<void> {
    try {
      await this.signUps.consume(addressKey(address));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw failure("sign_up_limit", {}, { retryAfter: Math.ceil(error.msBeforeNext / 1000) });
    }
  }
}
