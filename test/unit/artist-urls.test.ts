import { describe, expect, it } from "vitest";
import { isHttpUrl, normalizeArtistUrl, urlsToFind } from "../../src/resources/artists/artist-urls.js";

describe("a URL normalized for comparison", () => {
  it.each([
    ["https://Bob.Example/Art", "http://bob.example/Art/"],
    ["http://bob.example///", "http://bob.example/"],
    ["http://blog55.fc2.com/bob", "http://blog.fc2.com/bob/"],
    ["http://blog-imgs-32.fc2.com/bob", "http://blog.fc2.com/bob/"],
    ["http://blog-imgs-32-origin.fc2.com/bob", "http://blog.fc2.com/bob/"],
    ["http://seiga.nicovideo.jp/user/illust/7017777?target=seiga", "http://seiga.nicovideo.jp/user/illust/7017777/"],
    ["http://pictures.hentai-foundry.com//a/bob/1.jpg", "http://pictures.hentai-foundry.com/a/bob/1.jpg/"],
    ["http://img55.pixiv.net/img/bob", "http://img.pixiv.net/img/bob/"],
    ["http://i2.pixiv.net/img04/img/bob", "http://img.pixiv.net/img/bob/"],
    ["https://twitter.com/Bob/status/1", "http://twitter.com/bob/status/1/"],
    ["http://İ.example/İ", "http://İ.example/İ/"],
  ])("%s is %s", (url, normal) => expect(normalizeArtistUrl(url)).toBe(normal));

  it("is never more than one character longer", () => {
    const url = `http://${"İ".repeat(590)}`;
    expect(Array.from(normalizeArtistUrl(url)).length).toBe(Array.from(url).length + 1);
  });
});

describe("the URLs that a search for a URL looks up", () => {
  it("are the URL and its parents, up to the host", () => {
    expect(urlsToFind("http://bob.example/a/b.jpg")).toEqual([
      "http://bob.example/a/b.jpg/",
      "http://bob.example/a/",
      "http://bob.example/",
    ]);
  });

  it.each([
    ["https://www.pixiv.net/users/5", ["http://www.pixiv.net/users/5/"]],
    ["http://img55.pixiv.net/img/bob/1.jpg", ["http://img.pixiv.net/img/bob/1.jpg/", "http://img.pixiv.net/img/bob/"]],
    [
      "https://twitter.com/Bob/status/1",
      ["http://twitter.com/bob/status/1/", "http://twitter.com/bob/status/", "http://twitter.com/bob/"],
    ],
    ["http://mobile.twitter.com/bob", ["http://mobile.twitter.com/bob/"]],
    ["https://www.pixiv.net/stacc/bob", ["http://www.pixiv.net/stacc/bob/"]],
    ["https://twitter.com/intent/user?user_id=1", ["http://twitter.com/intent/user?user_id=1/"]],
    ["https://x.com/i/user/1", ["http://x.com/i/user/1/"]],
    ["https://weibo.com/u/1", ["http://weibo.com/u/1/"]],
    ["https://www.nicovideo.jp/user/1", ["http://www.nicovideo.jp/user/1/"]],
    ["https://www.instagram.com/p/x", ["http://www.instagram.com/p/x/"]],
    ["https://www.artstation.com/artwork/x", ["http://www.artstation.com/artwork/x/"]],
    ["https://www.patreon.com/posts/1", ["http://www.patreon.com/posts/1/"]],
    [
      "https://www.facebook.com/people/Bob/1",
      ["http://www.facebook.com/people/Bob/1/", "http://www.facebook.com/people/Bob/"],
    ],
    ["http://data.tumblr.com/0a1b/tumblr_x.jpg", ["http://data.tumblr.com/0a1b/tumblr_x.jpg/"]],
    ["http://fc05.deviantart.net/fs70/i/2015/x.jpg", ["http://fc05.deviantart.net/fs70/i/2015/x.jpg/"]],
    [
      "http://lohas.nicoseiga.jp/priv/x/1",
      ["http://lohas.nicoseiga.jp/priv/x/1/", "http://lohas.nicoseiga.jp/priv/x/"],
    ],
  ])("%s ends at a host shared by many artists", (url, steps) => expect(urlsToFind(url)).toEqual(steps));

  it("include a host shared by many artists only if it is the URL itself", () => {
    expect(urlsToFind("https://twitter.com")).toEqual(["http://twitter.com/"]);
  });

  it("are limited in number, keeping the deepest ones", () => {
    const steps = urlsToFind(`http://bob.example/${"a/".repeat(500)}`);
    expect(steps.length).toBe(21);
    expect(steps.at(-1)).toBe("http://bob.example/");
  });

  it("do not go above the host", () => expect(urlsToFind("http://")).toEqual(["http:/"]));
});

describe("a URL of an artist", () => {
  it.each([
    ["http://a.example", true],
    ["HTTPS://a.example/x", true],
    ["ftp://a.example", false],
    ["a.example", false],
    ["http://", false],
    ["http:///x", false],
  ])("%s: %s", (text, is) => expect(isHttpUrl(text)).toBe(is));
});
