/** The cache of posts: keyed by revisions, limited in bytes, and without values that were requested only once. */
import { describe, expect, it } from "vitest";
import { PostMemory } from "../../src/resources/posts/post.memory.js";
import type { PostStamp } from "../../src/resources/posts/post.records.js";

const stamp = (id: number, revision = 1, namesRevision = 1): PostStamp => ({
  id,
  revision,
  namesRevision,
  isBanned: false,
  tagGeneration: 0,
  snapshot: null,
});

/** Puts what was not there, as those do who answer. */
function ask(memory: PostMemory, id: number, purpose = "text"): boolean {
  if (memory.get(stamp(id), purpose) !== undefined) return true;
  memory.put(stamp(id), purpose, `${purpose} of ${id}`, 1_000);
  return false;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

describe("a cached value of a post", () => {
  it("is found by its purpose and both revisions", () => {
    const memory = new PostMemory(1_000_000);
    memory.put(stamp(1, 5, 7), "text", "made", 10);
    expect(memory.get(stamp(1, 5, 7), "text")).toBe("made");
    for (const other of [stamp(1, 6, 7), stamp(1, 4, 7), stamp(1, 5, 8), stamp(2, 5, 7)])
      expect(memory.get(other, "text")).toBeUndefined();
    expect(memory.get(stamp(1, 5, 7), "record")).toBeUndefined();
    expect(memory.reads).toEqual({ hits: 1, misses: 5 });
  });

  it("replaces older values, not newer ones", () => {
    const memory = new PostMemory(1_000_000);
    memory.put(stamp(1, 5), "text", "old", 10);
    memory.put(stamp(1, 6), "text", "new", 10);
    memory.put(stamp(1, 5), "text", "late", 10);
    expect([memory.get(stamp(1, 6), "text"), memory.get(stamp(1, 5), "text")]).toEqual(["new", undefined]);
  });

  it("is dropped when a post has more than six purposes", () => {
    const memory = new PostMemory(1_000_000);
    for (const host of range(0, 7)) ask(memory, 1, `host ${host}`);
    expect(range(0, 7).filter((host) => memory.get(stamp(1), `host ${host}`) !== undefined)).toEqual(range(1, 7));
  });

  it("is accepted as a by-product only if the post has another cached value", () => {
    const memory = new PostMemory(1_000_000);
    memory.putBeside(stamp(1), "tags", "beside nothing", 10);
    expect(memory.get(stamp(1), "tags")).toBeUndefined();
    memory.put(stamp(1), "text", "made", 10);
    memory.putBeside(stamp(1), "tags", "beside the text", 10);
    expect(memory.get(stamp(1), "tags")).toBe("beside the text");
  });
});

describe("the cache", () => {
  it("stays within its bytes, however many posts and purposes there are", () => {
    const memory = new PostMemory(130_000); // a hundred texts of a kilobyte, with what they take beside
    for (const id of [...range(0, 1_000), ...range(0, 1_000)]) ask(memory, id);
    for (const host of range(0, 50)) for (const id of range(0, 50)) ask(memory, id, `host ${host}`);
    const purposes = ["text", ...range(0, 50).map((host) => `host ${host}`)];
    const kept = range(0, 1_000).flatMap((id) => purposes.filter((purpose) => memory.get(stamp(id), purpose)));
    expect(kept.length).toBeGreaterThan(60);
    expect(kept.length).toBeLessThanOrEqual(130);
  });

  it("keeps frequently requested values while a crawler reads all posts once", () => {
    const memory = new PostMemory(130_000);
    for (const id of [...range(0, 80), ...range(0, 80)]) ask(memory, id);
    for (const id of range(1_000, 60_000)) ask(memory, id);
    expect(range(0, 80).filter((id) => ask(memory, id)).length).toBeGreaterThanOrEqual(79);
  });

  it("admits values at their second request, in place of ones that are no longer requested", () => {
    const memory = new PostMemory(130_000);
    for (const id of range(0, 200)) ask(memory, id);
    for (const id of [...range(500, 550), ...range(500, 550)]) ask(memory, id);
    expect(range(500, 550).filter((id) => ask(memory, id)).length).toBeGreaterThanOrEqual(48);
  });

  it("keeps the requested values of a post, and drops the others", () => {
    const memory = new PostMemory(130_000);
    for (const purpose of ["text", "other text", "text", "text"])
      for (const id of range(0, 60)) ask(memory, id, purpose);
    for (const id of [...range(500, 530), ...range(500, 530)]) ask(memory, id);
    const kept = (purpose: string) => range(0, 60).filter((id) => memory.get(stamp(id), purpose) !== undefined);
    expect(kept("text").length).toBeGreaterThanOrEqual(50);
    expect(kept("other text").length).toBeLessThan(30);
  });

  it("of zero bytes stores nothing; a small one stores no value that would fill most of it", () => {
    const [none, small] = [new PostMemory(0), new PostMemory(10_000)];
    for (const memory of [none, small]) memory.put(stamp(1), "text", "made", 9_000);
    expect([none.get(stamp(1), "text"), small.get(stamp(1), "text")]).toEqual([undefined, undefined]);
  });

  it("reports whether most recent lookups were hits", () => {
    const memory = new PostMemory(1_000_000);
    expect(memory.isLikely).toBe(false);
    for (const id of [...range(0, 300), ...range(0, 300)]) ask(memory, id);
    expect(memory.isLikely).toBe(true);
    for (const id of range(300, 600)) ask(memory, id);
    expect(memory.isLikely).toBe(false);
  });
});
