/** Edits, reverts and votes through POST /graphql, by the rules of the REST interface. Pictures of tests are small, hence `lowres`. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let member: TestUser;
beforeAll(async () => {
  test = await startBoard();
  member = await test.make.user();
});
afterAll(() => test[Symbol.asyncDispose]());

/** What a refusal may not touch. */
const stateOf = async (id: number) => {
  const { database } = test.board;
  const { updatedAt: _, ...post } = await database.post.findUniqueOrThrow({ where: { id } });
  const versions = await database.postVersion.count({ where: { postId: id } });
  const votes = await database.postVote.count({ where: { postId: id } });
  return { post, versions, votes };
};

const UPDATE = `mutation($input: UpdatePostInput!) {
  updatePost(input: $input) { post { id tagString rating source parentId isRatingLocked isNoteLocked isStatusLocked } }
}`;
const REVERT = `mutation($input: RevertPostInput!) { revertPost(input: $input) { post { tagString source rating } } }`;
const VOTE = `mutation($input: CreatePostVoteInput!) {
  createPostVote(input: $input) { vote { userId postId score } post { score upScore downScore } }
}`;
const UNVOTE = `mutation($input: DeletePostVoteInput!) {
  deletePostVote(input: $input) { vote { score } post { score upScore downScore } }
}`;

const send = (client: Client, document: string, input: object): Promise<Answer> => client.graphql(document, { input });

async function update(client: Client, input: object) {
  const { json } = await send(client, UPDATE, input);
  expect(json.errors).toBeUndefined();
  return json.data.updatePost.post as Record<string, unknown>;
}

/** Refused, with these extensions, and nothing of the post has changed. */
async function expectRefused(id: number, request: () => Promise<Answer>, extensions: object): Promise<void> {
  const before = await stateOf(id);
  const { status, json } = await request();
  expect([
    status,
    Object.values(json.data as object),
    json.errors.map((error: { extensions: object }) => error.extensions),
  ]).toEqual([200, [null], [extensions]]);
  expect(await stateOf(id)).toEqual(before);
}

const forbidden = (reason: string) => ({ code: "FORBIDDEN", status: 403, reason });
const NOT_FOUND = { code: "NOT_FOUND", status: 404, reason: "not found" };

describe("updatePost", () => {
  it("changes given fields and keeps absent ones", async () => {
    const { id } = await test.make.post("one two", { source: "a book" });
    expect(await update(member.client, { id, tagString: "two three", rating: "EXPLICIT" })).toEqual({
      id,
      tagString: "lowres three two",
      rating: "EXPLICIT",
      source: "a book",
      parentId: null,
      isRatingLocked: false,
      isNoteLocked: false,
      isStatusLocked: false,
    });
  });

  it("clears the parent by null, and keeps it if absent", async () => {
    const parent = await test.make.post();
    const { id } = await test.make.post("a_child", { parent_id: parent.id });
    expect(await update(member.client, { id, tagString: "a_child_still" })).toMatchObject({ parentId: parent.id });
    expect(await update(member.client, { id, parentId: null })).toMatchObject({ parentId: null });
    const { hasChildren } = await test.board.database.post.findUniqueOrThrow({ where: { id: parent.id } });
    expect(hasChildren).toBe(false);
  });

  it("treats null as absent in all other fields", async () => {
    const { id } = await test.make.post("kept", { source: "kept too" });
    const nothing = { tagString: null, rating: null, source: null, isNoteLocked: null };
    expect(await update(member.client, { id, ...nothing })).toMatchObject({
      tagString: "kept lowres",
      source: "kept too",
    });
    expect((await stateOf(id)).versions).toBe(1);
  });

  it("merges with others' changes since", async () => {
    const { id } = await test.make.post("a b c d");
    const edited = await update(member.client, { id, tagString: "a b e", oldTagString: "a b c" });
    expect(edited.tagString).toBe("a b d e lowres");
  });

  it("sets locks for Builders, and ignores locks from others", async () => {
    const { id } = await test.make.post();
    const builder = await test.make.user("Builder");
    expect(await update(member.client, { id, isNoteLocked: true })).toMatchObject({ isNoteLocked: false });
    expect(await update(builder.client, { id, isNoteLocked: true, isStatusLocked: true })).toMatchObject({
      isNoteLocked: true,
      isStatusLocked: false,
    });
  });

  it("is refused to visitors, banned and restricted users", async () => {
    const { id } = await test.make.post();
    const banned = await test.make.user();
    await test.board.database.user.update({ where: { id: banned.id }, data: { isBanned: true } });
    const restricted = await test.make.user("Restricted");
    const request = (client: Client) => () => send(client, UPDATE, { id, tagString: "changed" });
    await expectRefused(id, request(test.anonymous), forbidden("login required"));
    await expectRefused(id, request(banned.client), forbidden("your account is banned"));
    await expectRefused(id, request(restricted.client), forbidden("access denied"));
  });

  it("is refused for an invalid record, naming the field", async () => {
    const { id } = await test.make.post();
    await expectRefused(id, () => send(member.client, UPDATE, { id, parentId: id }), {
      code: "INVALID_RECORD",
      status: 420,
      reason: "parent can't be the post itself",
      field: "input.parentId",
      fields: { "input.parentId": ["can't be the post itself"] },
    });
  });

  it("is refused if the rating is locked", async () => {
    const { id } = await test.make.post();
    await test.board.database.post.update({ where: { id }, data: { isRatingLocked: true } });
    const refusal = { code: "LOCKED", status: 422, reason: "rating is locked" };
    await expectRefused(id, () => send(member.client, UPDATE, { id, rating: "EXPLICIT", tagString: "other" }), refusal);
  });

  it("is refused for an unknown post", async () => {
    const { json } = await send(member.client, UPDATE, { id: 2_000_000_000, tagString: "x" });
    expect([json.data, json.errors[0].extensions]).toEqual([{ updatePost: null }, NOT_FOUND]);
  });
});

