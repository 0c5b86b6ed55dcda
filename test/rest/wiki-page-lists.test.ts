import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let ann: TestUser;
let ben: TestUser;
const ids: Record<string, number> = {};
beforeAll(async () => {
  test = await startBoard();
  ann = await test.make.user("Builder", "Ann_Lee");
  ben = await test.make.user();
  const make = async (by: TestUser, title: string, attributes: Params) => {
    const { json } = await by.client.post("/wiki_pages.json", { wiki_page: { title, ...attributes } });
    ids[title] = (json as { id: number }).id;
  };
  await make(ann, "fox", { body: "Foxes are sleeping.", other_names: "狐 Vulpes red_fox" });
  await make(ann, "help:editing", { body: "How to edit_pages." });
  await make(ben, "100_foxes", { body: "Many of them.", other_names: "百狐" });
  await make(ben, "wolf", { body: "Not a dog." });
  await ann.client.delete(`/wiki_pages/${ids.wolf}.json`);
  await ben.client.put(`/wiki_pages/${ids.fox}.json`, { wiki_page: { body: "Foxes are sleeping deeply." } });
});
afterAll(() => test[Symbol.asyncDispose]());

const list = async (search: Params = {}, more: Params = {}): Promise<string[]> =>
  ((await test.anonymous.get("/wiki_pages.json", { search, ...more })).json as { title: string }[]).map(
    (each) => each.title,
  );

describe("GET /wiki_pages.json", () => {
  it("lists all, last changed first, including deleted ones", async () => {
    expect(await list()).toEqual(["fox", "wolf", "100_foxes", "help:editing"]);
    expect(await list({ hide_deleted: "yes" })).toEqual(["fox", "100_foxes", "help:editing"]);
    expect(await list({ is_deleted: "true" })).toEqual(["wolf"]);
  });

  it.each([
    ["title, normalised", { title: "Help:Editing" }, ["help:editing"]],
    ["title as a pattern", { title: "*fox*" }, ["fox", "100_foxes"]],
    ["title, in which % is no wildcard", { title: "f%" }, []],
    ["words of the body", { body_matches: "sleep fox" }, ["fox"]],
    ["words of the title", { body_matches: "wolf" }, ["wolf"]],
    ["a pattern of the body", { body_matches: "*EDIT_p*" }, ["help:editing"]],
    ["creator's name", { creator_name: "ann lee" }, ["fox", "help:editing"]],
    ["an unknown creator", { creator_name: "nobody" }, []],
    ["another name in any case", { other_names_match: "VULPES" }, ["fox"]],
    ["one of several other names", { other_names_match: "狐 百狐" }, ["fox", "100_foxes"]],
    ["only whole other names", { other_names_match: "vulp fox" }, []],
    ["other names as a pattern", { other_names_match: "*狐" }, ["fox", "100_foxes"]],
    ["a pattern of one name, not of all", { other_names_match: "狐*fox" }, []],
    ["the presence of other names", { other_names_present: "yes" }, ["fox", "100_foxes"]],
    ["the absence of other names", { other_names_present: "no" }, ["wolf", "help:editing"]],
    ["a blank key, which is none", { title: "", is_locked: "false" }, ["fox", "wolf", "100_foxes", "help:editing"]],
  ])("searches by %s", async (_, search, titles) => {
    expect(await list(search)).toEqual(titles);
  });

  it("searches by ids and the creator's id; invalid values match nothing", async () => {
    expect(await list({ id: `${ids.fox},${ids.wolf}` })).toEqual(["fox", "wolf"]);
    expect(await list({ creator_id: ben.id })).toEqual(["wolf", "100_foxes"]);
    expect(await list({ id: "fox" })).toEqual([]);
  });

  it("orders by title and by date", async () => {
    expect(await list({ order: "title" })).toEqual(["100_foxes", "fox", "help:editing", "wolf"]);
    expect(await list({ sort: "name" })).toEqual(["100_foxes", "fox", "help:editing", "wolf"]);
    expect(await list({ order: "date" })).toEqual(["fox", "wolf", "100_foxes", "help:editing"]);
    const { status, json } = await test.anonymous.get("/wiki_pages.json", { search: { order: "size" } });
    expect([status, json.reason]).toEqual([424, "search[order] must be one of title, date"]);
  });

  it("pages by number and by id", async () => {
    expect(await list({ order: "title" }, { limit: 3, page: 2 })).toEqual(["wolf"]);
    expect(await list({}, { limit: 2, page: `b${ids.wolf}` })).toEqual(["100_foxes", "help:editing"]);
    expect(await list({}, { limit: 2, page: `a${ids.fox}` })).toEqual(["100_foxes", "help:editing"]);
  });

  it("returns XML, also for an empty list", async () => {
    const some = await test.anonymous.get("/wiki_pages.xml", { search: { title: "fox" }, only: "id,title" });
    expect(some.text).toBe(
      `<?xml version="1.0" encoding="UTF-8"?><wiki-pages type="array"><wiki-page><id type="integer">${ids.fox}</id><title>fox</title></wiki-page></wiki-pages>`,
    );
    const none = await test.anonymous.get("/wiki_pages.xml", { search: { title: "nothing" } });
    expect(none.text).toBe('<?xml version="1.0" encoding="UTF-8"?><wiki-pages type="array"/>');
  });
});

