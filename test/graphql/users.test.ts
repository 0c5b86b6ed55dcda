/** Users, tags and versions through POST /graphql: accounts, visibility of fields, and searches. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let alma: TestUser;
let bert: TestUser;
beforeAll(async () => {
  test = await startBoard();
  alma = await test.make.user("Contributor", "Alma_B");
  bert = await test.make.user("Member", "bert");
});
afterAll(() => test[Symbol.asyncDispose]());

const SIGN_UP = `mutation($input: CreateUserInput!) {
  createUser(input: $input) { user { id name level levelString settings { apiKey } } }
}`;
const signUp = (input: object): Promise<Answer> => test.anonymous.graphql(SIGN_UP, { input });

describe("createUser", () => {
  it("creates a Member and signs in", async () => {
    const answer = await signUp({ name: "Newcomer", password: "a good one", email: "new@example.org" });
    const { id, passwordHash, email } = await test.board.database.user.findFirstOrThrow({
      where: { name: "Newcomer" },
    });
    expect(answer.json.data.createUser.user).toEqual({
      id,
      name: "Newcomer",
      level: 20,
      levelString: "Member",
      settings: { apiKey: passwordHash },
    });
    expect([email, answer.headers.getSetCookie().length]).toEqual(["new@example.org", 1]);
    const { json } = await test.anonymous.as({ name: "newcomer", apiKey: passwordHash }).graphql("{ viewer { id } }");
    expect(json.data).toEqual({ viewer: { id } });
  });

  it("is refused for a name that is taken, in any case", async () => {
    const { json, headers } = await signUp({ name: "ALMA_B", password: "a good one" });
    expect([json.data, json.errors[0].extensions]).toEqual([
      { createUser: null },
      {
        code: "ALREADY_EXISTS",
        status: 423,
        reason: "name is already taken",
        field: "input.name",
        fields: { "input.name": ["is already taken"] },
      },
    ]);
    expect(headers.getSetCookie()).toEqual([]);
  });

  it("is refused with all errors", async () => {
    const before = await test.board.database.user.count();
    const { json } = await signUp({ name: "a b", password: "abc", passwordConfirmation: "abd" });
    expect(json.errors[0].extensions).toEqual({
      code: "INVALID_RECORD",
      status: 420,
      reason: "name is invalid, password is too short (at least 8 characters), password_confirmation does not match",
      field: "input.name",
      fields: {
        "input.name": ["is invalid"],
        "input.password": ["is too short (at least 8 characters)"],
        "input.passwordConfirmation": ["does not match"],
      },
    });
    expect(await test.board.database.user.count()).toBe(before);
  });
});

describe("viewer and profile", () => {
  const OWN = `{ viewer { name } profile { name settings { apiKey email perPage timeZone } activity { commentCount } } }`;

  it("are the viewer's account", async () => {
    const { json } = await bert.client.graphql(OWN);
    expect(json.data).toEqual({
      viewer: { name: "bert" },
      profile: {
        name: "bert",
        settings: { apiKey: bert.apiKey, email: null, perPage: 20, timeZone: "UTC" },
        activity: { commentCount: 0 },
      },
    });
  });

  it("are null and refused for visitors", async () => {
    expect((await test.anonymous.graphql("{ viewer { name } }")).json).toMatchObject({ data: { viewer: null } });
    const { json } = await test.anonymous.graphql("{ profile { name } }");
    expect([json.data, json.errors[0].extensions]).toEqual([
      null,
      { code: "FORBIDDEN", status: 403, reason: "login required" },
    ]);
  });
});

describe("settings", () => {
  const SETTINGS = `query($id: Int!) { user(id: $id) { name settings { apiKey email } } }`;
  const settings = async (client: Client, id: number) =>
    (await client.graphql(SETTINGS, { id })).json.data.user.settings as unknown;

  it("are visible only to the user", async () => {
    const admin = await test.make.user("Admin");
    expect(await settings(bert.client, bert.id)).toEqual({ apiKey: bert.apiKey, email: null });
    expect(await settings(test.anonymous, bert.id)).toBeNull();
    expect(await settings(admin.client, bert.id)).toBeNull();
  });

  it("are hidden from others on any path to the user", async () => {
    await test.make.post("found_by_bert", {}, alma);
    const { text } = await bert.client.graphql(
      `{ users { nodes { id settings { apiKey } } } posts { nodes { uploader { settings { apiKey } } } }
         postVersions { nodes { updater { settings { apiKey } } } } }`,
    );
    expect(text).toContain(bert.apiKey);
    expect(text).not.toContain(alma.apiKey);
  });
});

describe("user", () => {
  it("is found by id or by name, in any case", async () => {
    const { json } = await test.anonymous.graphql(
      `query($id: Int) { byId: user(id: $id) { name } byName: user(name: "alma b") { id canUploadFree canApprovePosts }
         nobody: user(name: "nobody") { id } neither: user { id } }`,
      { id: alma.id },
    );
    expect(json.data).toEqual({
      byId: { name: "Alma_B" },
      byName: { id: alma.id, canUploadFree: true, canApprovePosts: false },
      nobody: null,
      neither: null,
    });
  });
});

describe("users", () => {
  const names = async (search: object): Promise<string[]> => {
    const document = `query($search: UserSearch) { users(search: $search) { nodes { name } } }`;
    const { json } = await test.anonymous.graphql(document, { search });
    return (json.data.users.nodes as { name: string }[]).map((user) => user.name);
  };

  it("are searched by pattern, level and id, and ordered", async () => {
    expect(await names({ name: "ALMA*" })).toEqual(["Alma_B"]);
    expect(await names({ id: [alma.id, bert.id], order: "NAME" })).toEqual(["Alma_B", "bert"]);
    expect(await names({ id: [alma.id, bert.id] })).toEqual(["bert", "Alma_B"]);
    expect(await names({ minLevel: 33, maxLevel: 33 })).toEqual(["Alma_B"]);
    expect(await names({ level: 33, name: "b*" })).toEqual([]);
    expect(await names({ id: [] })).toEqual([]);
  });
});

describe("tags", () => {
  beforeAll(() => test.make.post("cherry clover artist:cleo").then(() => undefined));

  it("are searched by pattern and category, and ordered", async () => {
    const document = `query($search: TagSearch) { tags(search: $search) { nodes { name category postCount } totalCount } }`;
    const { json } = await test.anonymous.graphql(document, { search: { nameMatches: "cl*", order: "NAME" } });
    expect(json.data.tags).toEqual({
      nodes: [
        { name: "cleo", category: "ARTIST", postCount: 1 },
        { name: "clover", category: "GENERAL", postCount: 1 },
      ],
      totalCount: 2,
    });
    const artists = await test.anonymous.graphql(document, { search: { category: ["ARTIST", "META"] } });
    expect(artists.json.data.tags.nodes).toEqual([{ name: "cleo", category: "ARTIST", postCount: 1 }]);
  });

  it("are found by id or by name", async () => {
    const { id } = await test.board.database.tag.findUniqueOrThrow({ where: { name: "cherry" } });
    const document = `query($id: Int) { a: tag(id: $id) { name } b: tag(name: "cherry") { id } c: tag(name: "nope") { id } }`;
    const { json } = await test.anonymous.graphql(document, { id });
    expect(json.data).toEqual({ a: { name: "cherry" }, b: { id }, c: null });
  });
});

describe("postVersions", () => {
  it("list the changes of each edit, newest first", async () => {
    const { id } = await test.make.post("a b", {}, alma);
    await bert.client.graphql(
      `mutation($id: Int!) { updatePost(input: { id: $id, tagString: "b c" }) { post { id } } }`,
      {
        id,
      },
    );
    const { json } = await test.anonymous.graphql(
      `query($id: Int!) { postVersions(search: { postId: [$id] }) { totalCount nodes {
         version updater { name } updaterName tagString addedTags removedTags unchangedTags obsoleteAddedTags rating
         ratingChanged post { id } } } }`,
      { id },
    );
    const common = { rating: "SAFE", post: { id } };
    expect(json.data.postVersions).toEqual({
      totalCount: 2,
      nodes: [
        {
          ...common,
          version: 2,
          updater: { name: "bert" },
          updaterName: "bert",
          tagString: "b c lowres",
          addedTags: ["c"],
          removedTags: ["a"],
          unchangedTags: ["b", "lowres"],
          obsoleteAddedTags: [],
          ratingChanged: false,
        },
        {
          ...common,
          version: 1,
          updater: { name: "Alma_B" },
          updaterName: "Alma_B",
          tagString: "a b lowres",
          addedTags: ["a", "b", "lowres"],
          removedTags: [],
          unchangedTags: [],
          obsoleteAddedTags: ["a"],
          ratingChanged: true,
        },
      ],
    });
  });

  it("are searched by updater", async () => {
    const document = `query($name: String) { postVersions(search: { updaterName: $name }) { nodes { updaterId } } }`;
    const { json } = await test.anonymous.graphql(document, { name: "BERT" });
    expect(json.data.postVersions.nodes).toEqual([{ updaterId: bert.id }]);
  });
});
