/** Related records of posts in one query: one statement for each kind, however many posts there are. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, statementsOf, type TestBoard, UNCOUNTED } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { pictureNote } from "../support/notes.js";

const POSTS = 100;

let test: TestBoard;
let admin: TestUser;
let open: TestUser;
let secret: TestUser;
let posts: TestPost[];

beforeAll(async () => {
  test = await startBoard({ GRAPHQL_MAX_COMPLEXITY: "1000000", ...UNCOUNTED });
  admin = await test.make.user("Admin");
  [open, secret] = [await test.make.user(), await test.make.user()];
  const uploader = await test.make.user("Contributor");
  posts = [];
  for (let count = 0; count < POSTS; count += 1) posts.push(await test.make.post("nested", {}, uploader));
  await belongings(posts.map(({ id }) => id));
});
afterAll(() => test?.[Symbol.asyncDispose]());

/** Two notes of two versions, a comment, a pool, a commentary and the favorites of two users for each post. */
async function belongings(postIds: number[]): Promise<void> {
  const { database } = test.board;
  const by = { creatorId: open.id };
  for (const postId of postIds) {
    await database.comment.create({ data: { postId, ...by, body: `on ${postId}` } });
    await database.artistCommentary.create({ data: { postId, originalTitle: `title ${postId}` } });
    await database.pool.create({ data: { name: `pool_${postId}`, ...by, postIds: [postId], postCount: 1 } });
    for (const userId of [open.id, secret.id]) await database.favorite.create({ data: { postId, userId } });
    for (const body of ["first", "second"]) await pictureNote(database, { postId, body, userId: open.id, versions: 2 });
  }
  await database.user.update({ where: { id: secret.id }, data: { enablePrivateFavorites: true } });
}

const NESTED = `query Nested($first: Int!, $of: Int) {
  posts(tags: "nested", first: $first) { nodes {
    id uploader { name } comments(first: $of) { body } pools { name } artistCommentary { originalTitle }
    notes(first: $of) { body versions(first: $of) { version } }
    versions(first: $of) { version addedTags } favoritedBy(first: $of) { name }
  } }
}`;

const nested = async (client: Client, first: number, of = 20): Promise<Answer> => {
  const answer = await client.graphql(NESTED, { first, of });
  expect(answer.json.errors).toBeUndefined();
  return answer;
};

describe("posts with their related records", () => {
  /**
   * The posts; users, comments, pools (which, and they themselves), commentaries, notes, their
   * versions, the posts' versions and their tags, favorites, and the users of these.
   */
  const BUDGET = 12;

  it("take the same number of statements for 1, 20 and 100 posts", async () => {
    await nested(test.anonymous, POSTS); // the process remembers tags that it has met
    const counts = [];
    for (const first of [1, 20, POSTS]) {
      const answer = await nested(test.anonymous, first);
      expect(answer.json.data.posts.nodes).toHaveLength(first);
      counts.push(await statementsOf(test, answer.headers.get("x-request-id")));
    }
    expect(counts).toEqual([BUDGET, BUDGET, BUDGET]);
  });

  it("each have their own, newest first", async () => {
    const { json } = await nested(test.anonymous, POSTS);
    const newest = posts.toReversed();
    expect(json.data.posts.nodes).toEqual(
      newest.map(({ id, uploader }) => ({
        id,
        uploader: { name: uploader.name },
        comments: [{ body: `on ${id}` }],
        pools: [{ name: `pool_${id}` }],
        artistCommentary: { originalTitle: `title ${id}` },
        notes: ["second", "first"].map((body) => ({ body, versions: [{ version: 2 }, { version: 1 }] })),
        versions: [{ version: 1, addedTags: ["lowres", "nested"] }],
        favoritedBy: [{ name: open.name }],
      })),
    );
  });

  it("have no more of each than requested", async () => {
    const { json } = await nested(test.anonymous, 2, 1);
    for (const { notes, versions } of json.data.posts.nodes) {
      expect(notes).toEqual([{ body: "second", versions: [{ version: 2 }] }]);
      expect(versions).toHaveLength(1);
    }
  });

  it("leave deleted notes out", async () => {
    const post = await test.make.post("alone");
    await pictureNote(test.board.database, { postId: post.id, body: "gone", userId: open.id, isActive: false });
    const { json } = await test.anonymous.graphql(`{ post(id: ${post.id}) { notes { body } } }`);
    expect(json.data.post).toEqual({ notes: [] });
  });
});

describe("Post.favoritedBy", () => {
  const names = async (client: Client): Promise<string[]> => {
    const { json } = await client.graphql(`{ post(id: ${posts[0]?.id}) { favoritedBy { name } } }`);
    return json.data.post.favoritedBy.map(({ name }: { name: string }) => name);
  };

  it("shows private favorites only to their user and to Admins", async () => {
    expect(await names(test.anonymous)).toEqual([open.name]);
    expect(await names(open.client)).toEqual([open.name]);
    expect(await names(secret.client)).toEqual([secret.name, open.name]);
    expect(await names(admin.client)).toEqual([secret.name, open.name]);
  });
});

describe("the cost of a query", () => {
  it("counts the maximum of each list, so that long lists within long lists are refused", async () => {
    await using strict = await startBoard();
    const cost = async (notes: number): Promise<Answer> =>
      strict.anonymous.graphql(
        `{ posts(first: 20) { nodes { notes(first: ${notes}) { versions(first: 100) { id } } } } }`,
      );
    expect((await cost(1)).json.errors).toBeUndefined();
    const { json } = await cost(100);
    expect(json.errors[0].message).toMatch(/too costly/);
  });
});
