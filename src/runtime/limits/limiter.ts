/** Hourly limits of requests, failed logins and uploads, and sign-ups, in one table, with a refusal of 421 with the seconds to wait; and statement timeouts. */
import { createHash } from "node:crypto";
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { Level } from "../auth/levels.js";
import type { Config } from "../../config.js";
import { failure, type FailureKey } from "../../errors.js";
import { ANONYMOUS, type Viewer } from "../auth/viewer.js";
import { andThen, type MaybePromise } from "../../lib/maybe-promise.js";
import { KeyedSemaphore } from "../../lib/semaphore.js";
import { type ActionName, ACTIONS } from "./actions.js";
import { Attempts, FailedUploads } from "./attempts.js";
import type { Counter, LimitStore } from "./store.js";
import { getOrMake } from "../../lib/get-or-make.js";

export interface Allowance {
  limit: number;
  remaining: number;
  /** seconds until the window ends */
  reset: number;
  exceeded: boolean;
  /** whether it is the limit of all users at the address, not the viewer's own */
  isOfAddress?: boolean;
}

/** Requests an hour by level; levels for which the specification has no limit have Platinum's. */
export function hourlyLimit(config: Config, level: number): number {
  if (level >= Level.Platinum) return config.LIMIT_PLATINUM;
  if (level >= Level.Gold) return config.LIMIT_GOLD;
  return level >= Level.Member ? config.LIMIT_MEMBER : config.LIMIT_ANONYMOUS;
}

/** The statement timeout for this level in milliseconds; never more than for those above it. */
export function statementDeadline(config: Config, level: number): number {
  const longest = config.STATEMENT_TIMEOUT_MS;
  if (level >= Level.Platinum) return longest;
  const gold = Math.min(config.STATEMENT_TIMEOUT_GOLD_MS, longest);
  return level >= Level.Gold ? gold : Math.min(config.STATEMENT_TIMEOUT_MEMBER_MS, gold);
}

