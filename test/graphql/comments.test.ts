import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, statementsOf, type TestBoard } from "../support/board.js";
import type { TestPost, TestUser } from "../support/factory.js";

let test: TestBoard;
let writer: TestUser;
let janitor: TestUser;
let post: TestPost;
beforeAll(async () => {
  test = await startBoard();
  writer = await test.make.user();
  janitor = await test.make.user("Janitor");
  post = await test.make.post("sea");
});
afterAll(() => test[Symbol.asyncDispose]());

const CREATE = `mutation($input: CreateCommentInput!) {
  createComment(input: $input) {
    comment { id body creator { name } updater { id } post { id } viewerCan { update delete undelete vote } }
  }
}`;
async function create(body: string, on = post): Promise<number> {
  const { json } = await writer.client.graphql(CREATE, { input: { postId: on.id, body } });
  return json.data.createComment.comment.id as number;
}

describe("comments", () => {
  it("are written, with what the viewer may do", async () => {
    const { json } = await writer.client.graphql(CREATE, { input: { postId: post.id, body: "Hm" } });
    expect(json.data.createComment.comment).toEqual({
      id: expect.any(Number),
      body: "Hm",
      creator: { name: writer.name },
      updater: null,
      post: { id: post.id },
      viewerCan: { update: true, delete: true, undelete: false, vote: true },
    });
  });

  it("fail with the codes of the table of failures", async () => {
    const blank = await writer.client.graphql(CREATE, { input: { postId: post.id, body: " " } });
    const visitor = await test.anonymous.graphql(CREATE, { input: { postId: post.id, body: "x" } });
    expect(blank.json.errors[0].extensions).toMatchObject({
      code: "INVALID_PARAMETERS",
      status: 424,
      field: "input.body",
    });
    expect(visitor.json.errors[0].extensions).toMatchObject({ code: "FORBIDDEN", status: 403 });
  });

  it("are edited, deleted, undeleted and voted on", async () => {
    const id = await create("first");
    const { json } = await janitor.client.graphql(
      `mutation($id: Int!) {
        updateComment(input: { id: $id, body: "second" }) { comment { body updater { name } } }
        deleteComment(input: { id: $id }) { comment { isDeleted body viewerCan { undelete vote } } }
        undeleteComment(input: { id: $id }) { comment { isDeleted } }
        createCommentVote(input: { commentId: $id, score: UP }) { vote { score } comment { score } }
        deleteCommentVote(input: { commentId: $id }) { vote { score } comment { score } }
      }`,
      { id },
    );
    expect(json.data).toEqual({
      updateComment: { comment: { body: "second", updater: { name: janitor.name } } },
      deleteComment: { comment: { isDeleted: true, body: "second", viewerCan: { undelete: true, vote: false } } },
      undeleteComment: { comment: { isDeleted: false } },
      createCommentVote: { vote: { score: 1 }, comment: { score: 1 } },
      deleteCommentVote: { vote: { score: 1 }, comment: { score: 0 } },
    });
  });
});

describe("Post.comments", () => {
  it("returns the newest comments of each post, oldest first, in one statement", async () => {
    const [one, two] = [await test.make.post("pair"), await test.make.post("pair")];
    for (const body of ["a", "b", "c"]) await create(body, one);
    const deleted = await create("d", two);
    await writer.client.graphql(`mutation { deleteComment(input: { id: ${deleted} }) { comment { id } } }`);
    await test.anonymous.graphql(`{ posts(tags: "pair") { nodes { id } } }`); // the process remembers the tag
    const answer = await test.anonymous.graphql(
      `{ posts(tags: "pair") { nodes { id last: comments(first: 2) { body creatorName } all: comments { body isDeleted } } } }`,
    );
    const written = (body: string) => ({ body, creatorName: writer.name });
    expect(answer.json.data.posts.nodes).toEqual([
      { id: two.id, last: [{ body: "", creatorName: writer.name }], all: [{ body: "", isDeleted: true }] },
      {
        id: one.id,
        last: [written("b"), written("c")],
        all: ["a", "b", "c"].map((body) => ({ body, isDeleted: false })),
      },
    ]);
    // the posts, the comments
    expect(await statementsOf(test, answer.headers.get("x-request-id"))).toBe(2);
  });

  it("costs what it may return", async () => {
    const { json } = await test.anonymous.graphql("{ posts(first: 100) { nodes { comments(first: 100) { body } } } }");
    expect(json.errors[0].extensions.code).toBe("INVALID_PARAMETERS");
  });
});

describe("commentedPosts and notedPosts", () => {
  it("list posts by their newest comment and note, with counts", async () => {
    const noted = await test.make.post("noted");
    await writer.client.post("/notes.json", {
      note: { post_id: noted.id, x: 0, y: 0, width: 1, height: 1, body: "x" },
    });
    await create("bump", noted);
    const { json } = await test.anonymous.graphql(`{
      commentedPosts(tags: "noted", search: { bodyMatches: "bump" }) { totalCount nodes { id } }
      notedPosts { totalCount nodes { id } }
    }`);
    const one = { totalCount: 1, nodes: [{ id: noted.id }] };
    expect(json.data).toEqual({ commentedPosts: one, notedPosts: one });
  });
});
