/** Texts with very many combining marks on one letter: composing them takes time that grows with the square of their number. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let member: TestUser;
let post: number;
beforeAll(async () => {
  test = await startBoard();
  member = await test.make.user("Contributor");
  ({ id: post } = await test.make.post("tree", {}, member));
});
afterAll(() => test[Symbol.asyncDispose]());

/** Milliseconds: hundreds of times as long as such a request takes, and a tenth of what composing the text would. */
const SOON = 2_000;
/** 120 kB in a body of at most a megabyte, each byte as three of a form. */
const MARKS = `a${"\u0315".repeat(30_000)}${"\u0316".repeat(30_000)}`;

describe("a text of sixty thousand combining marks", () => {
  type Attack = [where: string, method: "post" | "put", path: (id: number) => string, params: Params];
  it.each<Attack>([
    ["tags", "put", (id) => `/posts/${id}.json`, { post: { tag_string: MARKS } }],
    ["a source's host", "put", (id) => `/posts/${id}.json`, { post: { source: `https://${MARKS}/` } }],
    [
      "an upload's host",
      "post",
      () => "/uploads.json",
      { upload: { tag_string: "tree", rating: "s", source: `https://${MARKS}/` } },
    ],
    ["an artist's host", "post", () => "/artists.json", { artist: { name: "a", url_string: `https://${MARKS}/` } }],
    ["a source", "put", (id) => `/posts/${id}.json`, { post: { source: MARKS } }],
    [
      "an upload's tags",
      "post",
      () => "/uploads.json",
      { upload: { tag_string: MARKS, rating: "s", source: "https://a.example/" } },
    ],
    ["a title", "post", () => "/wiki_pages.json", { wiki_page: { title: MARKS, body: "x" } }],
    [
      "other names of a page",
      "post",
      () => "/wiki_pages.json",
      { wiki_page: { title: "a", body: "x", other_names: MARKS } },
    ],
    ["an artist", "post", () => "/artists.json", { artist: { name: MARKS } }],
    ["other names of an artist", "post", () => "/artists.json", { artist: { name: "a", other_names_comma: MARKS } }],
    ["a group of artists", "post", () => "/artists.json", { artist: { name: "a", group_name: MARKS } }],
    ["a pool", "post", () => "/pools.json", { pool: { name: MARKS, description: "x" } }],
    ["an account", "post", () => "/users.json", { user: { name: MARKS, password: "a password of marks" } }],
    ["a recipient", "post", () => "/dmails.json", { dmail: { to_name: MARKS, title: "x", body: "x" } }],
  ])("is refused quickly as %s", async (_, method, path, params) => {
    const began = performance.now();
    const { status } = await member.client.json(method === "put" ? "PUT" : "POST", path(post), params);
    expect([status, performance.now() - began < SOON]).toEqual([420, true]);
  });

  it("is quickly found to name nobody and nothing", async () => {
    const began = performance.now();
    const { json } = await member.client.graphql(
      `query ($text: String!) {
         tag(name: $text) { id } wikiPage(title: $text) { id } relatedTags(query: "a") { query }
         users(search: { name: $text }) { nodes { id } } artists(search: { name: $text }) { nodes { id } }
       }`,
      { text: MARKS.slice(0, 4_000) },
    );
    expect([json.data?.users?.nodes ?? [], performance.now() - began < SOON]).toEqual([[], true]);
    const signed = await test.anonymous.json("POST", "/session.json", { name: MARKS, password: "x" });
    expect([signed.status, performance.now() - began < 2 * SOON]).toEqual([403, true]);
  });
});