/** The key of an address: IPv4 as it is, IPv6 by its /64, since a single customer has a whole /64. */
export function addressKey(address: string): string {
  if (isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const parts = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(":")}::/64`;
}

/** The key of a viewer: the user, at any address, or the address. */
export const clientKey = (viewer: Pick<Viewer, "id">, address: string): string =>
  viewer.id === null ? `address:${addressKey(address)}` : `user:${viewer.id}`;

export interface Guess {
  /** the account's name as a key; absent if the secret itself identifies the account */
  name?: string;
  address: string;
  /** whether the address has signed in to the account before */
  isKnown?: boolean;
}

/** Keys have a fixed length, names don't. */
const hashed = (...texts: string[]): string => createHash("sha256").update(texts.join("\0")).digest("hex");

/**
 * The keys for which a failed guess counts. An address that has signed in to the account before has a limit of its own
 * for it: guesses by others, of this name or from this address, don't count towards it.
 */
function keysOf({ name, address, isKnown = false }: Guess): string[] {
  const from = clientKey(ANONYMOUS, address);
  if (name === undefined) return [from];
  return isKnown ? [`known:${hashed(name, from)}`] : [`name:${hashed(name)}`, from];
}

/** Requests an hour by which an address without anonymous requests left can still sign in: the page and its form. */
const SIGN_INS = 60;

/** Longest wait for another password check of the same address. */
const CHECK_WAIT_MILLISECONDS = 10_000;

const seconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000));

export class Limiter {
  readonly uploads: FailedUploads;
  private readonly counters = new Map<string, Counter>();
  private readonly guesses: Attempts;
  private readonly checking = new KeyedSemaphore(1);

  constructor(
    private readonly config: Config,
    private readonly store: LimitStore,
  ) {
    this.uploads = new FailedUploads(store, config.FAILED_UPLOADS_PER_HOUR);
    const { LOGIN_ATTEMPTS_PER_HOUR: guesses } = config;
    const refusal = (retryAfter: number) => failure("login_attempts", {}, { retryAfter });
    this.guesses = new Attempts(store.counter("logins", guesses), guesses, refusal);
  }

  /**
   * Counts one or several requests of the viewer (by user, or by address if anonymous), or takes one back (-1); those of users
   * count for their address as well, unless they exceed the user's own limit. If several exceed the limit, none of them is counted, so that smaller ones still succeed.
   * @returns what is left to the viewer; what is left to the address if that is exceeded
   */
  request(viewer: Viewer, address: string, times = 1): MaybePromise<Allowance> {
    const limit = hourlyLimit(this.config, viewer.level);
    const own = this.count("requests", clientKey(viewer, address), limit, times);
    if (viewer.id === null) return own;
    return andThen(own, (mine) => {
      if (mine.exceeded) return mine;
      const ofAddress = this.count("address-requests", addressKey(address), this.config.LIMIT_ADDRESS, times);
      return andThen(ofAddress, (all) => (all.exceeded ? { ...all, isOfAddress: true } : mine));
    });
  }

  /** Counts requests for signing in of an address that has no anonymous requests left. */
  signIn(address: string, times = 1): MaybePromise<Allowance> {
    return this.count("sign-ins", addressKey(address), SIGN_INS, times);
  }

  /**
   * Counts a request as one for suggestions instead, which are sent with each typed key: they have a limit of their own, and
   * don't count as requests.
   * @returns the viewer's remaining requests
   * @throws BoardError 421 over the limit of suggestions; the request stays counted then
   */
  async suggestion(viewer: Viewer, address: string): Promise<Allowance> {
    const { LIMIT_SUGGESTIONS: limit } = this.config;
    const used = await this.count("suggestions", clientKey(viewer, address), limit, 1);
    if (used.exceeded) throw failure("action_limit", { limit, actions: "suggestions" }, { retryAfter: used.reset });
    return this.request(viewer, address, -1);
  }

  private count(name: string, key: string, limit: number, times: number): MaybePromise<Allowance> {
    const counter = this.counterOf(name, limit);
    return andThen(times > 1 ? counter.read(key) : null, (before) => {
      const isTooMuch = before !== null && before.points + times > limit;
      return andThen(isTooMuch ? before : counter.count(key, times), ({ points, msBeforeNext }) => {
        const remaining = Math.max(0, limit - points);
        return { limit, remaining, reset: seconds(msBeforeNext), exceeded: isTooMuch || points > limit };
      });
    });
  }

  /** What the viewer has left, without counting: exceeded if another request would be. */
  async allowance(viewer: Viewer, address: string): Promise<Allowance> {
    const limit = hourlyLimit(this.config, viewer.level);
    const used = await this.counterOf("requests", limit).read(clientKey(viewer, address));
    const { points, msBeforeNext } = used ?? { points: 0, msBeforeNext: 0 };
    return { limit, remaining: Math.max(0, limit - points), reset: seconds(msBeforeNext), exceeded: points >= limit };
  }

  private counterOf(name: string, limit: number): Counter {
    return getOrMake(this.counters, `${name}-${limit}`, () => this.store.counter(name, limit));
  }

  /**
   * Runs a check of a password or token, unless too many guesses have failed for this name or from this address; or, if the
   * address is known to the account, for both together. Only failures count.
   * @param prove returns null for a wrong one
   * @throws BoardError 421, 503 if too many checks run at once
   */
  async attempt<T>(guess: Guess, prove: () => Promise<T | null>): Promise<T | null> {
    const key = clientKey(ANONYMOUS, guess.address);
    // one check of an address at a time, so that none delays all others
    const done = await Promise.resolve(this.checking.acquire(key, CHECK_WAIT_MILLISECONDS)).catch((cause: unknown) => {
      throw failure("overloaded", {}, { retryAfter: seconds(CHECK_WAIT_MILLISECONDS), cause });
    });
    try {
      return await this.guesses.run(keysOf(guess), async (fail) => {
        const proved = await prove();
        if (proved === null) await fail();
        return proved;
      });
    } finally {
      done();
    }
  }

  /** Creates an account, which counts unless it is refused. @throws BoardError 421 after too many accounts from one address; errors of creating it */
  async signUp<T>(address: string, make: () => Promise<T>): Promise<T> {
    const count = (times: number) => this.count("sign-ups", addressKey(address), this.config.ACCOUNTS_PER_HOUR, times);
    const { exceeded, reset } = await count(1);
    if (exceeded) throw failure("sign_up_limit", {}, { retryAfter: reset });
    return make().catch(async (error: unknown) => {
      await count(-1);
      throw error;
    });
  }

  /**
   * Counts actions with a limit of their own, if all of them are within it. New accounts at one address are counted together, so creating many gains nothing.
   * @throws BoardError 421
   */
  async act(action: ActionName, viewer: Viewer, address: string, times = 1): Promise<void> {
    if (times === 0) return;
    for (const { key, limit, refusal } of limitsOf(this.config, action, viewer, address)) {
      const { exceeded, reset } = await this.count(action, key, limit, times);
      if (exceeded) throw failure(refusal, { limit, actions: ACTIONS[action].name }, { retryAfter: reset });
    }
  }
}

const WEEK = 7 * 24 * 3600 * 1000;
/** Share of the limit of an action that an account has in its first week. */
const NEW_SHARE = 1 / 5;

interface ActionLimit {
  key: string;
  limit: number;
  refusal: FailureKey;
}

/** The hourly limits of an action: the viewer's own, and, of a new account, that of all at its address; none for levels given by hand. */
export function limitsOf(config: Config, action: ActionName, viewer: Viewer, address: string): ActionLimit[] {
  if (viewer.level >= Level.Builder) return [];
  const limit = config[ACTIONS[action].setting];
  const key = clientKey(viewer, address);
  const age = viewer.createdAt ? Date.now() - viewer.createdAt.getTime() : WEEK;
  if (age >= WEEK) return [{ key, limit, refusal: "action_limit" }];
  return [
    { key, limit: Math.ceil(limit * NEW_SHARE), refusal: "action_limit" },
    { key: clientKey(ANONYMOUS, address), limit, refusal: "action_address_limit" },
  ];
}
