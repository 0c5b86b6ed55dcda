import { describe, expect, it } from "vitest";
import { ValidationErrors } from "../../src/errors.js";
import { checkTagName, checkTagNames, MAX_NAME_LENGTH, normalizeTagName, wordsOf } from "../../src/tagging/tag-name.js";

describe("normalizeTagName", () => {
  it.each([
    ["Tree", "tree"],
    ["  blue   sky ", "blue_sky"],
    ["a\u3000b", "a_b"],
    ["-~-dash-inside", "dash-inside"],
    ["a*b,c%d", "abcd"],
    ["*-a", "a"],
    ["ÄÖÜ", "äöü"],
    ["---", ""],
    [":)", ":)"],
    ["e\u0301te\u0301", "\u00e9t\u00e9"],
    ["J\u030C", "\u01F0"],
    ["e*\u0301", "\u00e9"],
  ])("%j is %j", (typed, name) => {
    expect(normalizeTagName(typed)).toBe(name);
  });

  it("is idempotent", () => {
    for (const typed of ["-*-a", " ~A b", "%-~x", "-,-"]) {
      const name = normalizeTagName(typed);
      expect(normalizeTagName(name)).toBe(name);
    }
  });
});

/** What is wrong with a name; null when nothing is. */
function problemOf(name: string): string[] | null {
  const problems = new ValidationErrors();
  checkTagName(name, problems, "name");
  return problems.fields.name ?? null;
}

describe("wordsOf", () => {
  it.each([
    ["long_hair", ["long", "hair"]],
    ["cleo_(lantern_city)", ["cleo", "lantern", "city"]],
    ["jack-o'-lantern", ["jack", "o", "lantern"]],
    ["don't_starve", ["don't", "starve"]],
    ["海_:d", ["海", "d"]],
    [":)", [":)"]],
  ])("%s", (name, words) => expect(wordsOf(name)).toEqual(words));
});

describe("the check of a name", () => {
  it.each([
    "tree",
    "a:b",
    ":d",
    "and_more",
    "or-else",
    "桜",
    "👩‍👧",
    "می‌خواهم",
    "😀".repeat(MAX_NAME_LENGTH),
    "order",
    "re:zero",
    "ratings:s",
  ])("accepts %s", (name) => {
    expect(problemOf(name)).toBeNull();
  });

  it.each([
    ["", "is invalid"],
    ["a\0b", "is invalid"],
    ["\ud800", "is invalid"],
    ["\u200b", "is invalid"],
    ["tree\u200b", "is invalid"],
    ["\u202Etree", "is invalid"],
    ["tr\u00adee", "is invalid"],
    ["tree\u0007", "is invalid"],
    [`e${"\u0316".repeat(31)}`, "is invalid"],
    ["x".repeat(MAX_NAME_LENGTH + 1), "is too long (at most 170 characters)"],
    ["and", "is a reserved word"],
    ["or", "is a reserved word"],
    ["order:score", "begins with the meta-tag order"],
    ["rating:x", "begins with the meta-tag rating"],
    ["user:a", "begins with the meta-tag user"],
    ["id:1", "begins with the meta-tag id"],
    ["pool:a", "begins with the meta-tag pool"],
    ["char:a", "begins with the meta-tag char"],
    ["(foo)", "begins with a parenthesis"],
    ["(", "begins with a parenthesis"],
    [")_(", "begins with a parenthesis"],
    ["\\(foo)", "begins with a parenthesis"],
  ])("refuses %j", (name, problem) => {
    expect(problemOf(name)).toEqual([problem]);
  });

  it("names the first ten of the names that are refused", () => {
    const check = () => checkTagNames(Array.from({ length: 500 }, (_, index) => `id:${index}`));
    expect(check).toThrow(/^(?:tag_string has "id:\d", which begins with the meta-tag id(?:, )?){10}$/);
  });

  it("reports all problems of all names at once", () => {
    const check = () => checkTagNames(["and", "tree", "id:1"]);
    expect(check).toThrow(
      'tag_string has "and", which is a reserved word, tag_string has "id:1", which begins with the meta-tag id',
    );
  });
});
