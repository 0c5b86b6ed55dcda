/** Help with searches: corrections, hints about searches that find little, and the line of the blacklist that hides a post. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BOARD_BLACKLIST } from "../../src/resources/users/blacklist.service.js";
import { MOST_LINES } from "../../src/search/posts/lines.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client } from "../support/client.js";
import type { TestPost, TestUser } from "../support/factory.js";

let test: TestBoard;
let user: TestUser;
let harbour: TestPost;
beforeAll(async () => {
  test = await startBoard();
  user = await test.make.user("Member", "mira");
  const uploader = await test.make.user("Contributor", "lumen");
  harbour = await test.make.post("harbour boat guro artist:mira_b", { rating: "s" }, uploader);
  await test.make.post("night harbour", { rating: "e" }, uploader);
});
afterAll(() => test[Symbol.asyncDispose]());

describe("autocomplete", () => {
  const QUERY = `query ($search: AutocompleteSearch) {
    autocomplete(search: $search) { nodes { type label value category postCount } } }`;
  const ask = async (search: object) =>
    (await test.anonymous.graphql(QUERY, { search })).json.data.autocomplete.nodes as { type: string; value: string }[];
  const values = async (search: object) => (await ask(search)).map(({ value }) => value);

  it("corrects a word without matches, on request", async () => {
    expect(await ask({ query: "hrabour", type: "TAG", corrects: true })).toEqual([
      { type: "tag-correction", label: "harbour", value: "harbour", category: "GENERAL", postCount: 2 },
    ]);
    expect(await values({ query: "-harbuor", corrects: true })).toEqual(["harbour"]);
    expect(await ask({ query: "hrabour", type: "TAG" })).toEqual([]);
  });

  it("corrects a letter that is missing, added, swapped or wrong anywhere in the word", async () => {
    await test.make.post("sunset lighthouse", { rating: "s" }, user);
    for (const [query, value] of [
      ["snset", "sunset"],
      ["unset", "sunset"],
      ["sunst", "sunset"],
      ["ssunset", "sunset"],
      ["saunset", "sunset"],
      ["sunsset", "sunset"],
      ["usnset", "sunset"],
      ["snuset", "sunset"],
      ["sinset", "sunset"],
      ["xunset", "sunset"],
      ["sunsep", "sunset"],
      ["harbr", "harbour"],
      ["arbour", "harbour"],
      ["lihgthouse", "lighthouse"],
      ["ligthouse", "lighthouse"],
    ])
      expect([query, await values({ query, corrects: true })]).toEqual([query, [value]]);
  });

  it("suggests the most used aliases if more match than it may return", async () => {
    const { database } = test.board;
    for (const [at, postCount] of [1, 9, 5].entries()) {
      const { name: consequentName } = await database.tag.create({ data: { name: `wharf_${at}`, postCount } });
      const data = { antecedentName: `quay_${at}`, consequentName, status: "active", creatorId: user.id };
      await database.tagAlias.create({ data });
    }
    const { json } = await test.anonymous.graphql(QUERY.replace("search: $search", "search: $search, first: 1"), {
      search: { query: "qua", type: "TAG" },
    });
    expect(json.data.autocomplete.nodes).toMatchObject([{ type: "tag-alias", value: "wharf_1", postCount: 9 }]);
  });

  it("does not correct a word with matches, a short one, or one far from every tag", async () => {
    expect((await ask({ query: "harb", corrects: true })).map(({ type }) => type)).toEqual(["tag"]);
    for (const query of ["hx", "bxax", "harxxxx", "h%r", "\\_\\", "harbour*x"])
      expect([query, await ask({ query, corrects: true })]).toEqual([query, []]);
  });

  it("finds pools, artists and wiki pages by prefix, except deleted ones", async () => {
    const creatorId = user.id;
    const { database } = test.board;
    await database.pool.create({ data: { name: "Boats_at_sea", creatorId } });
    await database.pool.create({ data: { name: "Boats_deleted", creatorId, isDeleted: true } });
    await user.client.post("/artists.json", { artist: { name: "mira_b" } });
    await user.client.post("/wiki_pages.json", { wiki_page: { title: "boat_building", body: "How." } });
    expect(await ask({ query: "boats", type: "POOL" })).toEqual([
      { type: "pool", label: "Boats at sea", value: "Boats_at_sea", category: null, postCount: 0 },
    ]);
    expect(await ask({ query: "Mira", type: "ARTIST" })).toEqual([
      { type: "artist", label: "mira b", value: "mira_b", category: null, postCount: 1 },
    ]);
    expect(await values({ query: "boat b", type: "WIKI_PAGE" })).toEqual(["boat_building"]);
    for (const [query, value] of [
      ["pool:boats", "pool:Boats_at_sea"],
      ["-Pool:boats", "pool:Boats_at_sea"],
      ["newpool:boats_at", "newpool:Boats_at_sea"],
      ["artist:mir", "artist:mira_b"],
    ])
      expect([query, await values({ query, type: "TAG" })]).toEqual([query, [value]]);
    for (const query of ["pool:", "pool:ships", "general:mir"])
      expect([query, await values({ query, type: "TAG" })]).toEqual([query, []]);
  });

  it.each([
    ["pool:'ti", "'Tis_the_season", `pool:"'Tis_the_season"`],
    ['ordpool:"a', '"A"_and_\\', String.raw`ordpool:"\"A\"_and_\\"`],
  ])(
    "writes a pool whose name begins with a quote so that a search finds its posts (%s)",
    async (query, name, value) => {
      const { id } = await test.make.post("night", {}, user);
      const pool = { name, description: "x", post_ids: String(id) };
      expect((await user.client.post("/pools.json", { pool })).status).toBe(200);
      expect(await values({ query })).toEqual([value]);
      expect((await test.anonymous.get("/posts.json", { tags: value })).json).toMatchObject([{ id }]);
    },
  );
});

describe("hints", () => {
  const hints = async (tags: string) =>
    (
      await test.anonymous.graphql(
        "query ($tags: String) { posts(tags: $tags) { hints { term message suggestion } } }",
        { tags },
      )
    ).json.data.posts.hints;

  it("report tags without posts, with the most similar tag that has some", async () => {
    expect(await hints("harbor -nigth boat")).toEqual([
      { term: "harbor", message: "no post has this tag", suggestion: "harbour" },
      { term: "nigth", message: "no post has this tag", suggestion: "night" },
    ]);
    expect(await hints("harbr ~ight")).toEqual([
      { term: "harbr", message: "no post has this tag", suggestion: "harbour" },
      { term: "ight", message: "no post has this tag", suggestion: "night" },
    ]);
    expect(await hints("zzzzzz")).toEqual([{ term: "zzzzzz", message: "no post has this tag", suggestion: null }]);
  });

  it("report invalid values, patterns without matches, and invalid searches", async () => {
    expect(await hints("status:pendign")).toEqual([
      { term: "status:pendign", message: "this value means nothing", suggestion: "status:pending" },
    ]);
    expect(await hints("upvote:albert")).toEqual([
      { term: "upvote:albert", message: "this value means nothing", suggestion: null }, // to a visitor
    ]);
    expect(await hints("order:scroe limit:ten")).toEqual([
      { term: "order:scroe", message: "this value means nothing", suggestion: "order:score" },
      { term: "limit:ten", message: "this value means nothing", suggestion: null },
    ]);
    expect(await hints(`(-status:"pend ing") or order:sc\\ ore`)).toEqual([
      { term: 'status:"pend ing"', message: "this value means nothing", suggestion: "status:pending" },
      { term: "order:sc\\ ore", message: "this value means nothing", suggestion: "order:score" },
    ]);
    expect(await hints("xyz*")).toEqual([{ term: "xyz*", message: "no tag is like this", suggestion: null }]);
    expect(await hints("(harbour")).toEqual([{ term: "", message: "a parenthesis is not closed", suggestion: null }]);
  });

  it("are empty for a valid search, and at most five", async () => {
    expect(await hints("harbour -boat rating:e order:score")).toEqual([]);
    expect(await hints("")).toEqual([]);
    expect(await hints("q1 q2 q3 q4 q5 q6 q7")).toHaveLength(5);
  });

  it("reflect the current tags of posts", async () => {
    const { id } = await test.make.post("kelp night", {}, user);
    const retag = (tags: string) => user.client.put(`/posts/${id}.json`, { post: { tag_string: tags } });
    await retag("night");
    expect(await hints("kelp")).toMatchObject([{ term: "kelp", message: "no post has this tag" }]);
    await retag("kelp night");
    expect(await hints("kelp")).toEqual([]);
    await retag("night");
    expect(await hints("kelp")).toMatchObject([{ term: "kelp", message: "no post has this tag" }]);
  });

  it("exist only on pages of a search, and cost little", async () => {
    const { json } = await test.anonymous.graphql("{ popularPosts { hints { term } } }");
    expect(json.data.popularPosts.hints).toEqual([]);
    const cost = async (fields: string) =>
      (await test.anonymous.graphql(`{ posts(first: 20) { ${fields} } }`)).json.extensions.cost.requested as number;
    expect((await cost("nodes { id } hints { term }")) - (await cost("nodes { id }"))).toBeLessThanOrEqual(80);
  });
});

describe("hiddenBy", () => {
  const hiddenBy = async (client: Client = user.client) => {
    const { json } = await client.graphql("{ posts { nodes { id hiddenBy } } }");
    const rows = json.data.posts.nodes as { id: number; hiddenBy: string[] }[];
    return Object.fromEntries(rows.map((row) => [row.id === harbour.id ? "harbour" : "night", row.hiddenBy]));
  };
  const blacklist = async (...lines: string[]) => {
    const { status } = await user.client.put(`/users/${user.id}.json`, {
      user: { blacklisted_tags: lines.join("\n") },
    });
    expect(status).toBeLessThan(300);
  };

  it("lists the matching lines, in the whole search language", async () => {
    await blacklist("night", "  harbour -boat ", "rating:e", "user:lumen boat", "~nothing ~night", "~nothing");
    expect(await hiddenBy()).toEqual({
      harbour: ["user:lumen boat"],
      night: ["night", "harbour -boat", "rating:e", "~nothing ~night"],
    });
  });

  it("uses the viewer's own blacklist; visitors and new accounts have the board's", async () => {
    await blacklist("boat");
    expect(await hiddenBy()).toEqual({ harbour: ["boat"], night: [] });
    expect(await hiddenBy(test.anonymous)).toEqual({ harbour: ["guro"], night: [] });
    const other = await test.make.user("Member");
    expect(await hiddenBy(other.client)).toEqual({ harbour: ["guro"], night: [] });
    expect((await other.client.get("/profile.json")).json.blacklisted_tags).toBe(BOARD_BLACKLIST);
  });

  it("ignores lines that are not a search or hide everything", async () => {
    await blacklist(
      "(boat",
      "order:score",
      "-",
      "",
      "   ",
      Array.from({ length: 60 }, (_, n) => `t${n}`).join(" "),
      "boat",
    );
    expect(await hiddenBy()).toEqual({ harbour: ["boat"], night: [] });
  });

  it("ignores lines that match every post or can't be tested, and only those", async () => {
    const long = "*a".repeat(101);
    const all = ["-no_such_tag", "-rating:none", "-id:none", "score:any", "status:any", "-id:>9999999999"];
    await blacklist(...all, `source:${long}`, `pool:${long}`, long, `boat -${long}`, "boat");
    expect(await hiddenBy()).toEqual({ harbour: ["boat"], night: [] });
  });

  it("uses only the first lines of a long list, in one statement", async () => {
    await blacklist(...Array.from({ length: MOST_LINES }, (_, n) => `tag_${n}`), "boat");
    expect(await hiddenBy()).toEqual({ harbour: [], night: [] });
    await blacklist(...Array.from({ length: MOST_LINES - 1 }, (_, n) => `tag_${n}`), "boat");
    expect(await hiddenBy()).toEqual({ harbour: ["boat"], night: [] });
  });
});
