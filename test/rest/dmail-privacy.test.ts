/** "Only dmails owned by the caller can be listed, shown or deleted": and nothing else reveals those of others. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client, Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

const NEVER = 99_999;

let test: TestBoard;
let alice: TestUser;
let bob: TestUser;
let admin: TestUser;
let eve: TestUser;
let received: number; // Bob's copy
let sent: number; // Alice's
beforeAll(async () => {
  test = await startBoard();
  [alice, bob, eve] = [await test.make.user(), await test.make.user(), await test.make.user()];
  admin = await test.make.user("Admin");
  const message = { to_name: bob.name, title: "Rendezvous", body: "Meet me at the lighthouse" };
  sent = (await alice.client.post("/dmails.json", { dmail: message })).json.id as number;
  const copy = await test.board.database.dmail.findFirstOrThrow({ where: { ownerId: bob.id } });
  received = copy.id;
});
afterAll(() => test[Symbol.asyncDispose]());

const requests = (client: Client, id: number): Promise<Answer>[] => [
  client.get(`/dmails/${id}.json`),
  client.get(`/dmails/${id}.json`, { key: "x", owner_id: bob.id, id: received }),
  client.put(`/dmails/${id}.json`, { dmail: { is_read: "true" } }),
  client.delete(`/dmails/${id}.json`),
];
const row = (id: number) => test.board.database.dmail.findUniqueOrThrow({ where: { id } });

describe("another user's dmail", () => {
  it("403 for everybody but its owner, including the other party and Admins, and nothing changes", async () => {
    const before = [await row(received), await row(sent)];
    for (const { client } of [eve, admin, alice]) {
      const answers = await Promise.all(requests(client, received));
      expect(answers.map(({ status, json }) => [status, json.reason])).toEqual(
        answers.map(() => [403, "access denied"]),
      );
      for (const { text } of answers) expect(text).not.toMatch(/lighthouse|rendezvous/i);
    }
    expect((await bob.client.get(`/dmails/${sent}.json`)).status).toBe(403);
    expect([await row(received), await row(sent)]).toEqual(before);
  });

  it("403 for visitors whether or not it exists, 404 for unused ids", async () => {
    for (const id of [received, NEVER]) expect((await test.anonymous.get(`/dmails/${id}.json`)).status).toBe(403);
    const answers = await Promise.all(requests(admin.client, NEVER));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  it("is not found by any search, order or page, and not counted", async () => {
    const searches: Params[] = [
      {},
      { message_matches: "lighthouse" },
      { message_matches: "*lighthouse*" },
      { to_name: bob.name },
      { to_id: bob.id },
      { from_name: alice.name },
      { from_id: alice.id, owner_id: bob.id },
      { read: "false" },
      { id: received },
    ];
    for (const { client } of [eve, admin]) {
      for (const search of searches) expect((await client.get("/dmails.json", { search })).json).toEqual([]);
      expect((await client.get("/dmails.json", { page: `a${received - 1}` })).json).toEqual([]);
    }
    const counted = await admin.client.graphql(`{ dmails { totalCount pageInfo { hasNextPage } } }`);
    expect(counted.json.data.dmails).toEqual({ totalCount: 0, pageInfo: { hasNextPage: false } });
  });

  it("does not reveal when it is read or deleted", async () => {
    const seen = async () => {
      const answers = [
        ...(await Promise.all(requests(alice.client, received))),
        await alice.client.get(`/dmails/${sent}.json`),
      ];
      return answers.map(({ status, text }) => [status, text]);
    };
    const before = await seen();
    await bob.client.get(`/dmails/${received}.json`);
    expect(await seen()).toEqual(before);
    await bob.client.delete(`/dmails/${received}.json`);
    expect(await seen()).toEqual(before);
  });

  it("is not locked by others' requests", async () => {
    await test.board.transact(async (db) => {
      await db.query(sql`SELECT 1 FROM dmails WHERE id = ${sent} FOR UPDATE`);
      const answers = await Promise.all(requests(eve.client, sent));
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    });
  });
});

describe("GraphQL", () => {
  const SHOW =
    "query($id: Int!) { dmail(id: $id) { title isRead from { name } to { name } viewerCan { update delete } } }";

  it("refuses another's in every field, and is null for an unknown one", async () => {
    const codes = [];
    for (const document of [
      `{ dmail(id: ${sent}) { title } }`,
      `mutation { readDmail(input: { id: ${sent} }) { dmail { title } } }`,
      `mutation { updateDmail(input: { id: ${sent}, isRead: false }) { dmail { title } } }`,
      `mutation { deleteDmail(input: { id: ${sent} }) { dmail { title } } }`,
    ]) {
      const { json } = await admin.client.graphql(document);
      codes.push(json.errors[0].extensions.code as string);
    }
    expect(codes).toEqual(["FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN"]);
    expect((await admin.client.graphql(SHOW, { id: NEVER })).json).toMatchObject({ data: { dmail: null } });
    expect((await test.anonymous.graphql("{ dmails { totalCount } }")).json.errors[0].extensions.code).toBe(
      "FORBIDDEN",
    );
  });

  it("reads without marking as read, which readDmail does", async () => {
    const input = { toName: bob.name, title: "GraphQL", body: "hi" };
    const made = await alice.client.graphql(
      "mutation($input: CreateDmailInput!) { createDmail(input: $input) { dmail { id isRead } } }",
      { input },
    );
    expect(made.json.data.createDmail.dmail.isRead).toBe(true);
    const inbox = await bob.client.graphql("{ dmails(search: { read: false }) { totalCount nodes { id } } }");
    expect(inbox.json.data.dmails.totalCount).toBe(1);
    const id = inbox.json.data.dmails.nodes[0].id as number;
    const shown = await bob.client.graphql(SHOW, { id });
    expect(shown.json.data.dmail).toEqual({
      title: "GraphQL",
      isRead: false,
      from: { name: alice.name },
      to: { name: bob.name },
      viewerCan: { update: true, delete: true },
    });
    const read = await bob.client.graphql(`mutation { readDmail(input: { id: ${id} }) { dmail { isRead } } }`);
    expect(read.json.data.readDmail.dmail.isRead).toBe(true);
    const all = await bob.client.graphql("mutation { markAllDmailsAsRead { count } }");
    expect(all.json.data.markAllDmailsAsRead).toEqual({ count: 0 });
  });
});

describe("the log", () => {
  it("contains no word of a dmail, wherever it is in the request", async () => {
    const word = "xylophone";
    const attributes = { to_name: bob.name, title: word, body: word };
    await alice.client.post("/dmails.json", { dmail: attributes });
    await alice.client.send(`/dmails.json?dmail[to_name]=${bob.name}&dmail[title]=${word}&dmail[body]=a&${word}`, {
      method: "POST",
    });
    await alice.client.get("/dmails.json", { search: { message_matches: word } });
    await alice.client.send(`/%64mails.json?search[message_matches]=${word}`);
    const headers = { "apollo-require-preflight": "true" };
    const query = "query($words: String) { dmails(search: { messageMatches: $words }) { totalCount } }";
    const variables = JSON.stringify({ words: word });
    const asked = new URLSearchParams({ query, variables });
    const { json } = await alice.client.send(`/graphql?${asked.toString()}`, { headers });
    expect(json.data.dmails.totalCount).toBe(2);
    await expect.poll(() => test.log.filter((line) => JSON.stringify(line).includes("/graphql?")).length).toBe(1);
    expect(test.log.filter((line) => JSON.stringify(line).includes(word))).toEqual([]);
  });
});
