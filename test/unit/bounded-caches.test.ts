/** Caches keyed by texts of callers are limited in bytes, including the keys. */
import { describe, expect, it } from "vitest";
import { StatementNames } from "../../src/database/prepared.js";
import { TagCache } from "../../src/tagging/tag-cache.js";

const cache = () => new TagCache({ byKeys: () => ({ query: () => Promise.reject(new Error("nothing is read")) }) });

describe("cached shares of meta-tags", () => {
  it("are cached for ordinary searches", () => {
    const tags = cache();
    tags.rememberShare('[{"type":"metatag","name":"score","value":">10"}]', 0.25);
    expect(tags.shareOf('[{"type":"metatag","name":"score","value":">10"}]')).toBe(0.25);
  });

  it("are not cached for long texts", () => {
    const tags = cache();
    tags.rememberShare("x".repeat(2_000), 0.25);
    expect(tags.shareOf("x".repeat(2_000))).toBeUndefined();
  });

  it("take at most a megabyte: the oldest are dropped", () => {
    const tags = cache();
    const key = (i: number) => String(i).padStart(900, "x");
    for (let i = 0; i < 2_000; i += 1) tags.rememberShare(key(i), i);
    const kept = Array.from({ length: 2_000 }, (_, i) => i).filter((i) => tags.shareOf(key(i)) !== undefined);
    expect(kept.length).toBe(909);
    expect(kept[0]).toBe(1_091);
  });
});

describe("names of prepared statements", () => {
  it("are given to a limited number of texts, none of them long", () => {
    const names = new StatementNames("x", 2);
    expect(names.of("s".repeat(16_385))).toBeUndefined();
    expect([names.of("a"), names.of("b"), names.of("c"), names.of("a")]).toEqual(["x_1", "x_2", undefined, "x_1"]);
  });
});