describe("revertPost", () => {
  it("restores tags, rating and source, as a new version", async () => {
    const { id } = await test.make.post("before", { source: "old" });
    const [first] = await test.board.database.postVersion.findMany({ where: { postId: id } });
    await update(member.client, { id, tagString: "after", source: "new", rating: "EXPLICIT" });
    const { json } = await send(member.client, REVERT, { id, versionId: first?.id });
    expect(json.data.revertPost.post).toEqual({ tagString: "before lowres", source: "old", rating: "SAFE" });
    expect((await stateOf(id)).versions).toBe(3);
  });

  it("is refused for a version of another post, and to visitors", async () => {
    const [one, other] = [await test.make.post(), await test.make.post()];
    const version = await test.board.database.postVersion.findFirstOrThrow({ where: { postId: other.id } });
    const input = { id: one.id, versionId: version.id };
    await expectRefused(one.id, () => send(member.client, REVERT, input), NOT_FOUND);
    await expectRefused(one.id, () => send(test.anonymous, REVERT, input), forbidden("login required"));
  });
});

describe("votes", () => {
  it("count at once, and can be removed", async () => {
    const { id: postId } = await test.make.post();
    const up = await send(member.client, VOTE, { postId, score: "UP" });
    expect(up.json.data.createPostVote).toEqual({
      vote: { userId: member.id, postId, score: 1 },
      post: { score: 1, upScore: 1, downScore: 0 },
    });
    const back = await send(member.client, UNVOTE, { postId });
    expect(back.json.data.deletePostVote).toEqual({
      vote: { score: 1 },
      post: { score: 0, upScore: 0, downScore: 0 },
    });
  });

  it("of one request run one after the other", async () => {
    const { id } = await test.make.post();
    const { json } = await member.client.graphql(
      `mutation($id: Int!) {
        up: createPostVote(input: { postId: $id, score: UP }) { post { score } }
        back: deletePostVote(input: { postId: $id }) { post { score } }
        down: createPostVote(input: { postId: $id, score: DOWN }) { post { score downScore } }
      }`,
      { id },
    );
    expect(json.data).toEqual({
      up: { post: { score: 1 } },
      back: { post: { score: 0 } },
      down: { post: { score: -1, downScore: -1 } },
    });
  });

  it("are refused a second time, in either direction", async () => {
    const { id: postId } = await test.make.post();
    await send(member.client, VOTE, { postId, score: "DOWN" });
    const refusal = { code: "ALREADY_EXISTS", status: 423, reason: "already voted" };
    await expectRefused(postId, () => send(member.client, VOTE, { postId, score: "UP" }), refusal);
  });

  it("are refused to visitors, and a missing one can't be removed", async () => {
    const { id: postId } = await test.make.post();
    await expectRefused(postId, () => send(test.anonymous, VOTE, { postId, score: "UP" }), forbidden("login required"));
    await expectRefused(postId, () => send(member.client, UNVOTE, { postId }), NOT_FOUND);
  });
});
