/** Fields of the schema for pages: the board, texts as HTML, the viewer's favorite and vote, and neighbouring posts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { copyPost } from "../support/copies.js";
import type { TestPost, TestUser } from "../support/factory.js";

let test: TestBoard;
let user: TestUser;
/** five posts with `series`, oldest first */
const posts: TestPost[] = [];
beforeAll(async () => {
  test = await startBoard({ BOARD_NAME: "Pictures", BOARD_DESCRIPTION: "Of all kinds." });
  user = await test.make.user("Member");
  const uploader = await test.make.user("Contributor");
  for (const [index, extra] of ["a", "a b", "b", "a b c", "c"].entries())
    posts.push(await test.make.post(`series ${extra} number_${index}`, {}, uploader));
});
afterAll(() => test[Symbol.asyncDispose]());

const ids = (...indexes: number[]) => indexes.map((index) => ({ id: posts[index]?.id }));

describe("board", () => {
  const QUERY =
    "{ board { name description requiresLogin maxTagsPerPost fileTypes viewerCan { upload uploadFree moderate } } }";

  it("returns the board's name, limits and what the viewer may do", async () => {
    const { json } = await test.anonymous.graphql(QUERY);
    const { fileTypes, ...board } = json.data.board;
    expect(board).toEqual({
      name: "Pictures",
      description: "Of all kinds.",
      requiresLogin: false,
      maxTagsPerPost: 1250,
      viewerCan: { upload: false, uploadFree: false, moderate: false },
    });
    expect(fileTypes).toContain("png");
    const abilities = async (level: "Member" | "Contributor" | "Janitor") =>
      (await (await test.make.user(level)).client.graphql(QUERY)).json.data.board.viewerCan;
    expect(await abilities("Member")).toEqual({ upload: true, uploadFree: false, moderate: false });
    expect(await abilities("Contributor")).toEqual({ upload: true, uploadFree: true, moderate: false });
    expect(await abilities("Janitor")).toEqual({ upload: true, uploadFree: true, moderate: true });
  });

  it("is visible to visitors with REQUIRE_LOGIN", async () => {
    await using closed = await startBoard({ REQUIRE_LOGIN: "true" });
    expect((await closed.anonymous.graphql("{ board { requiresLogin } }")).json.data.board.requiresLogin).toBe(true);
    const refused = await closed.anonymous.graphql('{ renderText(text: "x") }');
    expect(refused.json.errors[0].message).toBe("login required");
  });
});

describe("renderText", () => {
  it("renders a text as safe HTML", async () => {
    const { json } = await test.anonymous.graphql('{ renderText(text: "[b]x[/b] <script>") }');
    expect(json.data.renderText).toBe("<p><strong>x</strong> &lt;script&gt;</p>");
  });

  it("424 for a text longer than any record's", async () => {
    const query = "query ($text: String!) { renderText(text: $text) }";
    const ask = async (length: number) => (await test.anonymous.graphql(query, { text: "x".repeat(length) })).json;
    expect((await ask(80_000)).errors).toBeUndefined();
    expect((await ask(80_001)).errors[0].extensions).toMatchObject({ status: 424, field: "text" });
  });
});

describe("bodyHtml", () => {
  it("of comments and notes is the rendered body, and empty if the body is", async () => {
    const [post] = posts as [TestPost];
    await user.client.post("/comments.json", { comment: { post_id: post.id, body: "[i]said[/i]" } });
    await user.client.post("/notes.json", {
      note: { post_id: post.id, x: 1, y: 1, width: 9, height: 9, body: "[b]here[/b]" },
    });
    const ask = () =>
      test.anonymous.graphql(
        `{ post(id: ${post.id}) { comments { id bodyHtml } notes { bodyHtml } viewerCan { comment } } }`,
      );
    const { comments, notes } = (await ask()).json.data.post;
    expect([comments[0].bodyHtml, notes[0].bodyHtml]).toEqual(["<p><em>said</em></p>", "<p><strong>here</strong></p>"]);
    await user.client.delete(`/comments/${comments[0].id}.json`);
    expect((await ask()).json.data.post.comments[0].bodyHtml).toBe("");
  });
});

