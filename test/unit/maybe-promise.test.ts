import { describe, expect, it } from "vitest";
import { andThen, attempt } from "../../src/lib/maybe-promise.js";

const thrower = () => {
  throw new Error("no");
};
const messageOf = (error: unknown): string => (error as Error).message;

describe("andThen", () => {
  it("continues at once with a value that is there", () => {
    expect(andThen(1, (value) => value + 1)).toBe(2);
  });

  it("waits for a promise", async () => {
    await expect(andThen(Promise.resolve(1), (value) => value + 1)).resolves.toBe(2);
  });

  it("throws at once, or rejects", async () => {
    expect(() => andThen(1, thrower)).toThrow("no");
    await expect(andThen(Promise.resolve(1), thrower)).rejects.toThrow("no");
  });
});

describe("attempt", () => {
  it("returns the value, at once if it is there", async () => {
    expect(
      attempt(
        () => 1,
        () => 0,
      ),
    ).toBe(1);
    await expect(
      attempt(
        () => Promise.resolve(1),
        () => 0,
      ),
    ).resolves.toBe(1);
  });

  it("returns what is made of an error, thrown or rejected with", async () => {
    expect(attempt<string>(thrower, messageOf)).toBe("no");
    await expect(attempt<string>(() => Promise.reject(new Error("no")), messageOf)).resolves.toBe("no");
  });
});