describe("GET /wiki_page_versions.json", () => {
  const versions = async (search: Params) =>
    (await test.anonymous.get("/wiki_page_versions.json", { search })).json as Record<string, unknown>[];

  it("lists by page and updater, newest first", async () => {
    const found = await versions({ wiki_page_id: ids.fox });
    expect(found.map((each) => [each.version, each.updater_name, each.body])).toEqual([
      [2, ben.name, "Foxes are sleeping deeply."],
      [1, "Ann_Lee", "Foxes are sleeping."],
    ]);
    expect(await versions({ wiki_page_id: ids.fox, updater_name: "ann lee" })).toHaveLength(1);
    expect((await versions({ updater_id: ann.id })).map((each) => [each.title, each.version])).toEqual([
      ["wolf", 2],
      ["help:editing", 1],
      ["fox", 1],
    ]);
  });

  it("returns one, as in the list", async () => {
    const [version] = await versions({ wiki_page_id: ids.wolf });
    expect(version).toMatchObject({ wiki_page_id: ids.wolf, is_deleted: true, is_locked: false, other_names: [] });
    const { json } = await test.anonymous.get(`/wiki_page_versions/${String(version?.id)}.json`);
    expect(json).toEqual(version);
    expect((await test.anonymous.get("/wiki_page_versions/99999.json")).status).toBe(404);
  });
});

describe("wiki pages in GraphQL", () => {
  it("have the same rules for reads and writes", async () => {
    const { json } = await ben.client.graphql(
      `mutation ($input: CreateWikiPageInput!) {
         createWikiPage(input: $input) {
           wikiPage { title otherNames category creator { id } updater { name } viewerCan { update lock delete } }
         }
       }`,
      { input: { title: "Arctic Fox", body: "White.", otherNames: ["white fox"] } },
    );
    expect(json.data.createWikiPage.wikiPage).toEqual({
      title: "arctic_fox",
      otherNames: ["white_fox"],
      category: "GENERAL",
      creator: { id: ben.id },
      updater: { name: ben.name },
      viewerCan: { update: true, lock: false, delete: false },
    });
    const update = `mutation ($input: UpdateWikiPageInput!) { updateWikiPage(input: $input) { wikiPage { title body } } }`;
    const changed = await ben.client.graphql(update, { input: { currentTitle: "arctic fox", body: "Brown." } });
    expect(changed.json.data.updateWikiPage.wikiPage).toEqual({ title: "arctic_fox", body: "Brown." });
    const unnamed = await ben.client.graphql(update, { input: { body: "x" } });
    expect(unnamed.json.errors[0].extensions).toMatchObject({ status: 424, reason: "id is required" });
  });

  it("have their versions, and are found by title", async () => {
    const { json } = await test.anonymous.graphql(
      `{ wikiPage(title: "Fox") { id }
         wikiPageVersions(search: { wikiPageId: [${ids.fox}] }) { totalCount nodes { version wikiPage { title } updater { id } } } }`,
    );
    expect(json.data).toEqual({
      wikiPage: { id: ids.fox },
      wikiPageVersions: {
        totalCount: 2,
        nodes: [
          { version: 2, wikiPage: { title: "fox" }, updater: { id: ben.id } },
          { version: 1, wikiPage: { title: "fox" }, updater: { id: ann.id } },
        ],
      },
    });
  });
});
