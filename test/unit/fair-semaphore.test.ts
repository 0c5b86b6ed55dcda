import { describe, expect, it } from "vitest";
import { FairSemaphore } from "../../src/lib/semaphore.js";

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Tasks that wait behind one that holds all slots; each runs until the next turn of the loop. */
function waitingFor(slots: number) {
  const semaphore = new FairSemaphore(slots);
  const served: string[] = [];
  const ask = async (key: string, weight: number) => {
    const end = await semaphore.acquire(key, weight, 5_000);
    served.push(key);
    await settle();
    end();
  };
  return { semaphore, served, ask };
}

describe("FairSemaphore", () => {
  it("runs as many tasks at once as its slots allow, one that takes more of them alone", async () => {
    const semaphore = new FairSemaphore(4);
    const ends = [await semaphore.acquire("a", 2, 50), await semaphore.acquire("b", 2, 50)];
    await expect(semaphore.acquire("c", 1, 20)).rejects.toThrow("no slot was free within 20 ms");
    const large = semaphore.acquire("c", 100, 5_000);
    let isServed = false;
    void large.then(() => (isServed = true));
    ends[0]?.();
    ends[0]?.(); // gives nothing back a second time
    await settle();
    expect(isServed).toBe(false);
    ends[1]?.();
    await settle();
    expect(isServed).toBe(true);
    await expect(semaphore.acquire("a", 1, 20)).rejects.toThrow("no slot was free");
  });

  it("serves a small task of one key before the large ones of many others, and these in their order", async () => {
    const { semaphore, served, ask } = waitingFor(5);
    const end = await semaphore.acquire("first", 5, 50);
    const asked = Array.from({ length: 20 }, (_, index) => ask(`large ${index}`, 5));
    asked.push(ask("small", 1), ask("small", 1));
    end();
    await Promise.all(asked);
    expect(served).toEqual(["small", "small", ...Array.from({ length: 20 }, (_, index) => `large ${index}`)]);
  });

  it("serves a small task before the large ones that wait, also when some of these have been served", async () => {
    const { semaphore, served, ask } = waitingFor(5);
    const end = await semaphore.acquire("first", 5, 50);
    const asked = Array.from({ length: 20 }, (_, index) => ask(`large ${index}`, 5));
    end();
    while (served.length < 3) await settle();
    asked.push(ask("small", 1));
    await Promise.all(asked);
    expect(served.indexOf("small")).toBeLessThan(6);
  });

  it("serves a large task in its turn although small ones of further keys come all the time", async () => {
    const { semaphore, served, ask } = waitingFor(1);
    const end = await semaphore.acquire("first", 1, 50);
    const asked = [ask("large", 5), ask("small 1", 1), ask("small 2", 1)];
    end();
    for (let index = 3; index < 100; index += 1) {
      asked.push(ask(`small ${index}`, 1));
      await settle();
    }
    await Promise.all(asked);
    expect(served.indexOf("large")).toBeLessThan(30);
  });

  it("serves the keys in turns, regardless of how much each sends", async () => {
    const { semaphore, served, ask } = waitingFor(1);
    const end = await semaphore.acquire("first", 1, 50);
    const asked = [..."aaaaaa".split(""), ..."bb".split(""), "c"].map((key) => ask(key, 1));
    end();
    await Promise.all(asked);
    expect(served.join("")).toBe("abcabaaaa");
  });

  it("drops the last task of the key with the most when too many wait, which then has no disadvantage", async () => {
    const semaphore = new FairSemaphore(1, 3);
    const end = await semaphore.acquire("first", 1, 50);
    const served: string[] = [];
    const ask = async (key: string) => {
      const release = await semaphore.acquire(key, 1, 5_000).catch(() => served.push(`no ${key}`));
      if (typeof release !== "function") return;
      served.push(key);
      await settle();
      release();
    };
    const asked = ["a", "a", "a", "a", "b"].map(ask);
    await settle();
    expect(semaphore.waiting).toBe(3);
    asked.push(ask("a"));
    end();
    await Promise.all(asked);
    expect(served).toEqual(["no a", "no a", "no a", "a", "b", "a"]);
  });

  it("serves large tasks even if small ones keep coming", async () => {
    const { semaphore, served, ask } = waitingFor(2);
    const end = await semaphore.acquire("first", 2, 50);
    const asked = [ask("large", 2), ...Array.from({ length: 50 }, () => ask("small", 1))];
    end();
    await Promise.all(asked);
    expect(served.indexOf("large")).toBeLessThan(5);
  });
});
