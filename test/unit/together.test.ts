import { describe, expect, it } from "vitest";
import { Together } from "../../src/lib/together.js";

/** Work that ends when it is told to, and counts how often it began. */
function makeWork() {
  const begun: { end: (value: string) => void; fail: (error: Error) => void }[] = [];
  const work = () => new Promise<string>((resolve, reject) => begun.push({ end: resolve, fail: reject }));
  return { begun, work };
}

/** Lets everything happen that is ready to. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe("work that many ask for", () => {
  it("is done once for all who come in the same turn", async () => {
    const { begun, work } = makeWork();
    const together = new Together<string>();
    const all = [together.do("a", work), together.do("a", work), together.do("a", work)];
    await settle();
    expect(begun).toHaveLength(1);
    begun[0]?.end("once");
    expect(await Promise.all(all)).toEqual(["once", "once", "once"]);
  });

  it("is done once for all who come while an earlier one is at it, and begins after they came", async () => {
    const { begun, work } = makeWork();
    const together = new Together<string>();
    const first = together.do("a", work);
    await settle();
    const others = [together.do("a", work), together.do("a", work)];
    await settle();
    expect(begun).toHaveLength(1);
    begun[0]?.end("old");
    expect(await first).toBe("old");
    await settle();
    expect(begun).toHaveLength(2);
    const late = together.do("a", work);
    begun[1]?.end("new");
    expect(await Promise.all(others)).toEqual(["new", "new"]);
    await settle();
    expect(begun).toHaveLength(3);
    begun[2]?.end("newest");
    expect(await late).toBe("newest");
  });

  it("fails for those who waited for it, and for nobody else", async () => {
    const { begun, work } = makeWork();
    const together = new Together<string>();
    const first = together.do("a", work);
    await settle();
    const second = together.do("a", work);
    begun[0]?.fail(new Error("away"));
    await expect(first).rejects.toThrow("away");
    await settle();
    begun[1]?.end("back");
    expect(await second).toBe("back");
  });

  it("of other keys goes on beside it, and nothing is kept afterwards", async () => {
    const { begun, work } = makeWork();
    const together = new Together<string>();
    const both = [together.do("a", work), together.do("b", work)];
    await settle();
    expect(begun).toHaveLength(2);
    for (const each of begun) each.end("done");
    await Promise.all(both);
    void together.do("a", work);
    await settle();
    expect(begun).toHaveLength(3);
  });
});
