/** The benchmark's fixed set of searches, and their equivalents for the table of other boards. */
import { describe, expect, it } from "vitest";
import type { Samples } from "../../bench/search/samples.js";
import { APART, NO_TAGS, pathOf, type Search, searches } from "../../bench/search/set.js";

const samples: Samples = {
  posts: 20_000,
  common: ["person", "smile", "hat", "sky", "don't"],
  decades: [
    { from: 1, tag: "seldom", posts: 3 },
    { from: 10_000, tag: "person", posts: 12_000 },
  ],
  apart: ["day", "night"],
  rare: ["lute", "harp"],
  middling: "drum",
  old: "fashion",
  wildcards: [
    { pattern: "ba*", tags: ["bat", "bar"] },
    { pattern: "barn*", tags: ["barn"] },
  ],
  uploaders: ["Albert", "Mira"],
  fan: "Ada",
  pool: 7,
  day: "2020-06-30",
  year: ["2020-06-30", "2021-06-30"],
  width: 640,
  wide: 2400,
  middle: 10_000,
};

const set = searches(samples);
const find = (name: string): Search => set.find((search) => search.name === name) as Search;

describe("the set", () => {
  it("has at least 24 searches with unique names", () => {
    expect(set.length).toBeGreaterThanOrEqual(24);
    expect(new Set(set.map(({ name }) => name)).size).toBe(set.length);
  });

  it("has every kind of search", () => {
    const tags = set.map((search) => search.tags);
    const kinds = ["user:", "fav:", "pool:", "date:", "age:", "width:", "rating:", "status:"];
    const orders = ["order:score", "order:rank", "order:comment_bumped", "order:pool_count"];
    for (const kind of kinds) {
      expect(tags.filter((text) => text.startsWith(kind))).not.toEqual([]);
      expect(tags.filter((text) => text.startsWith(`person ${kind}`))).not.toEqual([]);
    }
    for (const order of orders) expect(tags).toEqual(expect.arrayContaining([order, `person ${order}`]));
    expect(tags).toEqual(
      expect.arrayContaining([
        "",
        "seldom",
        "person",
        "person smile",
        "person smile hat",
        "person smile hat sky don't",
        "person lute",
        "person -smile",
        "day night",
        "ba*",
        "~smile ~hat",
      ]),
    );
    expect([NO_TAGS, APART].map((name) => find(name).tags)).toEqual(["", "day night"]);
  });

  it("has a limit in every request, except for the post by its id", () => {
    expect(pathOf(find(NO_TAGS), 20)).toBe("/posts.json?limit=20");
    expect(pathOf(find("common minus common"), 100)).toBe("/posts.json?tags=person+-smile&limit=100");
    expect(pathOf(find("page 500"), 20)).toBe("/posts.json?page=500&limit=20");
    expect(pathOf(find("common, page=b"), 20)).toBe("/posts.json?tags=person&page=b10000&limit=20");
    expect(pathOf(find("post by id"), 20)).toBe("/posts/10000.json");
  });

  it("selects 20 rows with all columns from the other layout, with quoted names", () => {
    const rows = (condition: string, rest = "") => [
      `SELECT posts.* FROM other_board.posts WHERE ${condition} ORDER BY id DESC LIMIT 20${rest}`,
    ];
    const tags = "string_to_array(tag_string, ' ')";
    expect(find(NO_TAGS).theirs).toEqual(rows("TRUE"));
    expect(find("common minus common").theirs).toEqual(
      rows(`${tags} @> ARRAY['person'] AND NOT (${tags} && ARRAY['smile'])`),
    );
    expect(find("five common").theirs).toEqual(rows(`${tags} @> ARRAY['person', 'smile', 'hat', 'sky', 'don''t']`));
    expect(find("page 500").theirs).toEqual(rows("TRUE", " OFFSET 9980"));
    expect(set.filter(({ theirs }) => theirs.length === 0)).toEqual([]);
  });
});
