/** URLs of pages: parsed and built in the same way by server and browser. */
import { describe, expect, it } from "vitest";
import { pageOf, placeOf, postUrl, searchUrl } from "../../../web/routes.js";
import { readPreferences } from "../../../web/preferences.js";
import { fullTitle, galleryTitle, postTitle } from "../../../web/titles.js";

describe("placeOf", () => {
  it("parses a URL into page, parameters and variables of its document", () => {
    expect(placeOf("/posts?tags=a+-b&page=3#top")).toMatchObject({
      page: "gallery",
      variables: { tags: "a -b", first: 40, page: "3" },
    });
    expect(placeOf("/")).toMatchObject({ page: "gallery", variables: { tags: "", page: "1" } });
    expect(placeOf("/posts/12?q=a")).toMatchObject({
      page: "post",
      params: { id: "12" },
      variables: { id: 12, tags: "a" },
    });
  });

  it("replaces an id that is too large by one that no record has", () => {
    expect(placeOf("/posts/99999999999")?.variables).toMatchObject({ id: 0 });
  });

  it("finds no page for other URLs", () => {
    for (const url of ["/nowhere", "/posts/", "/posts/x", "/posts/1/2", "/posts.json", "//posts", ""])
      expect([url, placeOf(url)?.page]).toEqual([url, undefined]);
  });
});

describe("pageOf", () => {
  it("is a number of at least 1, or `b` and an id, and 1 for anything else", () => {
    const of = (text: string) => pageOf(new URLSearchParams({ page: text }));
    expect(["7", "b12", "999999", "0", "-1", "1.5", "x", "b", ""].map(of)).toEqual([
      "7",
      "b12",
      "999999",
      "1",
      "1",
      "1",
      "1",
      "1",
      "1",
    ]);
  });
});

describe("searchUrl and postUrl", () => {
  it("leave out defaults", () => {
    expect([searchUrl(""), searchUrl(" a b ", "1"), searchUrl("", "2")]).toEqual([
      "/",
      "/posts?tags=a+b",
      "/posts?page=2",
    ]);
    expect([postUrl(5), postUrl(5, "a:b&c")]).toEqual(["/posts/5", "/posts/5?q=a%3Ab%26c"]);
  });

  it("round-trip", () => {
    for (const tags of ['a "quoted\\ text" (b or c)', "100%", "ä+ö", "#1"])
      expect(placeOf(searchUrl(tags, "2"))?.variables).toMatchObject({ tags, page: "2" });
  });
});

describe("readPreferences", () => {
  it("reads known values from the cookie in any order, and uses defaults for others", () => {
    expect(readPreferences("a=b; preferences=square.dark.unsafe.nonsense; c=d")).toEqual({
      theme: "dark",
      rows: "medium",
      tiles: "square",
      blur: "unsafe",
    });
    expect(readPreferences("otherpreferences=dark")).toMatchObject({ theme: "auto" });
  });
});

describe("titles", () => {
  it("name the characters, copyrights and artists of a post", () => {
    const post = { id: 4, tagStringArtist: "", tagStringCharacter: "", tagStringCopyright: "" };
    expect(postTitle(post)).toBe("Post 4");
    expect(postTitle({ ...post, tagStringArtist: "a_b", tagStringCharacter: "c d e f", tagStringCopyright: "g" })).toBe(
      "c, d, e and others from g by a b",
    );
    expect([
      galleryTitle("", "1"),
      galleryTitle("a", "2"),
      galleryTitle("", "b12"),
      fullTitle("", "B"),
      fullTitle("T", "B"),
    ]).toEqual(["Posts", "a, page 2", "Posts, before post 12", "B", "T · B"]);
  });
});
