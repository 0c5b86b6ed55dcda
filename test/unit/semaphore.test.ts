import { describe, expect, it } from "vitest";
import { Semaphore } from "../../src/lib/semaphore.js";

/** A task that ends on command. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("Semaphore", () => {
  it("runs as many tasks at once as it has slots, and the others in order", async () => {
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

  it("gives a task as many slots as it takes, at most all, and keeps the order of arrival", async () => {
    const semaphore = new Semaphore(3);
    const [small, other] = [await semaphore.acquire(), await semaphore.acquire()];
    const begun: string[] = [];
    const large = semaphore.acquire(undefined, 10).then((release) => {
      begun.push("large");
      return release;
    });
    const last = semaphore.acquire().then((release) => {
      begun.push("last");
      return release;
    });
    small();
    await settle();
    expect(begun).toEqual([]);
    other();
    await settle();
    expect(begun).toEqual(["large"]);
    (await large)();
    (await last)();
    expect(begun).toEqual(["large", "last"]);
    expect(semaphore.isIdle).toBe(true);
  });

  it("runs the tasks behind one that has waited too long", async () => {
    const semaphore = new Semaphore(2);
    const release = await semaphore.acquire();
    const large = semaphore.acquire(20, 2);
    const small = semaphore.acquire();
    await expect(large).rejects.toThrow("no slot was free within 20 ms");
    (await small)();
    release();
    expect(semaphore.isIdle).toBe(true);
  });

  it("frees the slot of a task that fails", async () => {
    const semaphore = new Semaphore(1);
    await expect(semaphore.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await semaphore.run(async () => "next")).toBe("next");
  });
});
