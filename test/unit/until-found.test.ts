import { describe, expect, it } from "vitest";
import { untilFound } from "../../src/lib/until-found.js";

describe("a search whose result is remembered", () => {
  it("is repeated until something is found, and not after that", async () => {
    const results = [null, null, "first", "second"];
    const find = untilFound(() => Promise.resolve(results.shift() ?? null));
    expect([await find(), await find(), await find(), await find()]).toEqual([null, null, "first", "first"]);
    expect(results).toEqual(["second"]);
  });

  it("is repeated after an error", async () => {
    const results = [() => Promise.reject(new Error("spawn ENOMEM")), () => Promise.resolve("found")];
    const find = untilFound<string>(() => results.shift()?.() ?? Promise.resolve(null));
    await expect(find()).rejects.toThrow("spawn ENOMEM");
    expect([await find(), await find()]).toEqual(["found", "found"]);
  });

  it("is shared by calls at the same time", async () => {
    let searches = 0;
    const find = untilFound(() => {
      searches += 1;
      return Promise.resolve(null);
    });
    await Promise.all([find(), find(), find()]);
    expect(searches).toBe(1);
  });
});
