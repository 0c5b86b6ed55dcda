import { describe, expect, it } from "vitest";
import { pausedMap } from "../../src/lib/paused-map.js";

/** Keeps the event loop busy for longer than one of its turns should last. */
function work(item: string): string {
  const end = performance.now() + 10;
  while (performance.now() < end);
  return item.toUpperCase();
}

describe("pausedMap", () => {
  it("lets other work go on between items that take long, and returns the results in their order", async () => {
    const done: string[] = [];
    setImmediate(() => done.push("another request"));
    const results = await pausedMap(["a", "b", "c"], (item) => {
      done.push(item);
      return work(item);
    });
    expect(results).toEqual(["A", "B", "C"]);
    expect(done).toEqual(["a", "another request", "b", "c"]);
  });

  it("returns what takes no time without a promise", () => {
    expect([pausedMap(["a", "b"], (item) => `${item}!`), pausedMap([], work), pausedMap(["a"], work)]).toEqual([
      ["a!", "b!"],
      [],
      ["A"],
    ]);
  });

  it("rejects with an error of a later item", async () => {
    const refuse = (item: string) => {
      if (item === "b") throw new Error("no b");
      return work(item);
    };
    await expect(pausedMap(["a", "b"], refuse)).rejects.toThrow("no b");
  });
});
