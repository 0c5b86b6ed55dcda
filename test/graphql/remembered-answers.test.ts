/** Documents that come again are compiled, and what they answer of a post is remembered: nobody can tell by the answers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client } from "../support/client.js";

let test: TestBoard;
let member: Client;
let first: number;
let children: number[];
beforeAll(async () => {
  test = await startBoard();
  const uploader = await test.make.user("Contributor");
  member = uploader.client;
  first = (await test.make.post("harbour ship", {}, uploader)).id;
  const child = () => test.make.post("harbour", { parent_id: first }, uploader);
  children = [(await child()).id, (await child()).id];
});
afterAll(() => test[Symbol.asyncDispose]());

const PLAIN = "{ posts { nodes { id rating createdAt tagString fileUrl mediaFile { variants { type url } } } } }";

describe("a document that comes again", () => {
  it.each([
    ["plain fields of posts", PLAIN],
    ["other names", "{ all: posts { these: nodes { number: id tagString } pageInfo { hasNextPage } totalCount } }"],
    ["a fragment", "{ posts { nodes { ...Shown } } } fragment Shown on Post { __typename id score childIds }"],
    ["the same posts asked for twice", "{ posts { nodes { id } nodes { score } } }"],
    [
      "the same posts asked for by a fragment",
      "{ posts { nodes { id } ...More } } fragment More on PostConnection { nodes { score } }",
    ],
    ["the same posts asked for beside", "{ posts { nodes { id } edges { cursor node { id score } } } }"],
    ["two lists of posts", '{ one: posts(tags: "ship") { nodes { id } } other: posts { nodes { id tagString } } }'],
    ["tags of the page", "{ posts { nodes { id } tags(first: 2) { pagePostCount tag { name } } } }"],
    ["other records", "{ posts { nodes { id parent { id tagString } uploader { name } viewerVote } } }"],
  ])("is answered alike each time: %s", async (_, document) => {
    const asked = [];
    for (let times = 0; times < 4; times += 1) asked.push((await member.graphql(document)).text);
    const [anew] = asked;
    expect(JSON.parse(anew ?? "")).toMatchObject({ data: expect.anything() });
    expect(asked.slice(1)).toEqual([anew, anew, anew]);
  });

  it("is answered by its variables, also within what it asks of posts", async () => {
    const document = `query($id: Int!, $most: Int, $all: Boolean!) {
      post(id: $id) { id childIds(first: $most) tagString @include(if: $all) } }`;
    const ask = async (variables: object) => (await member.graphql(document, { ...variables })).json.data.post;
    for (let times = 0; times < 3; times += 1) {
      const [eldest] = children;
      expect(await ask({ id: first, most: 1, all: true })).toEqual({
        id: first,
        childIds: [eldest],
        tagString: "harbour lowres ship",
      });
      expect(await ask({ id: first, most: 2, all: false })).toEqual({ id: first, childIds: children });
      expect(await ask({ id: 999_999, all: true })).toBeNull();
    }
  });

  it("answers what a write changed", async () => {
    const { id } = await test.make.post("quay");
    const ask = async () => (await member.graphql(`{ post(id: ${id}) { tagString score } }`)).json.data.post;
    for (let times = 0; times < 3; times += 1) expect(await ask()).toEqual({ tagString: "lowres quay", score: 0 });
    await member.put(`/posts/${id}.json`, { post: { tag_string: "quay wall" } });
    expect(await ask()).toEqual({ tagString: "lowres quay wall", score: 0 });
  });

  it("shows a banned post's file to those who may see it, and to nobody else", async () => {
    const admin = (await test.make.user("Admin")).client;
    const { id } = await test.make.post("pier");
    await admin.graphql(`mutation { banPost(input: { id: ${id} }) { post { id } } }`);
    const urlFor = async (client: Client) =>
      (await client.graphql(`{ post(id: ${id}) { isBanned fileUrl } }`)).json.data.post;
    for (let times = 0; times < 3; times += 1) {
      expect(await urlFor(admin)).toEqual({ isBanned: true, fileUrl: expect.stringContaining("/data/") });
      expect(await urlFor(test.anonymous)).toEqual({ isBanned: true, fileUrl: null });
    }
  });
});
