/** Addresses of pages: read and written alike by server and browser. */
import { describe, expect, it } from "vitest";
import { pageOf, placeOf, postUrl, searchUrl } from "../../../web/routes.js";
import { readPreferences } from "../../../web/preferences.js";
import { fullTitle, galleryTitle, postTitle } from "../../../web/titles.js";

describe("placeOf", () => {
  it("takes an address apart, and says what its document asks for", () => {
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

  it("gives a number that no record has for one that is too large", () => {
    expect(placeOf("/posts/99999999999")?.variables).toMatchObject({ id: 0 });
  });

  it("knows no page at other addresses", () => {
    for (const url of ["/nowhere", "/posts/", "/posts/x", "/posts/1/2", "/posts.json", "//posts", ""])
      expect([url, placeOf(url)?.page]).toEqual([url, url === "/posts/" ? "gallery" : undefined]);
  });
});

describe("pageOf", () => {
  it("is a number of at least 1, and 1 for anything else", () => {
    const of = (text: string) => pageOf(new URLSearchParams({ page: text }));
    expect(["7", "0", "-1", "1.5", "x", "", "999999"].map(of)).toEqual([7, 1, 1, 1, 1, 1, 1]);
  });
});

describe("searchUrl and postUrl", () => {
  it("leave out what goes without saying", () => {
    expect([searchUrl(""), searchUrl(" a b ", 1), searchUrl("", 2)]).toEqual(["/", "/posts?tags=a+b", "/posts?page=2"]);
    expect([postUrl(5), postUrl(5, "a:b&c")]).toEqual(["/posts/5", "/posts/5?q=a%3Ab%26c"]);
  });

  it("lead back to what they were made of", () => {
    for (const tags of ['a "quoted\\ text" (b or c)', "100%", "ä+ö", "#1"])
      expect(placeOf(searchUrl(tags, 2))?.variables).toMatchObject({ tags, page: "2" });
  });
});

describe("readPreferences", () => {
  it("takes the words that it knows out of the cookie, in any order, and the first of each choice for others", () => {
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
  it("name who is in a post, where it is from and who made it", () => {
    const post = { id: 4, tagStringArtist: "", tagStringCharacter: "", tagStringCopyright: "" };
    expect(postTitle(post)).toBe("Post 4");
    expect(postTitle({ ...post, tagStringArtist: "a_b", tagStringCharacter: "c d e f", tagStringCopyright: "g" })).toBe(
      "c, d, e and others from g by a b",
    );
    expect([galleryTitle("", 1), galleryTitle("a", 2), fullTitle("", "B"), fullTitle("T", "B")]).toEqual([
      "Posts",
      "a, page 2",
      "B",
      "T · B",
    ]);
  });
});
