import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let member: TestUser;
let builder: TestUser;
beforeAll(async () => {
  test = await startBoard();
  member = await test.make.user();
  builder = await test.make.user("Builder");
});
afterAll(() => test[Symbol.asyncDispose]());

let serial = 0;
const page = (attributes: Params = {}): Params => ({
  wiki_page: { title: `page ${(serial += 1)}`, body: "What it means.", ...attributes },
});
interface Page {
  id: number;
  title: string;
}
const create = async (attributes: Params = {}, by = member): Promise<Page> =>
  (await by.client.post("/wiki_pages.json", page(attributes))).json as Page;
const stored = (id: number) => test.board.database.wikiPage.findUniqueOrThrow({ where: { id } });
const versionsOf = (wikiPageId: number) =>
  test.board.database.wikiPageVersion.findMany({ where: { wikiPageId }, orderBy: { version: "asc" } });

describe("POST /wiki_pages.json", () => {
  it("creates a page with its first version", async () => {
    await test.make.post("char:red_fox");
    const names = "アカギツネ  Vulpes,vulpes\u3000vulpes,VULPES";
    const { status, json, headers } = await member.client.post(
      "/wiki_pages.json",
      page({ title: " Red Fox ", body: "A [[fox]].", other_names: names }),
    );
    expect(status).toBe(200);
    const { id, created_at, updated_at, ...rest } = json as Record<string, unknown>;
    expect(rest).toEqual({
      success: true,
      reason: "",
      title: "red_fox",
      body: "A [[fox]].",
      other_names: ["アカギツネ", "Vulpes,vulpes"],
      is_locked: false,
      is_deleted: false,
      category_name: 4,
      creator_id: member.id,
      creator_name: member.name,
      updater_id: member.id,
      updater_name: member.name,
    });
    expect(updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
    expect(created_at).toMatch(/\+00:00$/);
    expect(headers.get("location")).toBe(`/wiki_pages/${String(id)}`);
    expect(await versionsOf(Number(id))).toMatchObject([
      { version: 1, title: "red_fox", body: "A [[fox]].", updaterId: member.id, isLocked: false, isDeleted: false },
    ]);
  });

  it("accepts other names as an array too", async () => {
    const { json } = await member.client.json("POST", "/wiki_pages.json", page({ other_names: ["red fox", "Fox "] }));
    expect(json.other_names).toEqual(["red_fox", "Fox"]);
  });

  it("returns the envelope in XML", async () => {
    const { text } = await member.client.post("/wiki_pages.xml", page());
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
  });

  it.each([
    ["without a title", { title: undefined }, "wiki_page[title] is required"],
    ["with a title of blanks", { title: "  " }, "wiki_page[title] is required"],
    ["without a body", { body: undefined }, "wiki_page[body] is required"],
    ["with a blank body", { body: " " }, "wiki_page[body] is required"],
  ])("424 %s", async (_, attributes, reason) => {
    const before = await test.board.database.wikiPage.count();
    const { status, json } = await member.client.post("/wiki_pages.json", page(attributes));
    expect([status, json.reason]).toEqual([424, reason]);
    expect(await test.board.database.wikiPage.count()).toBe(before);
  });

  it.each([
    ["too long a title", { title: "a".repeat(171) }, "title is too long (at most 170 characters)"],
    ["a title that can't be stored", { title: "a\0b" }, "title is invalid"],
    ["too long a body", { body: "a".repeat(80_001) }, "body is too long (at most 80000 characters)"],
    [
      "too long another name",
      { other_names: "a".repeat(101) },
      `other_names has "${"a".repeat(50)}…", which is too long (at most 100 characters)`,
    ],
    [
      "too many other names",
      { other_names: Array.from({ length: 81 }, (__, index) => `n${index}`).join(" ") },
      "other_names has more than 80 entries",
    ],
  ])("420 for %s", async (_, attributes, reason) => {
    const { status, json } = await member.client.post("/wiki_pages.json", page(attributes));
    expect([status, json.reason]).toEqual([420, reason]);
  });

  it("423 for a taken title, even of a deleted page", async () => {
    const { id, title } = await create();
    const spelled = title.toUpperCase().replaceAll("_", " ");
    const again = await member.client.post("/wiki_pages.json", page({ title: spelled }));
    await builder.client.delete(`/wiki_pages/${id}.json`);
    const deleted = await member.client.post("/wiki_pages.json", page({ title }));
    expect([again.status, again.json.reason, deleted.status]).toEqual([423, "title is already taken", 423]);
    expect(await test.board.database.wikiPage.count({ where: { title } })).toBe(1);
  });

  it("creates one page for concurrent requests with the same title", async () => {
    const title = `race ${(serial += 1)}`;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => member.client.post("/wiki_pages.json", page({ title }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 423, 423, 423, 423]);
  });

  it("403 for visitors, restricted users, and for locking below Builder", async () => {
    const restricted = await test.make.user("Restricted");
    const contributor = await test.make.user("Platinum");
    const before = await test.board.database.wikiPage.count();
    const answers = [
      await test.anonymous.post("/wiki_pages.json", page()),
      await restricted.client.post("/wiki_pages.json", page()),
      await contributor.client.post("/wiki_pages.json", page({ is_locked: "1" })),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(await test.board.database.wikiPage.count()).toBe(before);
    expect((await builder.client.post("/wiki_pages.json", page({ is_locked: "1" }))).json.is_locked).toBe(true);
  });
});

describe("GET /wiki_pages/{id}.json", () => {
  it("returns a page by id and by title", async () => {
    const { id } = await create({ title: "mr._fox/den" });
    const paths = [`${id}`, "mr._fox%2Fden", "Mr.%20Fox%2FDen"];
    for (const path of paths) {
      const { json } = await test.anonymous.get(`/wiki_pages/${path}.json`);
      expect([path, json.id]).toEqual([path, id]);
    }
    const accepting = test.anonymous.with({ accept: "application/json" });
    expect((await accepting.get("/wiki_pages/mr._fox%2Fden")).json.id).toBe(id);
  });

  it("treats a number as an id, and a number after a tilde as a title", async () => {
    const { id } = await create({ title: "20260801" });
    expect((await test.anonymous.get("/wiki_pages/20260801.json")).status).toBe(404);
    expect((await test.anonymous.get("/wiki_pages/~20260801.json")).json.id).toBe(id);
  });

  it("ignores parameters that contradict the path", async () => {
    const [one, other] = [await create(), await create()];
    const byTitle = await test.anonymous.get(`/wiki_pages/${one.title}.json`, { id: other.id });
    const byId = await test.anonymous.get(`/wiki_pages/${one.id}.json`, { title: other.title });
    expect([byTitle.json.id, byId.json.id]).toEqual([one.id, one.id]);
  });

  it("returns XML", async () => {
    const { id, title } = await create({ other_names: "fox", body: "a & b" });
    const { text } = await test.anonymous.get(`/wiki_pages/${title}.xml`);
    expect(text).toContain(`<wiki-page><id type="integer">${id}</id>`);
    expect(text).toContain(`<body>a &amp; b</body>`);
    expect(text).toContain(`<other-names type="array"><other-name>fox</other-name></other-names>`);
    expect(text).toContain(`<category-name type="integer">0</category-name></wiki-page>`);
  });

  it("404 for an unknown id and an unknown title", async () => {
    const unknown = await test.anonymous.get("/wiki_pages/no_such_page.json");
    expect([unknown.status, unknown.json.reason]).toEqual([404, "not found"]);
    expect((await test.anonymous.get("/wiki_pages/99999.json")).status).toBe(404);
    expect((await test.anonymous.get("/wiki_pages/a%00b.json")).status).toBe(404);
  });
});

describe("PUT /wiki_pages/{id}.json", () => {
  it("changes sent fields, by id and by title, each time with a version", async () => {
    const { id, title } = await create({ other_names: "old" });
    const other = await test.make.user();
    const first = await other.client.put(`/wiki_pages/${id}.json`, { wiki_page: { body: "Better." } });
    expect(first.json).toMatchObject({ title, body: "Better.", other_names: ["old"], creator_id: member.id });
    expect([first.json.updater_id, first.json.updater_name]).toEqual([other.id, other.name]);
    const renamed = await other.client.put(`/wiki_pages/${title}.json`, {
      wiki_page: { title: `${title} renamed`, other_names: "" },
    });
    expect(renamed.json).toMatchObject({ id, title: `${title}_renamed`, body: "Better.", other_names: [] });
    const same = await member.client.put(`/wiki_pages/${id}.json`, { wiki_page: { body: "Better." } });
    expect([same.status, same.json.updater_id]).toEqual([200, other.id]);
    expect((await versionsOf(id)).map((each) => [each.version, each.title, each.body, each.updaterId])).toEqual([
      [1, title, "What it means.", member.id],
      [2, title, "Better.", other.id],
      [3, `${title}_renamed`, "Better.", other.id],
    ]);
  });

  it("is deleted and reverted by id and by title", async () => {
    const { id, title } = await create({ title: "wiki/by name" });
    const path = `/wiki_pages/${encodeURIComponent("WIKI/by name")}`;
    await member.client.put(`${path}.json`, { wiki_page: { body: "Worse." } });
    const [{ id: version_id } = { id: 0 }] = await versionsOf(id);
    const reverted = await member.client.put(`${path}/revert.json`, { version_id });
    expect([reverted.status, reverted.json]).toMatchObject([200, { id, title, body: "What it means." }]);
    expect((await builder.client.delete(`${path}.xml`)).text).toContain('<response success="true" reason=""/>');
    expect((await test.anonymous.get(`${path}.json`)).json.is_deleted).toBe(true);
    for (const missing of ["/wiki_pages/no_such_page/revert.json", "/wiki_pages/2147483647/revert.json"])
      expect((await member.client.put(missing, { version_id })).status).toBe(404);
    expect((await builder.client.delete("/wiki_pages/no_such_page.json")).status).toBe(404);
    const ignored = await builder.client.delete(`/wiki_pages/no_such_page.json?id=${id}&title=${title}`);
    expect(ignored.status).toBe(404);
  });

  it("420 for a taken title, and for a blank one", async () => {
    const [one, other] = [await create(), await create()];
    const taken = await member.client.put(`/wiki_pages/${one.id}.json`, { wiki_page: { title: other.title } });
    const blank = await member.client.put(`/wiki_pages/${one.id}.json`, { wiki_page: { title: " ", body: "" } });
    expect([taken.status, taken.json.reason]).toEqual([420, "title is already taken"]);
    expect([blank.status, blank.json.errors]).toEqual([420, { title: ["can't be blank"], body: ["can't be blank"] }]);
    expect(await stored(one.id)).toMatchObject({ title: one.title, body: "What it means." });
    expect(await versionsOf(one.id)).toHaveLength(1);
  });

  it("403 for visitors, for locking and deleting below Builder; 404 for an unknown page", async () => {
    const { id } = await create();
    const platinum = await test.make.user("Platinum");
    const answers = [
      await test.anonymous.put(`/wiki_pages/${id}.json`, { wiki_page: { body: "x" } }),
      await platinum.client.put(`/wiki_pages/${id}.json`, { wiki_page: { body: "x", is_locked: "1" } }),
      await platinum.client.put(`/wiki_pages/${id}.json`, { wiki_page: { body: "x", is_deleted: "1" } }),
      await member.client.put("/wiki_pages/99999.json", { wiki_page: { body: "x" } }),
      await member.client.put("/wiki_pages/nowhere.json", { wiki_page: { body: "x" } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 404, 404]);
    expect(await versionsOf(id)).toHaveLength(1);
    const unchanged = { wiki_page: { body: "x", is_locked: "0", is_deleted: "false" } };
    expect((await platinum.client.put(`/wiki_pages/${id}.json`, unchanged)).status).toBe(200);
  });
});

describe("a locked page", () => {
  it("422 for edits and reverts below Builder", async () => {
    const { id } = await create();
    const [version] = await versionsOf(id);
    expect((await builder.client.put(`/wiki_pages/${id}.json`, { wiki_page: { is_locked: "true" } })).status).toBe(200);
    const refused = [
      await member.client.put(`/wiki_pages/${id}.json`, { wiki_page: { body: "x" } }),
      await member.client.put(`/wiki_pages/${id}/revert.json`, { version_id: version?.id }),
    ];
    expect(refused.map(({ status, json }) => [status, json.reason])).toEqual(
      refused.map(() => [422, "wiki page is locked"]),
    );
    expect(await stored(id)).toMatchObject({ body: "What it means.", isLocked: true });
    expect((await builder.client.put(`/wiki_pages/${id}.json`, { wiki_page: { body: "y" } })).json.body).toBe("y");
    expect((await versionsOf(id)).map((each) => each.isLocked)).toEqual([false, true, true]);
  });
});

describe("PUT /wiki_pages/{id}/revert.json", () => {
  it("restores title, body, other names and lock as a new version, but not the deletion", async () => {
    const { id, title } = await create({ other_names: "one two" });
    const [first] = await versionsOf(id);
    await builder.client.put(`/wiki_pages/${id}.json`, {
      wiki_page: { title: `${title}_x`, body: "Vandalised.", other_names: "three", is_locked: "1", is_deleted: "1" },
    });
    const back = await builder.client.put(`/wiki_pages/${id}/revert.json`, { version_id: first?.id });
    expect(back.json).toMatchObject({
      title,
      body: "What it means.",
      other_names: ["one", "two"],
      is_locked: false,
      is_deleted: true,
    });
    expect((await versionsOf(id)).map((each) => each.version)).toEqual([1, 2, 3]);
  });

  it("403 below Builder if it would lock the page, 404 for another page's version, 420 for a title taken meanwhile", async () => {
    const { id, title } = await create();
    const other = await create();
    await builder.client.put(`/wiki_pages/${id}.json`, { wiki_page: { is_locked: "1" } });
    await builder.client.put(`/wiki_pages/${id}.json`, { wiki_page: { is_locked: "0", title: `${title}_y` } });
    await create({ title });
    const [first, locked] = await versionsOf(id);
    const [foreign] = await versionsOf(other.id);
    const revert = async (version_id?: number) => {
      const { status, json } = await member.client.put(`/wiki_pages/${id}/revert.json`, { version_id });
      return [status, json.reason];
    };
    expect(await revert(locked?.id)).toEqual([403, "access denied"]);
    expect(await revert(foreign?.id)).toEqual([404, "not found"]);
    expect(await revert(first?.id)).toEqual([420, "title is already taken"]);
    expect(await revert()).toEqual([424, "version_id is required"]);
    expect(await versionsOf(id)).toHaveLength(3);
  });
});

describe("DELETE /wiki_pages/{id}.json", () => {
  it("is allowed to Builders, who can also undelete it", async () => {
    const { id } = await create();
    const platinum = await test.make.user("Platinum");
    expect((await platinum.client.delete(`/wiki_pages/${id}.json`)).status).toBe(403);
    expect(await stored(id)).toMatchObject({ isDeleted: false });
    expect((await builder.client.delete(`/wiki_pages/${id}.json`)).json).toMatchObject({ id, is_deleted: true });
    expect((await builder.client.delete(`/wiki_pages/${id}.json`)).status).toBe(200);
    const back = await builder.client.put(`/wiki_pages/${id}.json`, { wiki_page: { is_deleted: "0" } });
    expect(back.json.is_deleted).toBe(false);
    expect((await versionsOf(id)).map((each) => each.isDeleted)).toEqual([false, true, false]);
    expect((await builder.client.delete("/wiki_pages/99999.json")).status).toBe(404);
  });
});
