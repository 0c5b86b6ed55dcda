import { describe, expect, it } from "vitest";
import { parseTagString } from "../../src/tagging/tag-string.js";

describe("parseTagString", () => {
  it.each([
    ["", []],
    [" \t\n\u3000 ", []],
    ["tree Blue_Sky", ["tree", "blue_sky"]],
    ["a\u3000b\tc\nd\u00a0e", ["a", "b", "c", "d", "e"]],
    ["b a b A", ["b", "a"]],
    ["~tree *star a,b%c", ["tree", "star", "abc"]],
    ["- ~ * , % --", []],
    ["ÄPFEL 桜", ["äpfel", "桜"]],
    ["unknown:prefix :d a:b:c", ["unknown:prefix", ":d", "a:b:c"]],
  ])("reads the names of %j", (text, names) => {
    expect(parseTagString(text)).toEqual({ names, removed: [], categories: new Map(), locks: {} });
  });

  it("reads negations", () => {
    expect(parseTagString("a -b --C -artist:d")).toMatchObject({ names: ["a"], removed: ["b", "c", "d"] });
  });

  it.each([
    ["artist:x", 1],
    ["ART:x", 1],
    ["copyright:x", 3],
    ["copy:x", 3],
    ["co:x", 3],
    ["character:x", 4],
    ["char:x", 4],
    ["ch:x", 4],
    ["general:x", 0],
    ["gen:x", 0],
    ["meta:x", 5],
  ])("reads the category of %s", (text, category) => {
    expect(parseTagString(text)).toMatchObject({ names: ["x"], categories: new Map([["x", category]]) });
  });

  it("sets no category with a dash, an empty name or an unknown prefix", () => {
    const { names, removed, categories } = parseTagString("-artist:a artist: constructor:b");
    expect([names, removed, categories.size]).toEqual([["artist:", "constructor:b"], ["a"], 0]);
  });

  it.each([
    ["rating:s", "s"],
    ["RATING:Explicit", "e"],
    ["rating:questionable", "q"],
    ["rating:s rating:e", "e"],
  ])("reads %s", (text, rating) => {
    expect(parseTagString(`${text} a`)).toMatchObject({ names: ["a"], rating });
  });

  it.each([
    "rating:",
    "rating:lewd",
    "-rating:s",
    "parent:x",
    "-parent:",
    "locked:door",
    "locked:constructor",
    "-source:x",
  ])("treats %s as a name, which is refused later", (text) => {
    const { names, removed, ...rest } = parseTagString(text);
    expect([...names, ...removed]).toEqual([text.replace(/^-/, "")]);
    expect(rest).toEqual({ categories: new Map(), locks: {} });
  });

  it.each([
    ["parent:12", { parentId: 12 }],
    ["parent:none", { parentId: null }],
    ["PARENT:NONE", { parentId: null }],
    ["parent:0", { parentId: null }],
    ["-parent:12", { notParentId: 12 }],
  ])("reads %s", (text, wanted) => {
    expect(parseTagString(text)).toEqual({ names: [], removed: [], categories: new Map(), locks: {}, ...wanted });
  });

  it.each([
    ["source:https://a.example/B?c=D,e%20f", "https://a.example/B?c=D,e%20f"],
    ['source:"a fine book" tree', "a fine book"],
    ['tree SOURCE:" x "', "x"],
    ["source:none", ""],
    ['source:""', ""],
    ['source:"open', '"open'],
  ])("reads the source of %s", (text, source) => {
    expect(parseTagString(text).source).toBe(source);
  });

  it.each([
    ['pool:"a fine  book" tree', { kind: "add", pool: "a fine  book" }],
    ['tree -POOL:"x y"', { kind: "remove", pool: "x y" }],
    ['newpool:" x " tree', { kind: "create", pool: "x" }],
    ['newpool:"open tree', { kind: "create", pool: '"open' }],
    [String.raw`pool:"\"in quotes\"" tree`, { kind: "add", pool: '"in quotes"' }],
    [String.raw`-pool:"back\\slash" tree`, { kind: "remove", pool: String.raw`back\slash` }],
  ])("reads the pool of %s", (text, action) => {
    expect(parseTagString(text)).toMatchObject({ names: ["tree"], actions: { pools: [action] } });
  });

  it("reads locks", () => {
    expect(parseTagString("locked:rating -locked:notes LOCKED:Status").locks).toEqual({
      rating: true,
      note: false,
      status: true,
    });
  });

  it("reads 100,000 characters quickly", () => {
    const began = performance.now();
    parseTagString('source:"'.repeat(12_500));
    parseTagString('pool:"a '.repeat(12_500));
    parseTagString(String.raw`pool:"\" `.repeat(12_500));
    parseTagString("-".repeat(100_000));
    parseTagString("a ".repeat(50_000));
    expect(performance.now() - began).toBeLessThan(500);
  });
});
