/** Bracket names, and the merge of query and body. */
import { describe, expect, it } from "vitest";
import { fieldParams, mergeParams, parseBrackets } from "../../rest/adapter/params.js";

describe("parseBrackets", () => {
  it("reads nesting, lists and escapes", () => {
    expect(parseBrackets("search[name]=a+b%26c&ids[]=1&ids[]=2&search[owner][id]=3&flag&%C3%A9=%E2%9C%93")).toEqual({
      search: { name: "a b&c", owner: { id: "3" } },
      ids: ["1", "2"],
      flag: "",
      é: "✓",
    });
  });

  it("takes the last of several values of a name without brackets", () => {
    expect(parseBrackets("login=a&post[tags]=0&ids[]=1&login=b&post[tags]=1&ids[]=2")).toEqual({
      login: "b",
      post: { tags: "1" },
      ids: ["1", "2"],
    });
  });

  it("keeps text that can't be decoded as it is", () => {
    expect(parseBrackets("a=%E0%A4%A&b=%")).toEqual({ a: "%E0%A4%A", b: "%" });
  });

  it.each([
    ["deep", "a[b][c][d][e][f][g]=1"],
    ["many", Array.from({ length: 1001 }, (_, index) => `p${index}=1`).join("&")],
    ["a great index", "a[999999999]=1"],
    ["long lists", Array.from({ length: 1001 }, () => "a[]=1").join("&")],
  ])("424 for %s", (_name, text) => {
    expect(() => parseBrackets(text)).toThrow("too many or too deeply nested parameters");
  });

  it("reads a megabyte of plus signs, which are blanks, in a few times the time of other characters", () => {
    const length = 1_000_000;
    const fastest = (written: string, read: string): number => {
      const times = Array.from({ length: 5 }, () => {
        const began = performance.now();
        expect(parseBrackets(`a=${written.repeat(length)}`).a === read.repeat(length)).toBe(true);
        return performance.now() - began;
      });
      return Math.min(...times);
    };
    expect(fastest("+", " ")).toBeLessThan(15 * fastest("é", "é"));
    expect(fieldParams([["a", "é + "]])).toEqual({ a: "é + " });
  });

  it("never changes a prototype", () => {
    parseBrackets("__proto__[polluted]=1&constructor[prototype][polluted]=1&a[__proto__][polluted]=1");
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe("mergeParams", () => {
  it("merges deeply, and the second wins", () => {
    const [query, body] = [
      { a: { x: 1, y: 1 }, b: 1, c: { z: 1 } },
      { a: { y: 2 }, b: { w: 2 }, c: 2 },
    ];
    expect(mergeParams(query, body)).toEqual({ a: { x: 1, y: 2 }, b: { w: 2 }, c: 2 });
    expect([query, body]).toEqual([
      { a: { x: 1, y: 1 }, b: 1, c: { z: 1 } },
      { a: { y: 2 }, b: { w: 2 }, c: 2 },
    ]);
  });

  it("never changes a prototype", () => {
    const hostile = JSON.parse('{"__proto__": {"polluted": 1}, "a": {"__proto__": {"polluted": 1}}}') as Record<
      string,
      unknown
    >;
    mergeParams({ a: { b: 1 } }, hostile);
    mergeParams(hostile, hostile);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
