import { describe, expect, it } from "vitest";
import { Semaphore } from "../../src/lib/semaphore.js";

/** A task that ends when it is told to. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("Semaphore", () => {
  it("runs as many tasks at once as it has slots, and the others in their order", async () => {
    const semaphore = new Semaphore(2);
    const gates = [gate(), gate(), gate(), gate()];
    const started: number[] = [];
    const runs = gates.map(({ opened }, index) =>
      semaphore.run(async () => {
        started.push(index);
        await opened;
        return index;
      }),
    );
    await settle();
    expect(started).toEqual([0, 1]);
    gates[1]?.open();
    await settle();
    expect(started).toEqual([0, 1, 2]);
    for (const { open } of gates) open();
    expect(await Promise.all(runs)).toEqual([0, 1, 2, 3]);
  });

  it("frees the slot of a task that fails", async () => {
    const semaphore = new Semaphore(1);
    await expect(semaphore.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await semaphore.run(async () => "next")).toBe("next");
  });
});
