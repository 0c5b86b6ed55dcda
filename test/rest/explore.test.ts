import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestPost } from "../support/factory.js";

let test: TestBoard;
let posts: TestPost[];
beforeAll(async () => {
  test = await startBoard();
  posts = [
    await test.make.post("cat whiskers sofa artist:mo"),
    await test.make.post("cat whiskers artist:mo"),
    await test.make.post("cat window"),
    await test.make.post("dog"),
    await test.make.post(`horse stable ${Array.from({ length: 30 }, (_, at) => `only_once_${at}`).join(" ")}`),
    await test.make.post("horse stable"),
  ];
});
afterAll(() => test[Symbol.asyncDispose]());

describe("GET /related_tag.json", () => {
  it("returns the tags on the posts of a search, most frequent first", async () => {
    const { status, json } = await test.anonymous.get("/related_tag.json", { query: "Cat" });
    expect([status, json.query, json.category, json.post_count]).toEqual([200, "cat", null, 3]);
    expect(json.tag).toMatchObject({ name: "cat", post_count: 3 });
    const [first, ...others] = json.related_tags as {
      tag: { name: string };
      frequency: number;
      cosine_similarity: number;
    }[];
    expect(first).toMatchObject({ tag: { name: "cat" }, frequency: 1, cosine_similarity: 1 });
    const whiskers = others.find(({ tag }) => tag.name === "whiskers");
    expect(whiskers?.frequency).toBeCloseTo(2 / 3);
    expect(whiskers?.cosine_similarity).toBeCloseTo(2 / Math.sqrt(6));
    expect(json.tags[0]).toEqual(["cat", 0]);
  });

  it("filters by a category, given as number or name", async () => {
    const number = await test.anonymous.get("/related_tag.json", { query: "cat", category: 1 });
    const name = await test.anonymous.get("/related_tag.json", { query: "cat", category: "artist" });
    expect(number.json.tags).toEqual([["mo", 1]]);
    expect([name.json.category, name.json.tags]).toEqual([1, [["mo", 1]]]);
  });

  it("returns the 25 most frequent of more tags", async () => {
    const { json } = await test.anonymous.get("/related_tag.json", { query: "horse" });
    const names = (json.tags as [string, number][]).map(([name]) => name);
    expect(names).toHaveLength(25);
    expect(names.slice(0, 2).sort()).toEqual(["horse", "stable"]);
  });

  it("orders tags on as many posts by their posts on the whole board, fewest first", async () => {
    const { json } = await test.anonymous.get("/related_tag.json", { query: "sofa" });
    expect(json.tags).toEqual([
      ["sofa", 0],
      ["mo", 1],
      ["whiskers", 0],
      ["cat", 0],
      ["lowres", 0],
    ]);
    const cat = (json.related_tags as Record<string, unknown>[])[3];
    expect(cat).toMatchObject({ frequency: 1, jaccard_similarity: 1 / 3, overlap_coefficient: 1 });
  });

  it("accepts patterns and whole searches", async () => {
    const pattern = await test.anonymous.get("/related_tag.json", { query: "w*" });
    expect(pattern.json.tags).toEqual([
      ["whiskers", 0],
      ["window", 0],
    ]);
    const search = await test.anonymous.get("/related_tag.json", { query: "cat -whiskers" });
    expect([search.json.post_count, search.json.tag]).toEqual([1, null]);
  });

  it("returns the tags that the wiki page links to", async () => {
    const { id } = await test.make.user();
    const body = "See [[Dog]], [[window|the windows]] and [[tag group:pets]].";
    await test.board.database.wikiPage.create({ data: { title: "cat", body, creatorId: id, updaterId: id } });
    const { json } = await test.anonymous.get("/related_tag.json", { query: "cat" });
    expect(json.wiki_page_tags).toEqual([
      ["dog", 0],
      ["window", 0],
    ]);
  });

  it("424 without a query, or with an unknown category", async () => {
    const none = await test.anonymous.get("/related_tag.json");
    const unknown = await test.anonymous.get("/related_tag.json", { query: "cat", category: "colour" });
    expect([none.status, none.json.reason]).toEqual([424, "query is required"]);
    expect(unknown.status).toBe(424);
  });

  it("returns XML", async () => {
    const { status, xml, text } = await test.anonymous.get("/related_tag.xml", { query: "cat" });
    expect([status, xml?.name]).toEqual([200, "related-tag"]);
    expect(text).toContain('<query>cat</query><category type="integer" nil="true"/>');
  });
});

