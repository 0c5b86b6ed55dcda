import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, statementsOf, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let member: TestUser;
let admin: TestUser;
beforeAll(async () => {
  test = await startBoard();
  member = await test.make.user();
  admin = await test.make.user("Admin");
});
afterAll(() => test[Symbol.asyncDispose]());

const CREATE = `mutation ($input: CreateArtistInput!) {
  createArtist(input: $input) { artist {
    id name otherNames urlString isDeleted tag { name category postCount } creator { name }
    viewerCan { update rename delete ban }
  } }
}`;

describe("artists", () => {
  it("are created, edited, banned and reverted", async () => {
    const input = { name: "bob", otherNames: ["b", "Bobby Tables"], urlString: "http://bob.example" };
    const { json } = await member.client.graphql(CREATE, { input });
    const { artist } = json.data.createArtist;
    expect(artist).toEqual({
      id: artist.id,
      name: "bob",
      otherNames: ["b", "Bobby_Tables"],
      urlString: "http://bob.example",
      isDeleted: false,
      tag: { name: "bob", category: "ARTIST", postCount: 0 },
      creator: { name: member.name },
      viewerCan: { update: true, rename: true, delete: false, ban: false },
    });
    const changes = await admin.client.graphql(
      `mutation ($id: Int!) {
        update: updateArtist(input: { id: $id, otherNames: null, urlString: "-http://bob.example" }) {
          artist { otherNames urls { url isActive } }
        }
        again: updateArtist(input: { id: $id, urlString: "" }) { artist { urls { url } } }
        ban: banArtist(input: { id: $id }) { artist { isBanned viewerCan { rename } } }
        unban: unbanArtist(input: { id: $id }) { artist { isBanned } }
        delete: deleteArtist(input: { id: $id }) { artist { isActive } }
        undelete: undeleteArtist(input: { id: $id }) { artist { isActive } }
      }`,
      { id: artist.id },
    );
    expect(changes.json.data).toEqual({
      update: { artist: { otherNames: [], urls: [{ url: "http://bob.example", isActive: false }] } },
      again: { artist: { urls: [] } },
      ban: { artist: { isBanned: true, viewerCan: { rename: true } } },
      unban: { artist: { isBanned: false } },
      delete: { artist: { isActive: false } },
      undelete: { artist: { isActive: true } },
    });
    const versions = await test.anonymous.graphql(
      `query ($id: [Int!]) { artistVersions(search: { artistId: $id }) { totalCount nodes { id version urls artist { name } } } }`,
      { id: [artist.id] },
    );
    const { totalCount, nodes } = versions.json.data.artistVersions;
    expect([totalCount, nodes.at(-1)]).toEqual([
      7,
      { id: expect.any(Number), version: 1, urls: ["http://bob.example"], artist: { name: "bob" } },
    ]);
    const reverted = await member.client.graphql(
      `mutation ($input: RevertArtistInput!) { revertArtist(input: $input) { artist { otherNames urlString } } }`,
      { input: { id: artist.id, versionId: nodes.at(-1).id } },
    );
    expect(reverted.json.data.revertArtist.artist).toEqual({
      otherNames: ["b", "Bobby_Tables"],
      urlString: "http://bob.example",
    });
  });

  it("refuse with the same codes and reasons as REST", async () => {
    const taken = await member.client.graphql(CREATE, { input: { name: "Bob" } });
    const invalid = await member.client.graphql(CREATE, { input: { name: "*" } });
    const visitor = await test.anonymous.graphql(CREATE, { input: { name: "x" } });
    const low = await member.client.graphql(`mutation { banArtist(input: { id: 1 }) { artist { id } } }`);
    expect([taken, invalid, visitor, low].map(({ json }) => json.errors[0].extensions)).toMatchObject([
      { code: "ALREADY_EXISTS", status: 423, reason: "name is already taken" },
      { code: "INVALID_RECORD", status: 420, reason: "name is invalid" },
      { code: "FORBIDDEN", status: 403, reason: "login required" },
      { code: "FORBIDDEN", status: 403, reason: "access denied" },
    ]);
  });

  it("are listed with URLs and tags in the same number of statements for many as for one", async () => {
    for (const name of ["one", "two", "three"]) {
      await member.client.graphql(CREATE, { input: { name, urlString: `http://${name}.example` } });
    }
    const list = (first: number) =>
      test.anonymous.graphql(
        `query ($first: Int) { artists(first: $first, search: { order: NAME }) {
          nodes { name urls { url } tag { name } } pageInfo { hasNextPage } } }`,
        { first },
      );
    const [one, many] = [await list(1), await list(3)];
    expect(one.json.data.artists).toEqual({
      nodes: [{ name: "bob", urls: [{ url: "http://bob.example" }], tag: { name: "bob" } }],
      pageInfo: { hasNextPage: true },
    });
    const counts = [one, many].map((answer) => statementsOf(test, answer.headers.get("x-request-id")));
    expect(await Promise.all(counts)).toEqual([3, 3]);
  });
});

describe("commentaries", () => {
  it("are written, reverted, and read with their posts by one additional statement", async () => {
    const posts = [await test.make.post("with_words"), await test.make.post("with_words")];
    for (const { id } of posts) {
      const { json } = await member.client.graphql(
        `mutation ($input: CreateOrUpdateArtistCommentaryInput!) {
          createOrUpdateArtistCommentary(input: $input) {
            artistCommentary { postId originalTitle translatedTitle post { id } viewerCan { update } } } }`,
        { input: { postId: id, originalTitle: "海" } },
      );
      expect(json.data.createOrUpdateArtistCommentary.artistCommentary).toEqual({
        postId: id,
        originalTitle: "海",
        translatedTitle: "",
        post: { id },
        viewerCan: { update: true },
      });
    }
    await test.make.post("with_words");
    await test.anonymous.graphql(`{ posts(tags: "with_words") { nodes { id } } }`); // the process remembers the tag
    const read = await test.anonymous.graphql(
      `{ posts(tags: "with_words") { nodes { artistCommentary { originalTitle } } } }`,
    );
    expect(read.json.data.posts.nodes).toEqual([
      { artistCommentary: null },
      { artistCommentary: { originalTitle: "海" } },
      { artistCommentary: { originalTitle: "海" } },
    ]);
    const plain = await test.anonymous.graphql(`{ posts(tags: "with_words") { nodes { id } } }`);
    const counts = [read, plain].map((answer) => statementsOf(test, answer.headers.get("x-request-id")));
    const [withTexts = 0, without = 0] = await Promise.all(counts);
    expect(withTexts - without).toBe(1);
  });
});
