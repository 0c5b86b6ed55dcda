import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { holdRow } from "../support/held-table.js";

let test: TestBoard;
let alice: TestUser;
let bob: TestUser;
beforeAll(async () => {
  test = await startBoard();
  alice = await test.make.user("Member", "Alice_A");
  bob = await test.make.user("Member", "bob");
});
afterAll(() => test[Symbol.asyncDispose]());

const dmail = (attributes: Params = {}): Params => ({
  dmail: { to_name: bob.name, title: "Hello", body: "How are you?", ...attributes },
});
const rows = () => test.board.database.dmail.findMany({ orderBy: { id: "asc" } });
/** Sends one from Alice to Bob. @returns the numbers of her copy and of his */
async function send(attributes: Params = {}): Promise<{ sent: number; received: number }> {
  const { json } = await alice.client.post("/dmails.json", dmail(attributes));
  const [received] = await test.board.database.dmail.findMany({
    where: { ownerId: bob.id },
    orderBy: { id: "desc" },
    take: 1,
  });
  return { sent: json.id as number, received: received?.id ?? 0 };
}
const list = async (by: TestUser, search: Params = {}, params: Params = {}) =>
  (await by.client.get("/dmails.json", { search, ...params })).json as { id: number; title: string }[];
const titles = async (by: TestUser, search: Params = {}) => (await list(by, search)).map(({ title }) => title);

describe("POST /dmails.json", () => {
  it("creates a copy for sender and recipient each, and returns the sender's", async () => {
    const { status, json, headers } = await alice.client.post("/dmails.json", dmail({ to_name: "BOB" }));
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      reason: "",
      id: expect.any(Number),
      owner_id: alice.id,
      from_id: alice.id,
      from_name: alice.name,
      to_id: bob.id,
      to_name: "bob",
      title: "Hello",
      body: "How are you?",
      is_read: true,
      is_deleted: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(headers.get("location")).toBe(`/dmails/${json.id}`);
    expect((await rows()).map(({ ownerId, isRead }) => [ownerId, isRead])).toEqual([
      [bob.id, false],
      [alice.id, true],
    ]);
  });

  it("accepts the recipient's id, and returns an empty element in XML", async () => {
    const { text } = await alice.client.post("/dmails.xml", dmail({ to_name: undefined, to_id: bob.id }));
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
    expect((await alice.client.post("/dmails.json", dmail({ to_id: bob.id }))).status).toBe(200);
  });

  it("creates one copy of a dmail to oneself", async () => {
    const before = (await rows()).length;
    const { json } = await alice.client.post("/dmails.json", dmail({ to_name: "alice a" }));
    expect(json).toMatchObject({ owner_id: alice.id, from_id: alice.id, to_id: alice.id, is_read: true });
    expect(await rows()).toHaveLength(before + 1);
  });

  it.each([
    ["to nobody", { to_name: undefined }, "to_name can't be blank", "to_name"],
    ["to an unknown name", { to_name: "carol" }, "to_name does not exist", "to_name"],
    ["to an unknown number", { to_name: undefined, to_id: 99_999 }, "to_id does not exist", "to_id"],
    ["to two users", { to_id: 99_999 }, "to_id does not match", "to_id"],
    ["without a title", { title: undefined }, "title can't be blank", "title"],
    ["with a blank text", { body: " \n" }, "body can't be blank", "body"],
    [
      "with a title that is too long",
      { title: "é".repeat(201) },
      "title is too long (at most 200 characters)",
      "title",
    ],
    [
      "with a text that is too long",
      { body: "a".repeat(50_001) },
      "body is too long (at most 50000 characters)",
      "body",
    ],
    ["with what can't be stored", { title: "a\0" }, "title is invalid", "title"],
  ])("420 %s", async (_, attributes, reason, field) => {
    const before = await rows();
    const { status, json } = await alice.client.post("/dmails.json", dmail(attributes));
    expect([status, json.reason, Object.keys(json.errors)]).toEqual([420, reason, [field]]);
    expect(await rows()).toEqual(before);
  });

  it("424 for an invalid id", async () => {
    const { status, json } = await alice.client.post("/dmails.json", dmail({ to_id: "bob" }));
    expect([status, json.reason]).toEqual([424, "dmail[to_id] is invalid"]);
  });

  it("403 for visitors, banned users and below Member; closed accounts can't receive", async () => {
    const [banned, closed] = [await test.make.user(), await test.make.user()];
    const restricted = await test.make.user("Restricted");
    await test.board.database.user.update({ where: { id: banned.id }, data: { isBanned: true } });
    await test.board.database.user.update({ where: { id: closed.id }, data: { isDeleted: true } });
    const before = await rows();
    const answers = [
      await test.anonymous.post("/dmails.json", dmail()),
      await banned.client.post("/dmails.json", dmail()),
      await restricted.client.post("/dmails.json", dmail()),
      await alice.client.post("/dmails.json", dmail({ to_name: closed.name })),
    ];
    expect(answers.map(({ status, json }) => [status, json.reason])).toEqual([
      [403, "login required"],
      [403, "your account is banned"],
      [403, "access denied"],
      [420, "to_name does not exist"],
    ]);
    expect(await rows()).toEqual(before);
  });
});

