/** The cache of posts: keyed by revisions, limited in bytes, and without values that were requested only once. */
import { describe, expect, it } from "vitest";
import { PostCache } from "../../src/resources/posts/post.cache.js";
import type { PostStamp } from "../../src/resources/posts/post.records.js";

const stamp = (id: number, revision = 1, namesRevision = 1): PostStamp => ({
  id,
  revision,
  namesRevision,
  isBanned: false,
  tagGeneration: 0,
  snapshot: null,
});

/** Stores a missing value, as a response does. @returns whether it was cached */
function ask(cache: PostCache, id: number, purpose = "text"): boolean {
  if (cache.get(stamp(id), purpose) !== undefined) return true;
  cache.put(stamp(id), purpose, `${purpose} of ${id}`, 1_000);
  return false;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

describe("a cached value of a post", () => {
  it("is found by its purpose and both revisions", () => {
    const cache = new PostCache(1_000_000);
    cache.put(stamp(1, 5, 7), "text", "made", 10);
    expect(cache.get(stamp(1, 5, 7), "text")).toBe("made");
    for (const other of [stamp(1, 6, 7), stamp(1, 4, 7), stamp(1, 5, 8), stamp(2, 5, 7)])
      expect(cache.get(other, "text")).toBeUndefined();
    expect(cache.get(stamp(1, 5, 7), "record")).toBeUndefined();
    expect(cache.reads).toEqual({ hits: 1, misses: 5 });
  });

  it("replaces older values, not newer ones", () => {
    const cache = new PostCache(1_000_000);
    cache.put(stamp(1, 5), "text", "old", 10);
    cache.put(stamp(1, 6), "text", "new", 10);
    cache.put(stamp(1, 5), "text", "late", 10);
    expect([cache.get(stamp(1, 6), "text"), cache.get(stamp(1, 5), "text")]).toEqual(["new", undefined]);
  });

  it("is dropped when a post has more than six purposes", () => {
    const cache = new PostCache(1_000_000);
    for (const host of range(0, 7)) ask(cache, 1, `host ${host}`);
    expect(range(0, 7).filter((host) => cache.get(stamp(1), `host ${host}`) !== undefined)).toEqual(range(1, 7));
  });

  it("is accepted as a by-product only if the post has another cached value", () => {
    const cache = new PostCache(1_000_000);
    cache.putBeside(stamp(1), "tags", "beside nothing", 10);
    expect(cache.get(stamp(1), "tags")).toBeUndefined();
    cache.put(stamp(1), "text", "made", 10);
    cache.putBeside(stamp(1), "tags", "beside the text", 10);
    expect(cache.get(stamp(1), "tags")).toBe("beside the text");
  });
});

describe("the cache", () => {
  it("stays within its bytes, however many posts and purposes there are", () => {
    const cache = new PostCache(130_000); // a hundred texts of a kilobyte, with what they take beside
    for (const id of [...range(0, 1_000), ...range(0, 1_000)]) ask(cache, id);
    for (const host of range(0, 50)) for (const id of range(0, 50)) ask(cache, id, `host ${host}`);
    const purposes = ["text", ...range(0, 50).map((host) => `host ${host}`)];
    const kept = range(0, 1_000).flatMap((id) => purposes.filter((purpose) => cache.get(stamp(id), purpose)));
    expect(kept.length).toBeGreaterThan(60);
    expect(kept.length).toBeLessThanOrEqual(130);
  });

  it("keeps frequently requested values while a crawler reads all posts once", () => {
    const cache = new PostCache(130_000);
    for (const id of [...range(0, 80), ...range(0, 80)]) ask(cache, id);
    for (const id of range(1_000, 60_000)) ask(cache, id);
    expect(range(0, 80).filter((id) => ask(cache, id)).length).toBeGreaterThanOrEqual(79);
  });

  it("admits values at their second request, in place of ones that are no longer requested", () => {
    const cache = new PostCache(130_000);
    for (const id of range(0, 200)) ask(cache, id);
    for (const id of [...range(500, 550), ...range(500, 550)]) ask(cache, id);
    expect(range(500, 550).filter((id) => ask(cache, id)).length).toBeGreaterThanOrEqual(48);
  });

  it("keeps the requested values of a post, and drops the others", () => {
    const cache = new PostCache(130_000);
    for (const purpose of ["text", "other text", "text", "text"])
      for (const id of range(0, 60)) ask(cache, id, purpose);
    for (const id of [...range(500, 530), ...range(500, 530)]) ask(cache, id);
    const kept = (purpose: string) => range(0, 60).filter((id) => cache.get(stamp(id), purpose) !== undefined);
    expect(kept("text").length).toBeGreaterThanOrEqual(50);
    expect(kept("other text").length).toBeLessThan(30);
  });

  it("of zero bytes stores nothing; a small one stores no value that would fill most of it", () => {
    const [none, small] = [new PostCache(0), new PostCache(10_000)];
    for (const cache of [none, small]) cache.put(stamp(1), "text", "made", 9_000);
    expect([none.get(stamp(1), "text"), small.get(stamp(1), "text")]).toEqual([undefined, undefined]);
  });

  it("reports whether most recent lookups were hits", () => {
    const cache = new PostCache(1_000_000);
    expect(cache.isLikely).toBe(false);
    for (const id of [...range(0, 300), ...range(0, 300)]) ask(cache, id);
    expect(cache.isLikely).toBe(true);
    for (const id of range(300, 600)) ask(cache, id);
    expect(cache.isLikely).toBe(false);
  });
});