describe("bodyHtml of long texts", () => {
  it("of twenty forum posts is had with them in one request; that of a deleted one is empty", async () => {
    const topic = { title: "Long", original_post_attributes: { body: "[b]one[/b]" } };
    const { json } = await user.client.post("/forum_topics.json", { forum_topic: topic });
    await user.client.post("/forum_posts.json", { forum_post: { topic_id: json.id, body: "[i]two[/i]" } });
    const ask = async () =>
      (
        await test.anonymous.graphql(
          `{ forumPosts(first: 20, search: { topicId: [${json.id}], isDeleted: false }) { nodes { id bodyHtml creatorName } } }`,
        )
      ).json.data.forumPosts.nodes;
    const [second, first] = await ask();
    expect([first.bodyHtml, second.bodyHtml]).toEqual(["<p><strong>one</strong></p>", "<p><em>two</em></p>"]);
    await user.client.delete(`/forum_posts/${second.id}.json`);
    const one = await test.anonymous.graphql(`{ forumPost(id: ${second.id}) { body bodyHtml } }`);
    expect(one.json.data.forumPost).toEqual({ body: "", bodyHtml: "" });
  });

  it("of a wiki page and of the viewer's dmails is the rendered body", async () => {
    const page = await user.client.post("/wiki_pages.json", { wiki_page: { title: "html", body: "h4. <On> it" } });
    const dmail = await user.client.post("/dmails.json", {
      dmail: { to_name: user.name, title: "html", body: "[b]to[/b] me" },
    });
    const { json } = await user.client.graphql(
      `{ wikiPage(id: ${page.json.id}) { bodyHtml } dmail(id: ${dmail.json.id}) { bodyHtml } }`,
    );
    expect(json.data).toEqual({
      wikiPage: { bodyHtml: "<h4>&lt;On&gt; it</h4>" },
      dmail: { bodyHtml: "<p><strong>to</strong> me</p>" },
    });
  });
});

describe("the pool of a page of posts", () => {
  it("is set only if the search lists exactly a pool's posts in their order", async () => {
    const { json } = await user.client.post("/pools.json", { pool: { name: "listed", description: "of posts" } });
    const ask = async (tags: string) =>
      (await test.anonymous.graphql("query($tags: String) { posts(tags: $tags) { pool { name } } }", { tags })).json
        .data.posts.pool;
    expect(await ask(`ordpool:${json.id}`)).toEqual({ name: "listed" });
    for (const tags of ["", `pool:${json.id}`, `ordpool:${json.id} a`, "ordpool:999999"])
      expect([tags, await ask(tags)]).toEqual([tags, null]);
  });
});

describe("descriptionHtml", () => {
  it("of a pool is the rendered description", async () => {
    const pool = { name: "rendered", description: "[b]all[/b] of <it>" };
    const { json } = await user.client.post("/pools.json", { pool });
    const answer = await test.anonymous.graphql(`{ pool(id: ${json.id}) { descriptionHtml } }`);
    expect(answer.json.data.pool.descriptionHtml).toBe("<p><strong>all</strong> of &lt;it&gt;</p>");
  });
});

