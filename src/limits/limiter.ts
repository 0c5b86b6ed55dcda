/** Requests, failed logins and sign-ups an hour. One table of limits; every refusal is a 421 with the seconds to wait. */
import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";
import { Level } from "../auth/levels.js";
import type { Config } from "../config.js";
import { failure } from "../errors.js";
import type { Viewer } from "../auth/viewer.js";
import { Attempts } from "./attempts.js";
import type { Counter, LimitStore } from "./store.js";

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

/** Names are any text of any length; keys are neither. */
const nameKey = (name: string): string => `name:${createHash("sha256").update(name).digest("hex")}`;

const seconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000));

export class Limiter {
  private readonly requests = new Map<number, Counter>();
  private readonly logins: Counter;
  private readonly signUps: Counter;
  private readonly attempts: Attempts;

  constructor(
    private readonly config: Config,
    private readonly store: LimitStore,
  ) {
    this.logins = store.counter("logins", config.LOGIN_ATTEMPTS_PER_HOUR);
    this.signUps = store.counter("sign-ups", config.ACCOUNTS_PER_HOUR);
    this.attempts = new Attempts(config.LOGIN_ATTEMPTS_PER_HOUR);
  }

  /**
   * Counts a request of the viewer (by user, or by address when anonymous), or one that stands for several. Where several
   * are not left, none of them is counted, so that smaller requests still are answered.
   */
  async request(viewer: Viewer, address: string, times = 1): Promise<Allowance> {
    const limit = hourlyLimit(this.config, viewer.level);
    const key = viewer.id === null ? `address:${addressKey(address)}` : `user:${viewer.id}`;
    const counter = this.requestsOf(limit);
    const before = times > 1 ? await counter.read(key) : null;
    const isTooMuch = before !== null && before.points + times > limit;
    const { points, msBeforeNext } = isTooMuch ? before : await counter.count(key, times);
    const remaining = Math.max(0, limit - points);
    return { limit, remaining, reset: seconds(msBeforeNext), exceeded: isTooMuch || points > limit };
  }

  private requestsOf(limit: number): Counter {
    const counter = this.requests.get(limit) ?? this.store.counter("requests", limit);
    this.requests.set(limit, counter);
    return counter;
  }

  /**
   * Runs a check of a name's password, unless too many have failed for this name or from this address. Only failures count.
   * @throws BoardError 421
   */
  async attempt(name: string, address: string, proves: () => Promise<boolean>): Promise<boolean> {
    const keys = [nameKey(name), `address:${addressKey(address)}`];
    await this.attempts.begin(keys, () => this.failures(keys));
    try {
      const proved = await proves();
      if (!proved) await Promise.all(keys.map((key) => this.logins.count(key)));
      return proved;
    } finally {
      this.attempts.end(keys);
    }
  }

  /** @throws BoardError 421 for a key that has as many as it may */
  private async failures(keys: readonly string[]): Promise<number[]> {
    const seen = await Promise.all(keys.map((key) => this.logins.read(key)));
    for (const each of seen) {
      if (!each || each.points < this.config.LOGIN_ATTEMPTS_PER_HOUR) continue;
      throw failure("login_attempts", {}, { retryAfter: seconds(each.msBeforeNext) });
    }
    return seen.map((each) => each?.points ?? 0);
  }

  /** @throws BoardError 421 after too many accounts from one address */
  async signUp(address: string): Promise<void> {
    const { points, msBeforeNext } = await this.signUps.count(addressKey(address));
    if (points > this.config.ACCOUNTS_PER_HOUR)
      throw failure("sign_up_limit", {}, { retryAfter: seconds(msBeforeNext) });
  }
}
