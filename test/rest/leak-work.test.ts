/** Hidden records take the same work as missing ones: the same SQL statements, the same password hashes, no waiting. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { makeForumPost, makeTopic } from "../support/forum.js";
import { workOf } from "../support/work.js";

const NEVER = 99_999;

let test: TestBoard;
let alice: TestUser;
let bob: TestUser;
let eve: TestUser;
let janitor: TestUser;
let moderator: TestUser;
beforeAll(async () => {
  test = await startBoard();
  [alice, bob, eve] = [await test.make.user(), await test.make.user(), await test.make.user()];
  [janitor, moderator] = [await test.make.user("Janitor"), await test.make.user("Moderator")];
});
afterAll(() => test[Symbol.asyncDispose]());

type Send = () => Promise<Answer>;

/** What a request answers and takes. */
async function observed(send: Send) {
  const { result, work } = await workOf(send);
  return { status: result.status, text: result.text, ...work };
}

/** Each request made with the numbers of one record and with those of another. */
async function compare(requests: (...ids: number[]) => Send[], these: number[], those: number[]) {
  const [one, other] = [requests(...these), requests(...those)];
  for (const [index, send] of one.entries()) {
    const counterpart = other[index] as Send;
    for (const each of [send, send, counterpart, counterpart]) await each(); // queries are compiled when they come again
    expect(await observed(send)).toEqual(await observed(counterpart));
  }
}

describe("a topic above the viewer's level", () => {
  let topicId: number;
  let postId: number;
  beforeAll(async () => {
    const secret = await makeTopic(test, moderator, { title: "Secret", min_level: 40 });
    [topicId, postId] = [secret.id, await makeForumPost(moderator, secret.id)];
  });

  const requests =
    (client: Client) =>
    (topic: number = NEVER, post: number = NEVER): Send[] => [
      () => client.get(`/forum_topics/${topic}.json`),
      () => client.send(`/forum_topics/${topic}.json`, { method: "HEAD" }),
      () => client.get(`/forum_posts/${post}.xml`),
      () => client.get("/forum_posts.json", { search: { topic_id: topic } }),
      () => client.put(`/forum_topics/${topic}.json`, { forum_topic: { title: "x" } }),
      () => client.delete(`/forum_topics/${topic}.json`),
      () => client.post(`/forum_topics/${topic}/undelete.json`),
      () => client.put(`/forum_posts/${post}.json`, { forum_post: { body: "x" } }),
      () => client.delete(`/forum_posts/${post}.json`),
      () => client.post(`/forum_posts/${post}/undelete.json`),
      () => client.post("/forum_posts.json", { forum_post: { topic_id: topic, body: "x" } }),
      () => client.graphql(`{ forumTopic(id: ${topic}) { title posts { body } creator { name } } }`),
      () => client.graphql(`{ forumPost(id: ${post}) { body topic { title } creator { name } } }`),
    ];

  it("is requested, written to and searched with the same statements as a missing one", async () => {
    for (const { client } of [{ client: test.anonymous }, eve, janitor]) {
      await compare(requests(client), [topicId, postId], [NEVER, NEVER - 1]);
    }
  });

  it("is not locked by others' requests", async () => {
    await test.board.transact(async (db) => {
      await db.query(sql`SELECT 1 FROM forum_topics WHERE id = ${topicId} FOR UPDATE`);
      await db.query(sql`SELECT 1 FROM forum_posts WHERE id = ${postId} FOR UPDATE`);
      const statuses = [];
      for (const send of requests(janitor.client)(topicId, postId)) statuses.push((await send()).status);
      expect(statuses).toEqual([404, 404, 404, 200, 404, 404, 404, 404, 404, 404, 420, 200, 200]);
    });
  });
});