describe("GET /counts/posts.json", () => {
  it("counts the posts of a search", async () => {
    const count = async (tags: string) => (await test.anonymous.get("/counts/posts.json", { tags })).json;
    expect(await count("cat")).toEqual({ counts: { posts: 3 } });
    expect(await count("cat -whiskers")).toEqual({ counts: { posts: 1 } });
    expect(await count("nothing_like_it")).toEqual({ counts: { posts: 0 } });
    expect(await count("")).toEqual({ counts: { posts: posts.length } });
  });
});

describe("GET /posts/random.json", () => {
  it("returns one random post of a search", async () => {
    const any = await test.anonymous.get("/posts/random.json");
    const dog = await test.anonymous.get("/posts/random.json", { tags: "dog" });
    expect(posts.map((post) => post.id)).toContain(any.json.id);
    expect(dog.json.id).toBe(posts[3]?.id);
  });

  it("also of a search that has an order of its own", async () => {
    const { client } = await test.make.user();
    const ids = posts.map((post) => post.id);
    const pool = await client.post("/pools.json", {
      pool: { name: "pets", description: "All.", post_ids: ids.join(" ") },
    });
    const draw = async () =>
      (await test.anonymous.get("/posts/random.json", { tags: `ordpool:${pool.json.id}` })).json.id;
    const found = new Set<number>();
    // random, but not equally likely
    await expect.poll(async () => found.add(await draw()), { interval: 0 }).toEqual(new Set(ids));
  });

  it("of all posts also returns one whose md5 is right behind another's", async () => {
    for (const [index, { id }] of posts.slice(0, 2).entries())
      await test.board.database.mediaFile.updateMany({
        where: { post: { id } },
        data: { md5: `${"0".repeat(31)}${index}` },
      });
    const draw = async () => (await test.anonymous.get("/posts/random.json")).json.id;
    await expect.poll(draw, { interval: 0 }).toBe(posts[1]?.id);
  });

  it("404 if there is none", async () => {
    expect((await test.anonymous.get("/posts/random.json", { tags: "unicorn" })).status).toBe(404);
  });
});

describe("GET /explore/posts/popular.json", () => {
  it("returns the posts of a day, week or month by score", async () => {
    const [first, second] = posts as [TestPost, TestPost];
    const { database } = test.board;
    await database.post.update({ where: { id: first.id }, data: { createdAt: new Date("2026-03-04T10:00:00Z") } });
    await database.post.update({
      where: { id: second.id },
      data: { createdAt: new Date("2026-03-06T10:00:00Z"), upScore: 5, score: 5 },
    });
    const popular = async (date: string, scale: string) =>
      ((await test.anonymous.get("/explore/posts/popular.json", { date, scale })).json as { id: number }[]).map(
        (p) => p.id,
      );
    expect(await popular("2026-03-04", "day")).toEqual([first.id]);
    expect(await popular("2026-03-04", "week")).toEqual([second.id, first.id]);
    expect(await popular("2026-03-31", "month")).toEqual([second.id, first.id]);
    expect(await popular("2026-03-09", "week")).toEqual([]);
    await database.post.update({ where: { id: first.id }, data: { createdAt: new Date("0099-01-02T10:00:00Z") } });
    expect(await popular("0099-01-02", "day")).toEqual([first.id]);
    expect(await popular("0099-01-31", "month")).toEqual([first.id]);
    expect(await popular("0098-12-29", "week")).toEqual([first.id]);
  });

  it("424 for an invalid date", async () => {
    expect((await test.anonymous.get("/explore/posts/popular.json", { date: "someday" })).status).toBe(424);
  });
});

