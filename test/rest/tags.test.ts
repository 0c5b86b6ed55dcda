import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

const names = (list: { name: string }[]): string[] => list.map((tag) => tag.name);

describe("GET /tags.json", () => {
  beforeAll(async () => {
    await test.make.post("apple apricot banana artist:alma");
    await test.make.post("apple banana character:anna");
    await test.make.post("apple");
    const { database } = test.board;
    await database.tag.create({ data: { name: "avocado_nobody_uses" } });
  });

  it("lists newest first, without empty tags", async () => {
    const { json } = await test.anonymous.get("/tags.json");
    const ids = (json as { id: number }[]).map((tag) => tag.id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(names(json)).not.toContain("avocado_nobody_uses");
  });

  it("finds by pattern, empty tags too", async () => {
    const { json } = await test.anonymous.get("/tags.json", { search: { name_matches: "A*", order: "name" } });
    expect(names(json)).toEqual(["alma", "anna", "apple", "apricot", "avocado_nobody_uses"]);
  });

  it("hides and shows empty tags", async () => {
    const hidden = await test.anonymous.get("/tags.json", { search: { name_matches: "av*", hide_empty: "yes" } });
    const shown = await test.anonymous.get("/tags.json", { search: { hide_empty: "no", name: "avocado_nobody_uses" } });
    expect([names(hidden.json), names(shown.json)]).toEqual([[], ["avocado_nobody_uses"]]);
  });

  it("orders by count", async () => {
    const { json } = await test.anonymous.get("/tags.json", {
      search: { name: "banana,apple,apricot", order: "count" },
    });
    expect((json as { name: string; post_count: number }[]).map((t) => [t.name, t.post_count])).toEqual([
      ["apple", 3],
      ["banana", 2],
      ["apricot", 1],
    ]);
  });

  it("filters by category", async () => {
    const { json } = await test.anonymous.get("/tags.json", { search: { category: 1 } });
    expect(json).toMatchObject([{ name: "alma", category: 1, post_count: 1, is_locked: false }]);
  });

  it("424 for an unknown category or order", async () => {
    const category = await test.anonymous.get("/tags.json", { search: { category: 7 } });
    const order = await test.anonymous.get("/tags.json", { search: { order: "size" } });
    expect([category.status, category.json.reason]).toEqual([424, "search[category] must be one of 0, 1, 3, 4, 5"]);
    expect([order.status, order.json.reason]).toEqual([424, "search[order] must be one of name, date, count"]);
  });

  it("filters by wiki page", async () => {
    const { database } = test.board;
    const { id } = await test.make.user();
    await database.wikiPage.create({ data: { title: "apple", body: "a fruit", creatorId: id, updaterId: id } });
    const having = await test.anonymous.get("/tags.json", { search: { has_wiki: "yes" } });
    const lacking = await test.anonymous.get("/tags.json", { search: { has_wiki: "no", name_matches: "ap*" } });
    expect([names(having.json), names(lacking.json)]).toEqual([["apple"], ["apricot"]]);
  });
});
