/**
 * Storing and checking passwords and keys. The column contains bcrypt(sha1(password)), where sha1 is the
 * lower-case hex SHA-1 of `<salt>--<password>--`; so the legacy `password_hash` parameter, which is that SHA-1,
 * verifies against the same column, and the API key is the column's whole bcrypt string.
 */
import { createHash, createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import bcrypt from "bcrypt";
import { LRUCache } from "lru-cache";
import { failure, type ValidationErrors } from "../../errors.js";
import { FairSemaphore } from "../../lib/semaphore.js";
import type { Config } from "../../config.js";
import { lengthOf } from "../../lib/text.js";
import { addressKey } from "../limits/limiter.js";

/** The legacy salted SHA-1, 40 hex digits. */
export const legacyHash = (password: string, salt: string): string =>
  createHash("sha1").update(`${salt}--${password}--`).digest("hex");

/** Half of the threads of Node's pool, which also read and write all files. */
const HALF_OF_THREADS = 2;

/**
 * Hashes that run at once. bcrypt takes a core and a thread of the pool for a quarter of a second by default: half of both are left
 * for everything else.
 * @param cores of the machine
 */
export const hashesAtOnce = (cores: number): number => Math.min(HALF_OF_THREADS, Math.max(1, Math.floor(cores / 2)));

/** Hashes that may wait; the last of them for some seconds. */
const MAX_WAITING = 20;

const hashing = new FairSemaphore(hashesAtOnce(availableParallelism()), MAX_WAITING);

/** Addresses take turns, as changing a key hashes as often as one likes. @throws BoardError 503 if too many wait and none has more than the address */
async function hashed<T>(address: string, work: () => Promise<T>): Promise<T> {
  const release = await hashing.acquire(addressKey(address), 1).catch((cause: unknown) => {
    throw failure("overloaded", {}, { cause });
  });
  return work().finally(release);
}

/** The string to store for a password: 60 characters of bcrypt, which is also the user's API key. @param address of the client; none of a command */
export const hashPassword = (
  password: string,
  { PASSWORD_SALT, BCRYPT_COST }: PasswordSettings,
  address = "",
): Promise<string> => hashed(address, () => bcrypt.hash(legacyHash(password, PASSWORD_SALT), BCRYPT_COST));

type PasswordSettings = Pick<Config, "PASSWORD_SALT" | "BCRYPT_COST">;

/** Compares in a time that reveals neither where the two differ nor the length of the secret. */
export function constantTimeEqual(given: string, secret: string): boolean {
  const digest = (text: string) => hash("sha256", text, "buffer"); // their lengths are equal, and one call takes a tenth of an HMAC
  return timingSafeEqual(digest(given), digest(secret));
}

const CACHE_MILLISECONDS = 5 * 60_000;
const CACHE_ENTRIES = 10_000;

/**
 * Checks legacy hashes against bcrypt, caching successes for minutes under a keyed digest, so that bcrypt does not
 * run on every call. The digest includes the stored hash, so a new password invalidates old entries.
 */
export class LegacyVerifier {
  private readonly key = randomBytes(32);
  private readonly verified = new LRUCache<string, true>({ max: CACHE_ENTRIES, ttl: CACHE_MILLISECONDS });
  private readonly decoy: Promise<string>;

  constructor(cost: number) {
    this.decoy = bcrypt.hash(randomBytes(20).toString("hex"), cost);
  }

  /** `stored` is null for an unknown user: then a decoy is checked, so that the response takes as long. @param address as for `hashPassword` */
  async verify(given: string, stored: string | null, address = ""): Promise<boolean> {
    if (stored === null) {
      const decoy = await this.decoy;
      await hashed(address, () => bcrypt.compare(given, decoy));
      return false;
    }
    const digest = createHmac("sha256", this.key).update(`${stored}\0${given.toLowerCase()}`).digest("base64");
    if (this.verified.has(digest)) return true;
    if (!(await hashed(address, () => bcrypt.compare(given.toLowerCase(), stored)))) return false;
    this.verified.set(digest, true);
    return true;
  }
}

/** Length of a password in characters; the minimum is that of NIST SP 800-63B. */
const PASSWORD_MIN = 8;
const PASSWORD_MAX = 1000;

/** Whether a password is among the most common leaked ones, ignoring case. The list is loaded at the first call. */
async function isCommon(password: string): Promise<boolean> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return dictionary["passwords-common"].includes(password.toLowerCase());
}

/** Validates a new password, with errors of the field `password`; existing passwords stay valid. */
export async function checkPassword(
  problems: ValidationErrors,
  { password, passwordConfirmation }: { password: string; passwordConfirmation?: string | null | undefined },
): Promise<void> {
  const length = lengthOf(password);
  if (length < PASSWORD_MIN) problems.add("password", "too_short", { limit: PASSWORD_MIN });
  else if (length > PASSWORD_MAX) problems.add("password", "too_long", { limit: PASSWORD_MAX });
  else if (await isCommon(password)) problems.add("password", "too_common");
  if (typeof passwordConfirmation === "string" && passwordConfirmation !== password) {
    problems.add("password_confirmation", "mismatch");
  }
}
