import { describe, expect, it } from "vitest";
import { MemoryCounter } from "../../src/runtime/limits/memory.js";

const DURATION = 1_000;

function counting(): { counter: MemoryCounter; at: (milliseconds: number) => void } {
  let now = 0;
  return { counter: new MemoryCounter(DURATION, () => now), at: (milliseconds) => void (now = milliseconds) };
}

describe("counts in memory", () => {
  it("add up for each key, and name the end of its window", () => {
    const { counter, at } = counting();
    expect(counter.count("a")).toEqual({ points: 1, msBeforeNext: 1_000 });
    at(400);
    expect(counter.count("a", 3)).toEqual({ points: 4, msBeforeNext: 600 });
    expect(counter.count("b")).toEqual({ points: 1, msBeforeNext: 1_000 });
    expect(counter.count("a", -1)).toEqual({ points: 3, msBeforeNext: 600 });
  });

  it("are read without being changed", () => {
    const { counter } = counting();
    expect(counter.read("a")).toBeNull();
    counter.count("a");
    expect(counter.read("a")).toEqual({ points: 1, msBeforeNext: 1_000 });
    expect(counter.read("a")).toEqual({ points: 1, msBeforeNext: 1_000 });
  });

  it("start again with a key's next count after its window", () => {
    const { counter, at } = counting();
    counter.count("a", 5);
    at(999);
    expect(counter.read("a")).toEqual({ points: 5, msBeforeNext: 1 });
    at(1_000);
    expect(counter.read("a")).toBeNull();
    at(1_500);
    expect(counter.count("a")).toEqual({ points: 1, msBeforeNext: 1_000 });
  });

  it("are forgotten after their window, two for each new key", () => {
    const { counter, at } = counting();
    for (const key of ["a", "b", "c", "d"]) counter.count(key);
    at(500);
    counter.count("e");
    at(1_000);
    counter.count("a"); // removes its own, and the two before the others'
    expect(counter.windows.size).toBe(3);
    counter.count("f");
    expect(counter.windows.size).toBe(3);
    expect(counter.read("e")).toEqual({ points: 1, msBeforeNext: 500 });
    counter.count("g");
    expect(counter.windows.size).toBe(4);
  });
});
