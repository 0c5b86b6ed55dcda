/** The pattern of a request's path: every row is found by its own path, and nothing else makes a name. */
import { describe, expect, it } from "vitest";
import { table } from "../../rest/table.js";
import { routesOf } from "../../src/http/routes.js";

const routes = routesOf(table);
const filled = (path: string): string => path.replace(/:\w+/g, "12345");

describe("the route of a request", () => {
  it.each(table.map(({ method, path }) => [method, path]))("is that of its row: %s %s", (method, path) => {
    for (const end of ["", ".json", ".xml", ".json?tags=a&page=2", "?x=/posts/1.json"])
      expect(routes.of(method, filled(path) + end)).toEqual({ method, path });
  });

  it("is the same object each time, so that it can be counted by", () => {
    expect(routes.of("GET", "/posts/1.json")).toBe(routes.of("GET", "/posts/2.xml?only=id"));
    expect(routes.of("GET", "/nowhere")).toBe(routes.of("GET", "/elsewhere/1"));
    expect(routes.of("BREW", "/posts")).toBe(routes.of("MKCOL", "/x"));
  });

  it("takes a name in the place of a number where the row does", () => {
    expect(routes.of("GET", "/wiki_pages/help%3Ahome.json").path).toBe("/wiki_pages/:id");
    expect(routes.of("GET", "/posts/name.json").path).toBe("unmatched");
  });

  it("tells HEAD and OPTIONS from GET, and a PATCH before it is a PUT", () => {
    expect(routes.of("HEAD", "/posts.json")).toEqual({ method: "HEAD", path: "/posts" });
    expect(routes.of("OPTIONS", "/posts/1.json")).toEqual({ method: "OPTIONS", path: "/posts/:id" });
    expect(routes.of("PATCH", "/posts/1.json")).toEqual({ method: "PATCH", path: "/posts/:id" });
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
    ["GET", "*", "unmatched"],
    ["GET", "", "unmatched"],
  ])("%s %s is %s", (method, url, path) => {
    expect(routes.of(method, url).path).toBe(path);
  });
});