describe("the file of a banned post", () => {
  it("is requested below Gold with the same statements as a missing one", async () => {
    const { id } = await test.make.post();
    const { mediaFileId } = await test.board.database.post.update({ where: { id }, data: { isBanned: true } });
    const requests =
      (client: Client) =>
      (file = NEVER): Send[] => [
        () => client.get(`/media_assets/${file}.json`),
        () => client.graphql(`{ mediaFile(id: ${file}) { md5 duration } }`),
      ];
    for (const { client } of [{ client: test.anonymous }, eve]) await compare(requests(client), [mediaFileId], [NEVER]);
  });
});

describe("another user's dmail", () => {
  const requests =
    ({ client }: TestUser) =>
    (id: number = NEVER): Send[] => [
      () => client.get(`/dmails/${id}.json`),
      () => client.put(`/dmails/${id}.json`, { dmail: { is_read: "true" } }),
      () => client.delete(`/dmails/${id}.json`),
      () => client.graphql(`{ dmail(id: ${id}) { title } }`),
    ];

  /** Bob's copy of a message. */
  async function received(from: TestUser, title: string): Promise<number> {
    const { status } = await from.client.post("/dmails.json", { dmail: { to_name: bob.name, title, body: title } });
    expect(status).toBe(200);
    return (await test.board.database.dmail.findFirstOrThrow({ where: { ownerId: bob.id }, orderBy: { id: "desc" } }))
      .id;
  }

  it("takes the same work whether short or long, read or not, deleted or not, regardless of its author", async () => {
    const [short, long] = [await received(alice, "a"), await received(moderator, "long ".repeat(30))];
    const [read, deleted] = [await received(alice, "read"), await received(eve, "deleted")];
    await bob.client.get(`/dmails/${read}.json`);
    await bob.client.delete(`/dmails/${deleted}.json`);
    for (const other of [long, read, deleted]) await compare(requests(eve), [other], [short]);
  });

  it("takes the same statements as a missing dmail", async () => {
    const id = await received(alice, "here");
    for (const [index, send] of requests(eve)(id).entries()) {
      const { work } = await workOf(send);
      expect(work).toEqual((await workOf(requests(eve)(NEVER)[index] as Send)).work);
    }
  });
});

describe("a login that fails", () => {
  const UNKNOWN = "nobody_of_this_name";
  const WRONG = "wrong password";
  let closed: TestUser;
  beforeAll(async () => {
    closed = await test.make.user();
    await test.board.database.user.update({ where: { id: closed.id }, data: { isDeleted: true } });
  });

  const basic = (name: string, key: string) => test.anonymous.as({ name, apiKey: key }).get("/profile.json");
  const WAYS: [string, (name: string) => Promise<Answer>, number][] = [
    ["POST /session", (name) => test.anonymous.post("/session.json", { name, password: WRONG }), 1],
    [
      "createSession",
      (name) =>
        test.anonymous.graphql("mutation($input: CreateSessionInput!) { createSession(input: $input) { csrfToken } }", {
          input: { name, password: WRONG },
        }),
      1,
    ],
    ["password_hash", (name) => test.anonymous.get("/profile.json", { login: name, password_hash: "a".repeat(40) }), 1],
    ["HTTP Basic", (name) => basic(name, "$2b$04$wrong"), 0],
    ["api_key", (name) => test.anonymous.get("/profile.json", { login: name, api_key: "$2b$04$wrong" }), 0],
  ];

  it.each(WAYS)("by %s takes as many hashes for an unknown name as for a wrong password", async (_, send, hashes) => {
    const unknown = await observed(() => send(UNKNOWN));
    expect(unknown).toMatchObject({ hashes });
    expect(unknown.statements).toHaveLength(1 + hashes);
    for (const name of [alice.name, moderator.name, closed.name]) {
      expect(await observed(() => send(name))).toEqual(unknown);
    }
  });

  it("by a key that is wrong in its last character takes the same work as by an entirely wrong one", async () => {
    const near = `${alice.apiKey.slice(0, -1)}${alice.apiKey.endsWith("a") ? "b" : "a"}`;
    expect(await observed(() => basic(alice.name, near))).toEqual(await observed(() => basic(UNKNOWN, "x")));
  });
});
