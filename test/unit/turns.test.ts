/** When requests are started. */
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Turns } from "../../src/http/turns.js";

/** Turns by a clock that only work moves on, and what was begun so far. */
function turns() {
  let now = 1000;
  const waiting = new Turns(() => now);
  const begun: string[] = [];
  const ask = (key: string, name: string, milliseconds: number) =>
    waiting.begin(
      () => key,
      () => {
        begun.push(name);
        now += milliseconds;
      },
    );
  return { begun, ask };
}

describe("a request", () => {
  it("starts at once while the event loop keeps up", () => {
    const { begun, ask } = turns();
    for (const name of ["1", "2", "3"]) ask("a", name, 1);
    expect(begun).toEqual(["1", "2", "3"]);
  });

  it("starts at once again in the next turn of the loop", async () => {
    const { begun, ask } = turns();
    ask("a", "long", 20);
    await setImmediate();
    ask("a", "next", 1);
    expect(begun).toEqual(["long", "next"]);
  });

  it("waits after 5 milliseconds of work, for one request of each other address and not for all", async () => {
    const { begun, ask } = turns();
    for (let index = 0; index < 100; index += 1) ask("flood", `flood ${index}`, 1);
    ask("visitor", "visitor", 1);
    expect(begun).toHaveLength(5);
    await setImmediate();
    expect(begun.indexOf("visitor")).toBeLessThan(7);
    expect(begun.length).toBeLessThan(12);
  });

  it("is always served eventually", async () => {
    const { begun, ask } = turns();
    for (let index = 0; index < 100; index += 1) ask("flood", `flood ${index}`, 3);
    while (begun.length < 100) await setImmediate();
    expect(begun).toEqual(Array.from({ length: 100 }, (_, index) => `flood ${index}`));
  });
});
