/** The order in which waiting clients are served. */
import { describe, expect, it } from "vitest";
import { FairQueue } from "../../src/lib/fair-queue.js";

/** A queue with so many entries of each key, as `a0`, `a1`, ... */
function queueOf(counts: Record<string, number>): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const [key, count] of Object.entries(counts))
    for (let index = 0; index < count; index += 1) queue.push(key, `${key}${index}`);
  return queue;
}

const rest = (queue: FairQueue<string>): string[] => {
  const all: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) all.push(item);
  return all;
};

describe("a fair queue", () => {
  it("serves keys in turns, and the entries of one key in order", () => {
    expect(rest(queueOf({ a: 3, b: 1, c: 2 }))).toEqual(["a0", "b0", "c0", "a1", "c1", "a2"]);
  });

  it("serves a new key after one entry of each other key", () => {
    const queue = queueOf({ a: 1000, b: 1000 });
    queue.shift();
    queue.push("late", "late");
    expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(["b0", "a1", "late"]);
  });

  it("counts waiting entries", () => {
    const queue = queueOf({ a: 2, b: 1 });
    expect(queue.size).toBe(3);
    rest(queue);
    expect(queue.size).toBe(0);
    expect(queue.shift()).toBeUndefined();
  });
});