describe("GET /dmails/{id}.json", () => {
  it("returns one's own copy, marked as read", async () => {
    const { received } = await send();
    const { status, json } = await bob.client.get(`/dmails/${received}.json`);
    expect(status).toBe(200);
    expect(json).toEqual({
      id: received,
      owner_id: bob.id,
      from_id: alice.id,
      from_name: alice.name,
      to_id: bob.id,
      to_name: bob.name,
      title: "Hello",
      body: "How are you?",
      is_read: true,
      is_deleted: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await list(bob, { id: received, read: false })).toEqual([]);
    const again = await bob.client.get(`/dmails/${received}.json`);
    expect(again.json).toEqual(json);
  });

  it("returns XML, and only selected fields", async () => {
    const { received } = await send();
    const { text } = await bob.client.get(`/dmails/${received}.xml`, { only: "id,title,is_read" });
    expect(text).toBe(
      `<?xml version="1.0" encoding="UTF-8"?><dmail><id type="integer">${received}</id><title>Hello</title>` +
        `<is-read type="boolean">true</is-read></dmail>`,
    );
  });
});

describe("HEAD /dmails/{id}.json", () => {
  it("responds as GET would, and marks nothing as read", async () => {
    const { received } = await send();
    const head = async (by: TestUser, id = received) =>
      (await by.client.send(`/dmails/${id}.json`, { method: "HEAD" })).status;
    expect([await head(bob), await head(alice), await head(bob, 2_000_000_000)]).toEqual([200, 403, 404]);
    expect(await titles(bob, { id: received, read: false })).toEqual(["Hello"]);
  });
});

describe("GET /dmails.json", () => {
  let carol: TestUser;
  beforeAll(async () => {
    carol = await test.make.user("Member", "Carol_C");
    await carol.client.post("/dmails.json", { dmail: { to_name: "bob", title: "Foxes", body: "They are sleeping" } });
    await alice.client.post("/dmails.json", dmail({ to_name: "carol c", title: "Ships", body: "100% sea" }));
    await carol.client.post("/dmails.json", { dmail: { to_name: "carol_c", title: "Memo", body: "Feed foxes" } });
  });

  it.each([
    ["everything of one's own, newest first", {}, ["Memo", "Ships", "Foxes"]],
    ["by words of title and text", { message_matches: "sleep fox" }, ["Foxes"]],
    ["by a pattern of title and text", { message_matches: "ships 100% *" }, ["Ships"]],
    ["by the recipient's name", { to_name: "CAROL C" }, ["Memo", "Ships"]],
    ["by the sender's name", { from_name: "alice_a" }, ["Ships"]],
    ["by a name that nobody has", { from_name: "nobody_at_all" }, []],
    ["by what is unread", { read: "false" }, ["Ships"]],
    ["by what is read", { read: "true" }, ["Memo", "Foxes"]],
  ])("lists %s", async (_, keys, expected) => {
    expect(await titles(carol, keys)).toEqual(expected);
  });

  it("lists by the ids of sender and recipient", async () => {
    expect(await titles(carol, { to_id: bob.id })).toEqual(["Foxes"]);
    expect(await titles(carol, { from_id: carol.id, to_id: `${bob.id},${carol.id}` })).toEqual(["Memo", "Foxes"]);
  });

  it("has pages, and XML", async () => {
    const [memo, ships] = await list(carol);
    const second = await list(carol, {}, { limit: 1, page: 2 });
    const before = await list(carol, {}, { limit: 1, page: `b${memo?.id}` });
    expect([second[0]?.id, before[0]?.id]).toEqual([ships?.id, ships?.id]);
    const { xml } = await carol.client.get("/dmails.xml");
    expect([xml?.name, xml?.attributes, xml?.elements?.length]).toEqual(["dmails", { type: "array" }, 3]);
  });

  it("424 for an unknown state", async () => {
    expect((await carol.client.get("/dmails.json", { search: { read: "maybe" } })).status).toBe(424);
  });

  it("403 for visitors and banned users", async () => {
    const banned = await test.make.user();
    await test.board.database.user.update({ where: { id: banned.id }, data: { isBanned: true } });
    const answers = [await test.anonymous.get("/dmails.json"), await banned.client.get("/dmails.json")];
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  });
});

describe("PUT /dmails/{id}.json and POST /dmails/mark_all_as_read.json", () => {
  it("marks one's own copy as read and unread, not the other one", async () => {
    const { sent, received } = await send();
    const read = await bob.client.put(`/dmails/${received}.json`, { dmail: { is_read: "true" } });
    expect(read.json).toMatchObject({ success: true, id: received, is_read: true });
    const unread = await bob.client.put(`/dmails/${received}.json`, { dmail: { is_read: "0" } });
    expect(unread.json.is_read).toBe(false);
    const nothing = await bob.client.put(`/dmails/${received}.json`);
    expect([nothing.status, nothing.json.is_read]).toEqual([200, false]);
    const copy = await test.board.database.dmail.findUniqueOrThrow({ where: { id: sent } });
    expect([copy.isRead, copy.updatedAt]).toEqual([true, copy.createdAt]);
  });

  it("marks all of one's own as read", async () => {
    await send();
    const unread = (await list(bob, { read: "false" }, { limit: 1000 })).length;
    await bob.client.post("/dmails.json", { dmail: { to_name: "alice_a", title: "Re", body: "hi" } });
    const { status, json } = await bob.client.post("/dmails/mark_all_as_read.json");
    expect([status, json]).toEqual([200, { success: true, reason: "", count: unread }]);
    expect(await titles(bob, { read: "false" })).toEqual([]);
    expect(await titles(alice, { read: "false" })).toEqual(["Re"]);
    expect((await test.anonymous.post("/dmails/mark_all_as_read.json")).status).toBe(403);
  });

  it("marks more than a thousand in several statements, so that none of them takes too long", async () => {
    const reader = await test.make.user();
    const mail = { ownerId: reader.id, toId: reader.id, fromId: alice.id, title: "Hello", body: "Again." };
    await test.board.database.dmail.createMany({ data: Array.from({ length: 1500 }, () => mail) });
    const unread = () => test.board.database.dmail.count({ where: { ownerId: reader.id, isRead: false } });
    const last = await test.board.database.dmail.findFirstOrThrow({
      where: { ownerId: reader.id },
      orderBy: { id: "desc" },
    });
    await using held = await holdRow(test.board.databaseUrl, "dmails", last.id);
    const marked = reader.client.post("/dmails/mark_all_as_read.json");
    await expect.poll(unread).toBe(500);
    await held[Symbol.asyncDispose]();
    expect((await marked).status).toBe(200);
    expect(await unread()).toBe(0);
  });
});

describe("DELETE /dmails/{id}.json", () => {
  it("removes one's own copy and its text; the other party's stays", async () => {
    const { sent, received } = await send({ title: "Secret plan", body: "Hide the treasure" });
    const { status, json } = await bob.client.delete(`/dmails/${received}.json`);
    expect([status, json.success, json.id, json.is_deleted]).toEqual([200, true, received, true]);
    expect((await bob.client.get(`/dmails/${received}.json`)).status).toBe(404);
    expect((await bob.client.delete(`/dmails/${received}.json`)).status).toBe(404);
    expect(await list(bob, { id: received })).toEqual([]);
    const left = await test.board.database.dmail.findUniqueOrThrow({ where: { id: received } });
    expect(left).toMatchObject({ title: "-", body: "-", fromId: bob.id, toId: bob.id, creatorIp: null });
    expect((await alice.client.get(`/dmails/${sent}.json`)).json.title).toBe("Secret plan");
  });
});