describe("the viewer's favorite and vote on a post", () => {
  const QUERY = (id: number) => `{ post(id: ${id}) { viewerHasFavorited viewerVote } }`;

  it("are those of the viewer only", async () => {
    const [, post] = posts as [TestPost, TestPost];
    const ask = async (client = user.client) => (await client.graphql(QUERY(post.id))).json.data.post;
    expect(await ask()).toEqual({ viewerHasFavorited: false, viewerVote: null });
    await user.client.post("/favorites.json", { post_id: post.id });
    await user.client.post(`/posts/${post.id}/votes.json`, { score: "down" });
    expect(await ask()).toEqual({ viewerHasFavorited: true, viewerVote: "DOWN" });
    for (const other of [test.anonymous, (await test.make.user()).client])
      expect(await ask(other)).toEqual({ viewerHasFavorited: false, viewerVote: null });
  });

  it("are up to date after the mutation that changes them", async () => {
    const [, , post] = posts as [TestPost, TestPost, TestPost];
    const { json } = await user.client.graphql(
      `mutation { createPostVote(input: { postId: ${post.id}, score: UP }) { post { viewerVote score } } }`,
    );
    expect(json.data.createPostVote.post).toEqual({ viewerVote: "UP", score: 1 });
  });
});

describe("viewerCan of a post", () => {
  it("is false for visitors, and for notes while they are locked", async () => {
    const post = await test.make.post("locked_one");
    const ask = async (client = user.client) =>
      (await client.graphql(`{ post(id: ${post.id}) { viewerCan { favorite comment annotate } } }`)).json.data.post
        .viewerCan;
    expect(await ask(test.anonymous)).toEqual({ favorite: false, comment: false, annotate: false });
    expect(await ask()).toEqual({ favorite: true, comment: true, annotate: true });
    const builder = await test.make.user("Builder");
    await builder.client.graphql(`mutation { lockPost(input: { id: ${post.id}, locks: [NOTE] }) { post { id } } }`);
    expect(await ask()).toEqual({ favorite: true, comment: true, annotate: false });
  });
});

describe("postsBefore and postsAfter", () => {
  const ask = async (index: number, tags: string | null, first?: number) => {
    const query =
      "query ($id: Int!, $tags: String, $first: Int) { post(id: $id) { previous: postsBefore(tags: $tags, first: $first) { id } next: postsAfter(tags: $tags, first: $first) { id } } }";
    const { json } = await test.anonymous.graphql(query, { id: posts[index]?.id, tags, first });
    return json.data?.post ?? json.errors[0].extensions;
  };

  it("are the posts before and after it in the search, nearest first; one without `first`", async () => {
    expect(await ask(2, "series", 5)).toEqual({ previous: ids(3, 4), next: ids(1, 0) });
    expect(await ask(2, "series")).toEqual({ previous: ids(3), next: ids(1) });
    expect(await ask(1, "b", 5)).toEqual({ previous: ids(2, 3), next: [] });
  });

  it("are those among all posts without a search", async () => {
    expect(await ask(2, null)).toEqual({ previous: ids(3), next: ids(1) });
  });

  it("follow the order of the search, and are empty if the search does not find the post", async () => {
    expect(await ask(2, "series order:id", 5)).toEqual({ previous: ids(1, 0), next: ids(3, 4) });
    expect(await ask(0, "series order:id", 5)).toEqual({ previous: [], next: ids(1, 2, 3, 4) });
    expect(await ask(0, "c order:id", 5)).toEqual({ previous: [], next: [] });
  });

  it("follow a pool to its end, however long it is", async () => {
    const [first, second, third] = posts.map(({ id }) => id);
    const model = await test.make.post("page");
    const more = await copyPost(test, model.id, 250);
    const order = [third, ...more, second, first].join(" ");
    const { json } = await user.client.post("/pools.json", {
      pool: { name: "long", description: "of many pages", category: "series", post_ids: order },
    });
    const last = more.slice(-2).map((id) => ({ id }));
    expect(await ask(1, `ordpool:${json.id}`, 2)).toEqual({ previous: last.toReversed(), next: ids(0) });
    expect(await ask(2, `ordpool:${json.id}`, 1)).toEqual({ previous: [], next: [{ id: more[0] }] });
    expect(await ask(4, `ordpool:${json.id}`, 1)).toEqual({ previous: [], next: [] });
  });

  it("424 for an invalid search", async () => {
    const many = Array.from({ length: 60 }, (_, index) => `t${index}`).join(" ");
    expect(await ask(0, many)).toMatchObject({ status: 424 });
  });

  it("cost as much as searches", async () => {
    const { json } = await test.anonymous.graphql("{ posts(first: 100) { nodes { postsAfter(first: 10) { id } } } }");
    expect(json.errors[0].message).toMatch(/costly/);
  });
});

