/** The gallery pages that the pages' cache keeps: enough to come back, but not all that were scrolled through. */
import { describe, expect, it } from "vitest";
import { type Cache, holdPage, updates } from "../../../web/lib/cache.js";

interface Asked {
  tags: string | null;
  page: string;
}

/** Tells the cache that a page has come, among those that it has. @returns what it forgets */
function forgotten(kept: readonly Asked[], come: Asked): string[] {
  const invalidated: string[] = [];
  const fields = [...kept, come].map((asked) => ({
    fieldName: "posts",
    fieldKey: `${asked.tags ?? ""} ${asked.page}`,
    arguments: { ...asked },
  }));
  const cache = {
    inspectFields: () => [...fields, { fieldName: "board", fieldKey: "board" }],
    invalidate: (_key: string, field: string) => void invalidated.push(field),
  } as unknown as Cache;
  updates.Query.posts({}, { ...come }, cache, { fieldName: "posts" });
  return invalidated;
}

const pages = (tags: string, from: number, to: number): Asked[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ tags, page: String(from + index) }));

describe("the gallery cache", () => {
  it("keeps all pages of a short gallery", () => {
    expect(forgotten(pages("harbour", 1, 5), { tags: "harbour", page: "6" })).toEqual([]);
  });

  it("drops the page farthest from the latest one, in either direction", () => {
    expect(forgotten(pages("harbour", 1, 6), { tags: "harbour", page: "7" })).toEqual(["harbour 1"]);
    expect(forgotten(pages("harbour", 2, 7), { tags: "harbour", page: "1" })).toEqual(["harbour 7"]);
  });

  it("drops other searches first", () => {
    const kept = [...pages("boat", 1, 1), ...pages("harbour", 1, 5)];
    expect(forgotten(kept, { tags: "harbour", page: "6" })).toEqual(["boat 1"]);
  });

  it("keeps rendered pages, however far", () => {
    const release = holdPage({ tags: "harbour", page: "1" });
    expect(forgotten(pages("harbour", 1, 7), { tags: "harbour", page: "8" })).toEqual(["harbour 2"]);
    release();
    expect(forgotten(pages("harbour", 1, 7), { tags: "harbour", page: "8" })).toEqual(["harbour 2", "harbour 1"]);
  });
});

describe("the cache of posts", () => {
  it("drops the lists of the post that came longest ago, and keeps what tiles show of it", () => {
    const invalidated: string[] = [];
    const cache = {
      inspectFields: () => [
        { fieldKey: "comments", arguments: { first: 51 } },
        { fieldKey: "rating", arguments: null },
      ],
      invalidate: (key: string, field: string) => void invalidated.push(`${key} ${field}`),
    } as unknown as Cache;
    const come = (id: number) => updates.Query.post({}, { id }, cache, { fieldName: "post" });
    for (let id = 1; id <= 30; id += 1) come(id);
    come(1); // again
    expect(invalidated).toEqual([]);
    come(31);
    come(32);
    expect(invalidated).toEqual(["Post:2 comments", "Post:3 comments"]);
  });
});
