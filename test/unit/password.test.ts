import { availableParallelism } from "node:os";
import { describe, expect, it } from "vitest";
import { hashesAtOnce, hashPassword, LegacyVerifier, legacyHash } from "../../src/runtime/auth/password.js";

const SLOTS = hashesAtOnce(availableParallelism());
const WAITING = 20;

/** What became of all of them: the reasons of those that were refused, null for the others. */
const reasons = (results: PromiseSettledResult<unknown>[]): (string | null)[] =>
  results.map((result) => (result.status === "rejected" ? (result.reason as { key: string }).key : null));

describe("concurrent password hashes", () => {
  it("leave half of the cores, and two of the four threads that read files", () => {
    expect([1, 2, 4, 6, 8, 64].map(hashesAtOnce)).toEqual([1, 1, 2, 2, 2, 2]);
  });

  it("use half of the cores; twenty wait, and more are refused with 503", async () => {
    const many = Array.from({ length: SLOTS + WAITING + 5 }, () =>
      hashPassword("a password", { PASSWORD_SALT: "salt", BCRYPT_COST: 4 }),
    );
    const refused = reasons(await Promise.allSettled(many));
    expect(refused).toEqual([...Array<null>(SLOTS + WAITING).fill(null), ...Array<string>(5).fill("overloaded")]);
    expect(await hashPassword("a password", { PASSWORD_SALT: "salt", BCRYPT_COST: 4 })).toHaveLength(60);
  });

  it("are taken from addresses in turns: one with many delays another by one, and loses the last of its own", async () => {
    const done: string[] = [];
    const hash = async (address: string) => {
      await hashPassword("a password", { PASSWORD_SALT: "salt", BCRYPT_COST: 6 }, address);
      done.push(address);
    };
    const [one, other] = ["2001:db8::1", "2001:db8:1::1"];
    const many = Array.from({ length: SLOTS + WAITING }, (_, index) => hash(index % 2 ? one : "2001:db8::2"));
    const last = hash(other);
    const refused = reasons(await Promise.allSettled([...many, last]));
    expect(refused).toEqual([...Array<null>(SLOTS + WAITING - 1).fill(null), "overloaded", null]);
    expect(done.indexOf(other)).toBeLessThanOrEqual(2 * SLOTS);
  });

  it("share the limit with password checks, for unknown names too", async () => {
    const stored = await hashPassword("a password", { PASSWORD_SALT: "salt", BCRYPT_COST: 4 });
    const verifier = new LegacyVerifier(4);
    const check = (name: string | null) => verifier.verify(legacyHash(`wrong ${Math.random()}`, "salt"), name);
    await check(null);
    const many = Array.from({ length: 2 * (SLOTS + WAITING) }, (_, index) => check(index % 2 ? stored : null));
    expect(reasons(await Promise.allSettled(many)).filter(Boolean)).toHaveLength(SLOTS + WAITING);
  });
});
