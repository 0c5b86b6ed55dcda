import { describe, expect, it } from "vitest";
import { BatchingCounter, type Used } from "../../src/runtime/limits/store.js";

/** A store that answers on command, and records its calls. */
function store() {
  const asked: [string, number][] = [];
  const answers: { answer: () => void; fail: () => void }[] = [];
  const counts = new Map<string, number>();
  const count = (key: string, times = 1): Promise<Used> => {
    asked.push([key, times]);
    const points = (counts.get(key) ?? 0) + times;
    counts.set(key, points);
    return new Promise((resolve, reject) => {
      answers.push({ answer: () => resolve({ points, msBeforeNext: 5 }), fail: () => reject(new Error("away")) });
    });
  };
  return { asked, answers, counter: new BatchingCounter({ count, read: () => Promise.resolve(null) }) };
}

const points = (used: Used): number => used.points;

describe("counts of one key", () => {
  it("that arrive while one is in flight are sent together, and each gets its own number", async () => {
    const { asked, answers, counter } = store();
    const all = [counter.count("a"), counter.count("a"), counter.count("a")];
    expect(asked).toEqual([["a", 1]]);
    answers[0]?.answer();
    expect(points(await (all[0] as Promise<Used>))).toBe(1);
    await expect
      .poll(() => asked)
      .toEqual([
        ["a", 1],
        ["a", 2],
      ]);
    const late = counter.count("a");
    answers[1]?.answer();
    expect((await Promise.all(all)).map(points)).toEqual([1, 2, 3]);
    await expect.poll(() => asked.at(-1)).toEqual(["a", 1]);
    answers[2]?.answer();
    expect(await late).toEqual({ points: 4, msBeforeNext: 5 });
  });

  it("may each be more than one", async () => {
    const { asked, answers, counter } = store();
    const all = [counter.count("a", 5), counter.count("a", 3), counter.count("a")];
    answers[0]?.answer();
    await expect.poll(() => asked.at(-1)).toEqual(["a", 4]);
    answers[1]?.answer();
    expect((await Promise.all(all)).map(points)).toEqual([5, 8, 9]);
  });

  it("don't wait for those of another key", async () => {
    const { asked, answers, counter } = store();
    void counter.count("a");
    const other = counter.count("b");
    expect(asked).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
    answers[1]?.answer();
    expect(points(await other)).toBe(1);
  });

  it("fail together, and the next one is sent again", async () => {
    const { answers, counter } = store();
    const first = counter.count("a");
    const others = [counter.count("a"), counter.count("a")];
    answers[0]?.answer();
    await first;
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.fail();
    expect((await Promise.allSettled(others)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const next = counter.count("a");
    await expect.poll(() => answers.length).toBe(3);
    answers[2]?.answer();
    expect(points(await next)).toBe(4);
  });
});
