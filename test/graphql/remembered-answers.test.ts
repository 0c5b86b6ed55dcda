/** Repeated documents are compiled, and their results for a post cached, without a difference in any response. */
import { parse } from "graphql";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { splitAtPosts } from "../../graphql/posts/split.js";
import { sharedSchema } from "../../src/http/server.js";
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

const placesIn = (document: string): string[] =>
  (splitAtPosts(sharedSchema(), parse(document), true)?.places ?? []).map(({ path }) => path.join("."));

describe("a repeated document", () => {
  it.each([
    ["plain fields of posts", PLAIN],
    ["other names", "{ all: posts { these: nodes { number: id tagString } pageInfo { hasNextPage } totalCount } }"],
    ["a fragment", "{ posts { nodes { ...Shown } } } fragment Shown on Post { __typename id score childIds }"],
    ["the same posts asked for twice", "{ posts { nodes { id } nodes { score } } }"],
    [
      "the same posts asked for by a fragment",
      "{ posts { nodes { id } ...More } } fragment More on PostConnection { nodes { score } }",
    ],
    [
      "a list that is selected again on a condition, with a fragment",
      "query($no: Boolean = false) { posts { edges { node @include(if: $no) { ... on Post { rating } } node { id } } } }",
    ],
    [
      "a field on a condition, and again without one",
      "query($yes: Boolean = true) { posts { nodes { id @skip(if: $yes) score id } } }",
    ],
    [
      "a fragment on a condition, and without one",
      `query($no: Boolean = false) { posts { nodes { id parent { ...Shown @include(if: $no) } children { ...Shown } } } other: posts { nodes { ...Shown } } }
       fragment Shown on Post { id score }`,
    ],
    [
      "a name that objects have already",
      "{ __proto__: posts { __proto__: nodes { __proto__: id constructor: score } } post(id: 1) { __proto__: id } }",
    ],
    ["the same posts asked for beside", "{ posts { nodes { id } edges { cursor node { id score } } } }"],
    ["two lists of posts", '{ one: posts(tags: "ship") { nodes { id } } other: posts { nodes { id tagString } } }'],
    ["tags of the page", "{ posts { nodes { id } tags(first: 2) { pagePostCount tag { name } } } }"],
    [
      "tags of the page by a fragment",
      "{ posts { nodes { score } tags { tag { ...Named } } } } fragment Named on Tag { id name postCount }",
    ],
    [
      "what differs by viewer, among what does not",
      "{ posts { nodes { viewerHasFavorited ...More tagString these: hiddenBy } } } fragment More on Post { hiddenBy id thumbnail { url } }",
    ],
    ["other records", "{ posts { nodes { id parent { id tagString } uploader { name } viewerVote } } }"],
    [
      "posts within posts, some of them by fragments, beside what is not plain",
      `{ post(id: 1) { viewerVote ...Family tagString postsAfter(first: 3) { ...Tile } postsBefore { ...Tile } }
        posts { edges { cursor node { ...Tile children { score } } } } }
      fragment Family on Post { parent { id ...Tile } children { ...Tile id parent { rating hiddenBy } } }
      fragment Tile on Post { id hiddenBy viewerHasFavorited thumbnail { url } tagString }`,
    ],
    [
      "posts of other records, and none",
      `{ users { nodes { name } } none: post(id: 99999) { id tagString } postVersions { nodes { post { id score } } } }`,
    ],
    [
      "conditional fragments",
      "{ posts { nodes { id ... on Post @include(if: true) { tagString } ... on Post { score } } } }",
    ],
  ])("has the same response every time: %s", async (_, document) => {
    const asked = [];
    for (let times = 0; times < 4; times += 1) asked.push((await member.graphql(document)).text);
    const [anew] = asked;
    expect(JSON.parse(anew ?? "")).toMatchObject({ data: expect.anything() });
    expect(asked.slice(1)).toEqual([anew, anew, anew]);
  });

  it("assembles its posts from cached text, whatever documents ran before", async () => {
    await member.graphql("{ posts { nodes { id rating score } } }");
    expect(placesIn(PLAIN)).toEqual(["posts.nodes"]);
  });

  it("assembles posts from cached text wherever it selects only fields of posts", () => {
    const document = `{ post(id: 1) { viewerVote parent { id } ...More } posts { edges { node { score } } } }
      fragment More on Post { parent { ...Scored } children { ...Scored postsAfter { ...Scored } } }
      fragment Scored on Post { hiddenBy score }`;
    expect(placesIn(document)).toEqual(["post.parent", "post.children.postsAfter", "posts.edges.node"]);
    expect(placesIn("{ posts { nodes { id ... on Post @skip(if: false) { score } } } }")).toEqual([]);
    expect(placesIn("{ posts { nodes { uploader { name } } } }")).toEqual([]);
  });

  it.each([
    ["a post", "{ post(id: 1) { id } post(id: 1) { rating tagString } }", { post: { id: 1, rating: "SAFE" } }],
    [
      "a list of posts",
      '{ posts(tags: "ship") { nodes { id } } posts(tags: "ship") { nodes { rating } } }',
      { posts: { nodes: [{ id: 1, rating: "SAFE" }] } },
    ],
  ])("selects fields of %s twice while posts are in memory, the first time only its id", async (_, document, data) => {
    for (let times = 0; times < 100; times += 1) await member.graphql(PLAIN);
    expect((await member.graphql(document)).json.data).toMatchObject(data);
  });

  it("uses its variables, also in fields of posts", async () => {
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

  it("returns the result of a write", async () => {
    const { id } = await test.make.post("quay");
    const ask = async () => (await member.graphql(`{ post(id: ${id}) { tagString score } }`)).json.data.post;
    for (let times = 0; times < 3; times += 1) expect(await ask()).toEqual({ tagString: "lowres quay", score: 0 });
    await member.put(`/posts/${id}.json`, { post: { tag_string: "quay wall" } });
    expect(await ask()).toEqual({ tagString: "lowres quay wall", score: 0 });
  });

  describe("returns each viewer's own data", () => {
    const ask = async (client: Client, tags: string) => {
      const document =
        "query($tags: String) { posts(tags: $tags) { nodes { id viewerHasFavorited hiddenBy tagCount } } }";
      const answered = [];
      for (let times = 0; times < 3; times += 1) answered.push((await client.graphql(document, { tags })).json.data);
      expect(answered.slice(1)).toEqual([answered[0], answered[0]]);
      return answered[0].posts.nodes[0];
    };

    it("regardless of earlier viewers", async () => {
      const { id } = await test.make.post("mole guro");
      const reader = await test.make.user();
      expect(await ask(test.anonymous, "mole")).toEqual({
        id,
        viewerHasFavorited: false,
        hiddenBy: ["guro"],
        tagCount: 3,
      });
      await reader.client.post("/favorites.json", { post_id: id });
      await reader.client.put(`/users/${reader.id}.json`, { user: { blacklisted_tags: "mole\nquay" } });
      expect(await ask(reader.client, "mole")).toEqual({
        id,
        viewerHasFavorited: true,
        hiddenBy: ["mole"],
        tagCount: 3,
      });
      expect(await ask(test.anonymous, "mole")).toMatchObject({ viewerHasFavorited: false, hiddenBy: ["guro"] });
    });

    it("with the current tags and rating of a post, also for a tag that no post had before", async () => {
      const { id } = await test.make.post("jetty", { rating: "s" });
      expect(await ask(test.anonymous, "jetty")).toMatchObject({ hiddenBy: [] });
      await member.put(`/posts/${id}.json`, { post: { tag_string: "jetty furry scat" } });
      expect(await ask(test.anonymous, "jetty")).toMatchObject({ hiddenBy: ["scat"] });
      await member.put(`/posts/${id}.json`, { post: { rating: "q" } });
      expect(await ask(test.anonymous, "jetty")).toMatchObject({ hiddenBy: ["scat", "furry -rating:s"] });
    });

    it("with the current aliases", async () => {
      const admin = (await test.make.user("Admin")).client;
      await test.make.post("dock plot_twist");
      expect(await ask(test.anonymous, "dock")).toMatchObject({ hiddenBy: [] });
      const requested = await admin.graphql(`mutation { requestTagAlias(input: { antecedentName: "spoilers",
        consequentName: "plot_twist", reason: "the same thing" }) { tagAlias { id } } }`);
      const { id } = requested.json.data.requestTagAlias.tagAlias;
      await admin.graphql(`mutation { approveTagAlias(input: { id: ${id} }) { tagAlias { id } } }`);
      await test.board.tagRelationApplier.apply("alias", id as number);
      expect(await ask(test.anonymous, "dock")).toMatchObject({ hiddenBy: ["spoilers"] });
    });

    it("with the current aliases in the viewer's own blacklist", async () => {
      const admin = (await test.make.user("Admin")).client;
      const reader = await test.make.user();
      const post = await test.make.post("slip_road");
      await reader.client.put(`/users/${reader.id}.json`, { user: { blacklisted_tags: "byway" } });
      await test.make.post("byway");
      const hiddenBy = async () =>
        (await reader.client.graphql(`{ post(id: ${post.id}) { hiddenBy } }`)).json.data.post.hiddenBy;
      expect(await hiddenBy()).toEqual([]);
      const requested = await admin.graphql(`mutation { requestTagAlias(input: { antecedentName: "byway",
        consequentName: "slip_road", reason: "the same thing" }) { tagAlias { id } } }`);
      const { id } = requested.json.data.requestTagAlias.tagAlias;
      await admin.graphql(`mutation { approveTagAlias(input: { id: ${id} }) { tagAlias { id } } }`);
      await test.board.tagRelationApplier.apply("alias", id as number);
      expect(await hiddenBy()).toEqual(["byway"]);
    });
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

describe("posts that can't be read", () => {
  it.each([
    ["in a list", "{ posts { nodes { id viewerHasFavorited } } viewer { name } }", ["posts"], null],
    [
      "where null may be",
      "{ post(id: 1) { id viewerHasFavorited } viewer { name } }",
      ["post"],
      { post: null, viewer: { name: "asking" } },
    ],
    [
      "within a post",
      "{ post(id: 2) { viewerVote parent { viewerHasFavorited } } }",
      ["post", "parent"],
      { post: { viewerVote: null, parent: null } },
    ],
  ])(
    "%s are read once, and the response is that of a document sent for the first time",
    async (_, document, path, data) => {
      await using board = await startBoard();
      const { client } = await board.make.user("Member", "asking");
      const { id } = await board.make.post("harbour");
      await board.make.post("harbour", { parent_id: id });
      for (let times = 0; times < 3; times += 1) expect((await client.graphql(document)).json.errors).toBeUndefined();
      await board.board.pool.query("ALTER TABLE favorites RENAME TO favorites_elsewhere");
      const read = vi.spyOn(board.board.favorites, "areFavoritesOf");
      const answer = await client.graphql(document);
      expect(read).toHaveBeenCalledTimes(1);
      expect(answer).toMatchObject({ status: 200, json: { errors: [{ path, extensions: { code: "INTERNAL" } }] } });
      expect(answer.json.data).toEqual(data);
      const anew = await client.graphql(`${document} # as text`);
      expect([anew.status, anew.json.data]).toEqual([200, data]);
    },
  );
});
