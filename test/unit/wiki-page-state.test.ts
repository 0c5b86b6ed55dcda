import { describe, expect, it } from "vitest";
import type { WikiPageState } from "../../src/resources/wiki-pages/wiki-page.records.js";
import { edited, normalizeOtherNames, normalizeTitle } from "../../src/resources/wiki-pages/wiki-page.state.js";

describe("the title of a wiki page", () => {
  it.each([
    [" Red  Fox ", "red_fox"],
    ["HELP:Editing", "help:editing"],
    ["~123", "123"],
    ["a,b*c%d", "abcd"],
    ["赤い\u3000狐", "赤い_狐"],
  ])("%j is written %j", (title, written) => {
    expect(normalizeTitle(title)).toBe(written);
  });
});

describe("the other names of a wiki page", () => {
  it("are unique ignoring case; the first spelling stays", () => {
    expect(normalizeOtherNames(["Fox", " fox ", "", "red fox", "RED_FOX", "fox"])).toEqual(["Fox", "red_fox"]);
  });

  it("are in Unicode normal form KC", () => {
    expect(normalizeOtherNames(["ｷﾂﾈ", "キツネ", "Ｆｏｘ"])).toEqual(["キツネ", "Fox"]);
  });
});

describe("an edit of a wiki page", () => {
  const before: WikiPageState = {
    title: "fox",
    body: "Red.",
    otherNames: ["Vulpes"],
    isLocked: true,
    isDeleted: false,
  };

  it("keeps absent fields, and accepts null only for other names", () => {
    expect(edited(before, {})).toEqual(before);
    expect(edited(before, { title: null, body: null, isLocked: null, isDeleted: null })).toEqual(before);
    expect(edited(before, { otherNames: null })).toEqual({ ...before, otherNames: [] });
    expect(edited(before, { title: "Red Fox", isLocked: false })).toEqual({
      ...before,
      title: "red_fox",
      isLocked: false,
    });
  });
});
