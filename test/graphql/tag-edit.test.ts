/** Previews of tag edits; and what an edit changed, compared with the version before it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TAG_STRING_MAX } from "../../src/tagging/tag-string.js";
import { startBoard, statementsOf, type TestBoard } from "../support/board.js";
import type { TestPost, TestUser } from "../support/factory.js";

let test: TestBoard;
let user: TestUser;
let post: TestPost;
beforeAll(async () => {
  test = await startBoard({ TAGS_PER_POST: "10" });
  user = await test.make.user("Member");
  post = await test.make.post("harbour boat");
  await test.make.post("vessel");
  const relation = { status: "active", creatorId: user.id };
  const { tagAlias, tagImplication } = test.board.database;
  await tagAlias.create({ data: { ...relation, antecedentName: "ship", consequentName: "vessel" } });
  await tagImplication.createMany({
    data: [
      { ...relation, antecedentName: "lighthouse", consequentName: "building" },
      { ...relation, antecedentName: "building", consequentName: "architecture" },
    ],
  });
});
afterAll(() => test[Symbol.asyncDispose]());

const CHANGE = "{ name category postCount isDeprecated aliasOf impliedBy }";
const QUERY = `query ($postId: Int, $tagString: String!, $old: String) {
  tagEdit(postId: $postId, tagString: $tagString, oldTagString: $old) { added ${CHANGE} removed { name } problems }
}`;
interface Given {
  postId?: number | null;
  old?: string | null;
}
const ask = async (tagString: string, { postId = post.id, old = null }: Given = {}) =>
  (await test.anonymous.graphql(QUERY, { postId, tagString, old })).json;

describe("tagEdit", () => {
  it("leaves a turn of the event loop for everything else after each of many long previews", async () => {
    let [turns, isOver] = [0, false];
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const tagString = Array.from({ length: 2_000 }, (_, index) => `tag_${index}`).join(" ");
    const oldTagString = "a".repeat(TAG_STRING_MAX + 1); // refused before any statement, for which it would have to wait
    const plan = () => test.board.tagEdits.plan({ postId: null, tagString, oldTagString });
    const plans = await Promise.all(Array.from({ length: 20 }, plan));
    isOver = true;
    expect(plans.every(({ problems }) => problems.length === 1)).toBe(true);
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it("reports aliases, implications (also indirect ones), new tags and removed ones", async () => {
    const { data } = await ask("boat ship lighthouse artist:somebody");
    const change = { category: "GENERAL", postCount: 0, isDeprecated: false, aliasOf: null, impliedBy: null };
    expect(data.tagEdit).toEqual({
      added: [
        { ...change, name: "architecture", impliedBy: "building" },
        { ...change, name: "building", impliedBy: "lighthouse" },
        { ...change, name: "lighthouse" },
        { ...change, name: "somebody", category: "ARTIST" },
        { ...change, name: "vessel", postCount: 1, aliasOf: "ship" },
      ],
      removed: [{ name: "harbour" }],
      problems: [],
    });
  });

  it("accepts as many tags as a post may have, implied ones included", async () => {
    const outcome = async (tagString: string) => {
      const { added, problems } = (await ask(tagString, { postId: null })).data.tagEdit;
      return [(added as unknown[]).length, problems];
    };
    const words = (count: number) => Array.from({ length: count }, (_, index) => `word_${index}`).join(" ");
    const tooMany = [0, ["tag_string has more than 10 tags"]];
    expect([await outcome(words(10)), await outcome(words(11))]).toEqual([[10, []], tooMany]);
    const implying = async (count: number) => outcome(`${words(count)} lighthouse`);
    expect([await implying(7), await implying(8)]).toEqual([[10, []], tooMany]);
  });

  it("reports which existing tags are deprecated", async () => {
    await test.board.database.tag.create({ data: { name: "seaside", isDeprecated: true } });
    const added = (await ask("harbour boat seaside vessel")).data.tagEdit.added as { name: string }[];
    expect(added).toMatchObject([
      { name: "seaside", isDeprecated: true },
      { name: "vessel", isDeprecated: false },
    ]);
  });

  it("predicts what saving does", async () => {
    const other = await test.make.post("harbour boat");
    const tagString = "ship lighthouse -boat";
    const names = (list: { name: string }[]) => list.map(({ name }) => name);
    const { data } = await ask(tagString, { postId: other.id });
    const version = `{ post { versions(first: 1) { addedTags removedTags } } }`;
    const { json } = await user.client.graphql(
      `mutation ($input: UpdatePostInput!) { updatePost(input: $input) ${version} }`,
      { input: { id: other.id, tagString } },
    );
    const [{ addedTags, removedTags }] = json.data.updatePost.post.versions;
    expect([addedTags, removedTags]).toEqual([names(data.tagEdit.added), names(data.tagEdit.removed)]);
  });

  it("keeps changes that others have made since", async () => {
    const { data } = await ask("harbour sea", { old: "harbour" });
    expect(data.tagEdit.added.map(({ name }: { name: string }) => name)).toEqual(["sea"]);
    expect(data.tagEdit.removed).toEqual([]);
  });

  it("reports the tags of a post that does not exist yet, without those that depend on its file", async () => {
    const { data } = await ask("ship", { postId: null });
    expect(data.tagEdit.added.map(({ name }: { name: string }) => name)).toEqual(["vessel"]);
  });

  it("reports each error in a sentence of its own", async () => {
    const { data } = await ask("boat (a and");
    expect(data.tagEdit.problems).toEqual([
      'tag_string has "(a", which begins with a parenthesis',
      'tag_string has "and", which is a reserved word',
    ]);
  });

  it("reports the errors that updatePost would return", async () => {
    const tagString = Array.from({ length: 12 }, (_, index) => `tag_${index}`).join(" ");
    const { data } = await ask(tagString);
    const input = { id: post.id, tagString };
    const refused = await user.client.graphql(
      "mutation ($input: UpdatePostInput!) { updatePost(input: $input) { post { id } } }",
      { input },
    );
    expect(data.tagEdit).toEqual({ added: [], removed: [], problems: [refused.json.errors[0].extensions.reason] });
  });

  it("changes nothing, and is null with 404 for an unknown post", async () => {
    const before = (await test.anonymous.get(`/posts/${post.id}.json`)).text;
    await ask("something_new");
    expect((await test.anonymous.get(`/posts/${post.id}.json`)).text).toBe(before);
    expect((await test.anonymous.get("/tags.json?search[name]=something_new")).json).toEqual([]);
    expect((await ask("x", { postId: 999_999 })).errors[0].extensions.status).toBe(404);
  });

  it("takes as few statements for many tags as for one", async () => {
    const statements = async (tagString: string) => {
      const { headers } = await test.anonymous.graphql(QUERY, { postId: post.id, tagString });
      return statementsOf(test, headers.get("x-request-id"));
    };
    const [one, many] = [await statements("ship"), await statements("ship lighthouse boat a b c")];
    expect(many).toBeLessThanOrEqual(one + 1); // that implications are there is asked where there are any
    expect(many).toBeLessThanOrEqual(8);
  });

  it("is bounded, and costs what it may return", async () => {
    const cost = async (first: number) =>
      (await test.anonymous.graphql(`{ tagEdit(tagString: "a") { added(first: ${first}) { name } } }`)).json.extensions
        .cost.requested as number;
    expect([await cost(1), await cost(100)]).toEqual([53, 251]);
    const many = (await test.anonymous.graphql(`{ tagEdit(tagString: "a b c") { added(first: 2) { name } } }`)).json;
    expect(many.data.tagEdit.added).toEqual([{ name: "a" }, { name: "b" }]);
  });
});

describe("previous", () => {
  it("is the preceding version of a post, note, pool or wiki page; null for the first", async () => {
    const edit = (path: string, body: object) => user.client.put(path, body as never);
    const noted = await user.client.post("/notes.json", {
      note: { post_id: post.id, x: 1, y: 1, width: 9, height: 9, body: "one" },
    });
    const other = await test.make.user("Member");
    await other.client.put(`/notes/${noted.json.id}.json`, { note: { body: "two" } });
    await user.client.put(`/notes/${noted.json.id}.json`, { note: { body: "three" } });
    const note = await test.anonymous.graphql(
      `{ noteVersions(search: { noteId: [${noted.json.id}] }) { nodes { body previous { body previous { body previous { id } } } } } }`,
    );
    expect(note.json.data.noteVersions.nodes[0]).toEqual({
      body: "three",
      previous: { body: "two", previous: { body: "one", previous: null } },
    });
    const third = await test.make.post("one two");
    await edit(`/posts/${third.id}.json`, { post: { rating: "q" } });
    const versions = await test.anonymous.graphql(
      `{ postVersions(search: { postId: [${third.id}] }) { nodes { rating previous { rating } } } }`,
    );
    expect(versions.json.data.postVersions.nodes).toEqual([
      { rating: "QUESTIONABLE", previous: { rating: "SAFE" } },
      { rating: "SAFE", previous: null },
    ]);
  });

  it("takes the same number of statements for one version and for many", async () => {
    const { id } = await test.make.post("one two");
    for (const rating of ["q", "e", "s", "q"])
      await (await test.make.user()).client.put(`/posts/${id}.json`, { post: { rating } });
    const listed = `query($first: Int) { postVersions(search: { postId: [${id}] }, first: $first) {
      nodes { rating previous { rating } } } }`;
    const statements = async (first: number) => {
      const { headers, json } = await test.anonymous.graphql(listed, { first });
      expect(json.data.postVersions.nodes).toHaveLength(first);
      return statementsOf(test, headers.get("x-request-id"));
    };
    expect([await statements(1), await statements(5)]).toEqual([3, 3]);
  });
});

describe("viewerVote of a comment", () => {
  it("is the viewer's own vote", async () => {
    const { json } = await user.client.post("/comments.json", { comment: { post_id: post.id, body: "text" } });
    const other = await test.make.user("Member");
    const { json: voted } = await other.client.graphql(
      `mutation { createCommentVote(input: { commentId: ${json.id}, score: UP }) { comment { score viewerVote } } }`,
    );
    expect(voted.data.createCommentVote.comment).toEqual({ score: 1, viewerVote: "UP" });
    for (const client of [user.client, test.anonymous])
      expect((await client.graphql(`{ comment(id: ${json.id}) { viewerVote } }`)).json.data.comment.viewerVote).toBe(
        null,
      );
  });
});