describe("tags of a page of posts", () => {
  it("are the most frequent ones on its posts, with counts", async () => {
    const { json } = await test.anonymous.graphql(
      '{ posts(tags: "series") { tags(first: 2) { pagePostCount tag { name postCount } } } }',
    );
    const [first, second] = json.data.posts.tags;
    expect(json.data.posts.tags).toHaveLength(2);
    expect([first.pagePostCount, second.pagePostCount]).toEqual([5, 5]);
    const all = await test.anonymous.graphql(
      '{ posts(tags: "series") { tags(first: 100) { pagePostCount tag { name } } } }',
    );
    const byName = new Map(
      (all.json.data.posts.tags as { pagePostCount: number; tag: { name: string } }[]).map(({ tag, pagePostCount }) => [
        tag.name,
        pagePostCount,
      ]),
    );
    expect(["series", "a", "b", "c", "number_1"].map((name) => byName.get(name))).toEqual([5, 3, 3, 2, 1]);
  });

  it("are current after any write, however often they were read", async () => {
    const { id } = await test.make.post("counted_anew");
    const ask = async () => {
      const { json } = await test.anonymous.graphql(
        '{ posts(tags: "counted_anew", page: "a0") { tags { tag { name postCount isDeprecated } } } }',
      );
      const tags = (json.data.posts.tags as { tag: { name: string } }[]).map(({ tag }) => tag);
      return tags.find(({ name }) => name === "counted_anew");
    };
    const written = { name: "counted_anew", isDeprecated: false };
    for (let count = 1; count <= 4; count += 1) {
      for (let times = 0; times < 3; times += 1) expect(await ask()).toEqual({ ...written, postCount: count });
      await test.make.post("counted_anew");
    }
    const { client } = await test.make.user();
    await client.put(`/posts/${id}.json`, { post: { tag_string: "other_counted" } });
    expect(await ask()).toEqual({ ...written, postCount: 4 });
    const { database } = test.board;
    await database.execute(sql`UPDATE tags SET is_deprecated = TRUE WHERE name = 'counted_anew'`);
    expect(await ask()).toEqual({ ...written, postCount: 4, isDeprecated: true });
    const uncommitted = test.board.transact(async (db) => {
      await db.execute(sql`UPDATE tags SET post_count = 100 WHERE name = 'counted_anew'`);
      expect(await ask()).toEqual({ ...written, postCount: 4, isDeprecated: true });
    });
    await uncommitted;
    expect(await ask()).toEqual({ ...written, postCount: 100, isDeprecated: true });
  });

  it("cost at least a point each", async () => {
    const costOf = async (tags: string) =>
      (await test.anonymous.graphql(`{ posts(first: 20) { nodes { id } ${tags} } }`)).json.extensions.cost
        .requested as number;
    const without = await costOf("");
    expect((await costOf("tags(first: 100) { pagePostCount tag { name } }")) - without).toBeGreaterThanOrEqual(300);
    expect((await costOf("tags(first: 10) { pagePostCount }")) - without).toBeGreaterThanOrEqual(10);
  });

  it("are of this page only, and empty for an empty page", async () => {
    const ask = async (tags: string) =>
      (await test.anonymous.graphql(`{ posts(tags: "${tags}", first: 1) { tags { pagePostCount } } }`)).json.data.posts
        .tags;
    expect(new Set((await ask("series")).map(({ pagePostCount }: { pagePostCount: number }) => pagePostCount))).toEqual(
      new Set([1]),
    );
    expect(await ask("nothing_of_this")).toEqual([]);
  });
});
