/** The pattern of a request's path: every row is found by its own path, and other paths get no name of their own. */
import { describe, expect, it } from "vitest";
import { table } from "../../rest/table.js";
import { Router } from "../../src/http/router.js";

const router = new Router(table);
/** @param url as a request line has it */
const routeOf = (method: string, url: string) => router.find(url.split("?", 1)[0] ?? "").routeOf(method);
const filled = (path: string): string => path.replace(/:\w+/g, "12345");

describe("the rows of a path", () => {
  const found = (path: string) => {
    const { rows, format, idsOf } = router.find(path);
    return { methods: rows.map(({ method }) => method), format, ids: rows[0] && { ...idsOf(rows[0]) } };
  };

  it("are those of all methods, with the path's ids and format", () => {
    expect(found("/comments/12.json")).toEqual({
      methods: ["GET", "PUT", "DELETE"],
      format: "json",
      ids: { id: "12" },
    });
    expect(found("/posts/7/votes")).toEqual({ methods: ["POST", "DELETE"], format: null, ids: { post_id: "7" } });
  });

  it("treat an id out of range as unknown", () => {
    expect(found("/posts/2147483648.xml").ids).toEqual({ id: "-1" });
  });

  it("treat other text as a name if the row accepts one, including dots and signs", () => {
    expect(found("/wiki_pages/a.b%20c.json").ids).toEqual({ id: undefined, title: "a.b c" });
    expect(found("/wiki_pages/12.json").ids).toEqual({ id: "12", title: undefined });
    expect(found("/wiki_pages/.json")).toMatchObject({ format: null, ids: { title: ".json" } });
  });

  it("treat other text as a name also before an action", () => {
    expect(found("/wiki_pages/a.b%20c/revert.json").ids).toEqual({ id: undefined, title: "a.b c" });
    expect(found("/wiki_pages/12/revert").ids).toEqual({ id: "12", title: undefined });
    expect(found("/wiki_pages/revert/revert.xml").ids).toEqual({ id: undefined, title: "revert" });
    expect(found("/wiki_pages/revert.xml").methods).toEqual(["GET", "PUT", "DELETE"]);
  });

  it("are empty for an unknown path", () => {
    for (const path of [
      "/posts/x.json",
      "/posts/1/2.json",
      "/",
      "",
      "/wiki_pages/",
      "/wiki_pages//revert",
      "/wiki_pages/a/b",
      "/posts/1.json/",
    ])
      expect(found(path).methods).toEqual([]);
  });

  it("have no undecodable ids", () => {
    expect(() => found("/posts/%zz.json")).toThrow("path is invalid");
  });
});

describe("the route of a request", () => {
  it.each(table.map(({ method, path }) => [method, path]))("is that of its row: %s %s", (method, path) => {
    for (const end of ["", ".json", ".xml", ".json?tags=a&page=2", "?x=/posts/1.json"])
      expect(routeOf(method, filled(path) + end)).toEqual({ method, path });
  });

  it("is the same for all requests of a pattern", () => {
    expect(routeOf("GET", "/posts/1.json")).toEqual(routeOf("GET", "/posts/2.xml?only=id"));
    expect(routeOf("GET", "/nowhere")).toEqual(routeOf("GET", "/elsewhere/1"));
    expect(routeOf("BREW", "/posts")).toEqual(routeOf("MKCOL", "/x"));
  });

  it("accepts a name instead of a number if the row does", () => {
    expect(routeOf("GET", "/wiki_pages/help%3Ahome.json").path).toBe("/wiki_pages/:id");
    expect(routeOf("GET", "/posts/name.json").path).toBe("unmatched");
  });

  it("distinguishes HEAD and OPTIONS from GET, and PATCH from PUT", () => {
    expect(routeOf("HEAD", "/posts.json")).toEqual({ method: "HEAD", path: "/posts" });
    expect(routeOf("OPTIONS", "/posts/1.json")).toEqual({ method: "OPTIONS", path: "/posts/:id" });
    expect(routeOf("PATCH", "/posts/1.json")).toEqual({ method: "PATCH", path: "/posts/:id" });
  });

  it.each([
    ["GET", "/data/preview/ab/cd.jpg", "/data/*"],
    ["GET", "/docs/swagger-ui.css", "/docs/*"],
    ["GET", "/docs", "/docs"],
    ["GET", "/openapi.json", "/openapi.json"],
    ["POST", "/graphql", "/graphql"],
    ["GET", "/graphql?query={posts{nodes{id}}}", "/graphql"],
    ["GET", "/metrics", "/metrics"],
    ["POST", "/metrics", "unmatched"],
    ["GET", "/posts.html", "unmatched"],
    ["GET", "/Posts.json", "unmatched"],
    ["GET", "/posts/", "unmatched"],
    ["GET", "//posts", "unmatched"],
    ["GET", "http://other.example/posts.json", "unmatched"],
    ["GET", "/posts/:id", "unmatched"],
    ["GET", "/posts/:", "unmatched"],
    ["GET", "/posts/%31.json", "/posts/:id"],
    ["GET", "*", "unmatched"],
    ["GET", "", "unmatched"],
  ])("%s %s is %s", (method, url, path) => {
    expect(routeOf(method, url).path).toBe(path);
  });
});
