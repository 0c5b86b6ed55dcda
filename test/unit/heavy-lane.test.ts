/** Work that blocks the event loop for long: one piece at a time, addresses in turns, half of the time. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { HeavyLane, HeavyWork } from "../../src/runtime/limits/heavy-lane.js";

/** Blocks the loop for so many milliseconds. */
function hold(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe("heavy work", () => {
  it("starts at once if there is none", async () => {
    await expect(new HeavyLane().run("a", () => 7)).resolves.toBe(7);
  });

  it("serves addresses in turns", async () => {
    const lane = new HeavyLane();
    const done: string[] = [];
    const work = (key: string) => lane.run(key, () => void done.push(key));
    await Promise.all([...["a", "a", "a", "a"].map(work), work("b"), work("c")]);
    expect(done).toEqual(["a", "a", "b", "c", "a", "a"]); // the first began before anybody waited
  });

  it("takes at most half of the event loop's time", async () => {
    const lane = new HeavyLane();
    const began = performance.now();
    await Promise.all(Array.from({ length: 6 }, (_, index) => lane.run(String(index), () => hold(20))));
    expect(performance.now() - began).toBeGreaterThan(6 * 20 + 5 * 19);
  });

  it("continues after a piece that fails", async () => {
    const lane = new HeavyLane();
    const failed = lane.run("a", () => {
      throw new Error("no JSON");
    });
    await expect(failed).rejects.toThrow("no JSON");
    await expect(lane.run("a", () => 7)).resolves.toBe(7);
  });

  it("is refused beyond 64 waiting, to the address with the most", async () => {
    const lane = new HeavyLane();
    const leave = await lane.enter("a");
    const refused: string[] = [];
    const wait = (key: string) =>
      lane
        .run(key, () => undefined)
        .catch(({ code, retryAfter }: { code: string; retryAfter: number }) => {
          refused.push(`${key} ${code} ${retryAfter}`);
        });
    const all = Array.from({ length: 70 }, () => wait("flood"));
    all.push(wait("visitor"));
    await sleep(0);
    expect(lane.lane.waiting).toBe(64);
    expect(refused).toEqual(Array(7).fill("flood UNAVAILABLE 1"));
    leave();
    await Promise.all(all);
    expect(refused).toHaveLength(7);
  });

  it("of one request is one piece, which ends with the request", async () => {
    const lane = new HeavyLane();
    const [one, other] = [new HeavyWork(lane, () => "a"), new HeavyWork(lane, () => "b")];
    await one.begin();
    await one.begin();
    const waiting = other.begin();
    expect(lane.lane.waiting).toBe(1);
    one.close();
    await waiting;
    other.end();
    await expect(one.begin()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("does not keep others waiting while it waits for something else", async () => {
    const lane = new HeavyLane();
    const waiting = new HeavyWork(lane, () => "a");
    await waiting.begin();
    await expect(Promise.race([lane.run("b", () => 7), sleep(5_000)])).resolves.toBe(7);
    waiting.close();
  });

  it("is not started for clients that disconnected while waiting", async () => {
    const lane = new HeavyLane();
    const leave = await lane.enter("a");
    const work = new HeavyWork(lane, () => "b");
    let isDone = false;
    const done = work.run(() => (isDone = true));
    work.close();
    leave();
    await expect(done).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(isDone).toBe(false);
    await expect(lane.run("c", () => 7)).resolves.toBe(7);
  });
});
