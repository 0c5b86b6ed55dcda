/** Cached tags, and the tag strings of posts. */
import { describe, expect, it } from "vitest";
import { CachedTags, keyed, sortTags, stringsOf as stringsOfSorted } from "../../src/tagging/cached-tags.js";
import type { TagRow } from "../../src/tagging/facts.js";
import { TagCache } from "../../src/tagging/tag-cache.js";

const named = (...names: string[]) => names.map((name, id) => ({ id, name, category: 0 }));
const tag = (id: number) => ({ id, name: `tag_${id}`, category: 0 });

const stringsOf = (tags: readonly TagRow[]) => stringsOfSorted(sortTags(tags.map(keyed)));

describe("the tag strings of a post", () => {
  it("have the names in their order, all together and by category", () => {
    const tags = [
      { id: 1, name: "sky", category: 0 },
      { id: 2, name: "hanako", category: 1 },
      { id: 3, name: "cloud", category: 0 },
      { id: 4, name: "original", category: 3 },
    ];
    const { all, byCategory } = stringsOf(tags);
    expect(all).toBe("cloud hanako original sky");
    expect(byCategory).toEqual({ 0: "cloud sky", 1: "hanako", 3: "original", 4: "", 5: "" });
  });

  it.each([
    ["that begin alike", ["long_hair", "long_hail", "long_ha", "long_haired_man", "long"]],
    ["that are not ASCII", ["zebra", "éb", "éa", "ça_z", "~", "\u007f", "日本", "日", "a日z", "a日a", "aé"]],
    ["with other signs", [":d", ":3", "^_^", "1girl", "2girls", "10_years", "(o)", "a_b", "a-b", "ab", "a"]],
  ])("have names %s in the order of their characters", (_, names) => {
    expect(stringsOf(named(...names)).all.split(" ")).toEqual([...names].sort());
    expect(stringsOf(named(...names.toReversed())).all.split(" ")).toEqual([...names].sort());
  });

  it("have as many names as a post may have tags", () => {
    const names = Array.from({ length: 1_250 }, (_, index) => `tag_${(index * 7_919) % 1_250}`);
    expect(stringsOf(named(...names)).all.split(" ")).toEqual([...names].sort());
  });
});

describe("cached tags", () => {
  it("are limited in number: a tag replaces the one in its place, and no other", () => {
    const cache = new CachedTags(128);
    for (let id = 1; id <= 128; id += 1) cache.set(tag(id));
    cache.set(tag(130));
    const kept = Array.from({ length: 1_000 }, (_, id) => id).filter((id) => cache.get(id));
    expect(kept).toHaveLength(128);
    expect([cache.get(2), cache.get(130)?.name]).toEqual([undefined, "tag_130"]);
  });

  it("keep the others when an id is far beyond them, and when ids wrap around", () => {
    const cache = new CachedTags(8192);
    for (const id of [0, 5, 1023, 1024, 5000, 8191, 8192 + 7]) cache.set(tag(id));
    const kept = Array.from({ length: 20_000 }, (_, id) => id).filter((id) => cache.get(id));
    expect(kept).toEqual([0, 5, 1023, 1024, 5000, 8191, 8199]);
    expect([cache.get(5), cache.get(8199), cache.get(7)]).toMatchObject([tag(5), tag(8199), undefined]);
  });

  it("are all dropped at once", () => {
    const cache = new CachedTags(128);
    for (let id = 0; id < 80; id += 1) cache.set(tag(id));
    cache.clear();
    expect([cache.get(0), cache.get(79)]).toEqual([undefined, undefined]);
  });

  it("have ids of up to 31 bits, with their categories", () => {
    const cache = new CachedTags(128);
    const last = { id: 2 ** 31 - 1, name: "last", category: 5 };
    cache.set(last);
    expect([cache.get(last.id), cache.get(127)]).toMatchObject([last, undefined]);
  });

  it("are sorted by their names", () => {
    const cache = new CachedTags(128);
    for (const each of named("zebra", "éa", "ant", "antelope", "anteater")) cache.set({ ...each, id: each.id + 1 });
    const tags = [1, 2, 3, 4, 5, 6].flatMap((id) => cache.get(id) ?? []);
    expect(sortTags(tags).map(({ id }) => id)).toEqual([3, 5, 4, 1, 2]);
    expect(stringsOfSorted(tags).all).toBe("ant anteater antelope zebra éa");
  });
});

describe("the tags of a page", () => {
  it("are not taken from an older cache of the primary's when the page's replica fails while they are read", async () => {
    const rows = [
      { id: 1, name: "hanako", category: 1 },
      { id: 2, name: "sky", category: 0 },
    ];
    let replica: object | undefined;
    const fail = <T>() => {
      replica = undefined;
      return Promise.resolve(rows as T[]);
    };
    const cache = new TagCache({ byKeys: () => ({ query: fail }) }, () => replica);
    cache.rememberTags([{ id: 1, name: "hanako", category: 0 }], 7);
    replica = {};
    const [strings] = await cache.stringsOf([{ tagIds: [1, 2], tagGeneration: 8 }]);
    expect(strings?.byCategory).toEqual({ 0: "sky", 1: "hanako", 3: "", 4: "", 5: "" });
  });
});