describe("GET /autocomplete.json", () => {
  it("finds tags by prefix, and by the prefix of an alias", async () => {
    const { id } = await test.make.user();
    const alias = { antecedentName: "vibrissae", consequentName: "whiskers", creatorId: id, status: "active" };
    await test.board.database.tagAlias.create({ data: alias });
    const search = async (query: string) =>
      (await test.anonymous.get("/autocomplete.json", { search: { query } })).json;
    expect(await search("WH")).toEqual([
      { type: "tag", label: "whiskers", value: "whiskers", category: 0, post_count: 2, antecedent: null },
    ]);
    expect(await search("vib")).toEqual([
      { type: "tag-alias", label: "whiskers", value: "whiskers", category: 0, post_count: 2, antecedent: "vibrissae" },
    ]);
    expect(await search("%")).toEqual([]);
  });

  const values = async (query: string, more: Params = {}) => {
    const { json } = await test.anonymous.get("/autocomplete.json", { search: { query, ...more } });
    return (json as { value: string }[]).map(({ value }) => value);
  };

  it("finds meta-tags by prefix, in any spelling, after matching tags", async () => {
    expect(await values("rat")).toEqual(["ratio:", "rating:"]);
    expect(await values("-RATIN")).toEqual(["rating:"]);
    expect(await values("pixiv")).toEqual(["pixiv_id:"]);
    expect(await values("wi")).toEqual(["window", "width:"]);
    expect(await values("wi", { type: "tag" })).toEqual(["window"]);
    const { json } = await test.anonymous.get("/autocomplete.json", { search: { query: "rati" }, limit: 3 });
    expect(json[1]).toEqual({
      type: "metatag",
      label: "rating:",
      value: "rating:",
      category: null,
      post_count: null,
      antecedent: null,
    });
  });

  it("completes meta-tag values that are words", async () => {
    expect(await values("rating:")).toEqual(["rating:safe", "rating:questionable", "rating:explicit"]);
    expect(await values("Status:un")).toEqual(["status:unmoderated"]);
    expect(await values("order:sco")).toEqual(["order:score", "order:score_asc"]);
    expect(await values("-has:chi")).toEqual(["has:child", "has:children"]);
    expect(await values("comm:a")).toEqual(["commenter:any"]);
    expect(await values("score:")).toEqual([]);
  });

  it("completes users, pools and tags in meta-tags", async () => {
    const user = await test.make.user("Member", "Wolfgang");
    const data = { name: "Wolves_at_sea", creatorId: user.id };
    await test.board.database.pool.createMany({ data: [data, { ...data, name: "Wolves_deleted", isDeleted: true }] });
    expect(await values("user:wolf")).toEqual(["user:Wolfgang"]);
    expect(await values("pool:wolves")).toEqual(["pool:Wolves_at_sea"]);
    expect(await values("unaliased:wind")).toEqual(["unaliased:window"]);
  });

  it("finds users by search[type]", async () => {
    const user = await test.make.user("Member", "Zoltan_the_great");
    const { json } = await test.anonymous.get("/autocomplete.json", { search: { query: "zolt", type: "user" } });
    expect(json).toMatchObject([{ type: "user", value: user.name }]);
  });

  it("has the older format at /tags/autocomplete.json", async () => {
    const { json } = await test.anonymous.get("/tags/autocomplete.json", { search: { name_matches: "wi" } });
    expect(json).toEqual([{ name: "window", post_count: 1, category: 0, antecedent_name: null }]);
    const word = await test.anonymous.get("/tags/autocomplete.json", { search: { name_matches: "rating:" } });
    expect(word.json).toEqual([]);
  });
});
