import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let member: TestUser;
let platinum: TestUser;
let builder: TestUser;
beforeAll(async () => {
  test = await startBoard();
  member = await test.make.user();
  platinum = await test.make.user("Platinum");
  builder = await test.make.user("Builder");
});
afterAll(() => test[Symbol.asyncDispose]());

let serial = 0;
/** A new artist with these attributes, made by a member. */
const create = async (artist: Params = {}, by = member): Promise<{ id: number; name: string }> => {
  const answer = await by.client.post("/artists.json", { artist: { name: `artist_${(serial += 1)}`, ...artist } });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json as { id: number; name: string };
};
const edit = (id: number, artist: Params, by = member): Promise<Answer> =>
  by.client.put(`/artists/${id}.json`, { artist });
const show = async (id: number) => (await test.anonymous.get(`/artists/${id}.json`)).json;
const versionsOf = (id: number) =>
  test.board.database.artistVersion.findMany({ where: { artistId: id }, orderBy: { id: "asc" } });

/** Expects a refusal, and that no artist, version or URL is another afterwards. */
async function refused(work: () => Promise<Answer>, status: number, reason: string): Promise<Answer> {
  const state = async () => [
    await test.board.database.artist.findMany({ orderBy: { id: "asc" } }),
    await test.board.database.artistUrl.findMany({ orderBy: { id: "asc" } }),
    await test.board.database.artistVersion.count(),
    await test.board.database.tag.count(),
  ];
  const before = await state();
  const answer = await work();
  expect([answer.status, answer.json.success, answer.json.reason]).toEqual([status, false, reason]);
  expect(await state()).toEqual(before);
  return answer;
}

/** The numbers of answers with each status and reason. */
function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, json } of answers) {
    const key = `${status} ${json.reason}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

describe("POST /artists.json", () => {
  it("creates an artist with URLs, a tag and a first version", async () => {
    const { status, json, headers } = await member.client.post("/artists.json", {
      artist: {
        name: " Bob Ross ",
        other_names_comma: "Robert Ross, Bob , ,happy trees,Bob,bob ross",
        group_name: "Joy of  Painting",
        url_string: "https://bob.example/art\n-http://old.example/  https://bob.example/art",
        is_active: "0",
      },
    });
    expect(status).toBe(200);
    const time = expect.stringMatching(/\.\d{3}\+00:00$/);
    const times = { created_at: time, updated_at: time };
    const [first, second] = json.urls;
    expect(json).toEqual({
      success: true,
      reason: "",
      id: json.id,
      name: "bob_ross",
      creator_id: member.id,
      creator_name: member.name,
      is_active: true,
      is_deleted: false,
      is_banned: false,
      other_names: ["Robert_Ross", "Bob", "happy_trees"],
      other_names_comma: "Robert_Ross,Bob,happy_trees",
      group_name: "Joy of Painting",
      url_string: "https://bob.example/art\n-http://old.example/",
      urls: [
        {
          id: first.id,
          artist_id: json.id,
          url: "https://bob.example/art",
          normalized_url: "http://bob.example/art/",
          is_active: true,
          ...times,
        },
        {
          id: second.id,
          artist_id: json.id,
          url: "http://old.example/",
          normalized_url: "http://old.example/",
          is_active: false,
          ...times,
        },
      ],
      ...times,
    });
    expect(headers.get("location")).toBe(`/artists/${json.id}`);
    expect(await versionsOf(json.id)).toMatchObject([
      {
        version: 1,
        updaterId: member.id,
        name: "bob_ross",
        urls: ["https://bob.example/art", "-http://old.example/"],
        isActive: true,
      },
    ]);
    expect(await test.board.database.tag.findUnique({ where: { name: "bob_ross" } })).toMatchObject({ category: 1 });
  });

  it("accepts other names separated by spaces, and as a list of names with spaces", async () => {
    const blanks = await create({ other_names: "one two" });
    const list = await create({ other_names: ["three", "Bob Ross"] });
    expect((await show(blanks.id)).other_names).toEqual(["one", "two"]);
    expect((await show(list.id)).other_names).toEqual(["three", "Bob_Ross"]);
  });

  it("creates an inactive artist for Builders", async () => {
    const { id } = await create({ is_active: "0" }, builder);
    expect(await show(id)).toMatchObject({ is_active: false, is_deleted: true });
  });

  it("returns the envelope in XML", async () => {
    const { text } = await member.client.post("/artists.xml", { artist: { name: "xml_artist" } });
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
  });

  it("changes the category of a tag with few posts, not of a locked one", async () => {
    await test.make.post("general_so_far locked_tag");
    await test.board.database.tag.update({ where: { name: "locked_tag" }, data: { isLocked: true } });
    await create({ name: "general_so_far" });
    await create({ name: "locked_tag" });
    const tags = await test.board.database.tag.findMany({
      where: { name: { in: ["general_so_far", "locked_tag"] } },
      orderBy: { name: "asc" },
    });
    expect(tags.map((tag) => tag.category)).toEqual([1, 0]);
  });

  it("423 for a taken name", async () => {
    const { name } = await create();
    await refused(
      () => member.client.post("/artists.json", { artist: { name: name.toUpperCase() } }),
      423,
      "name is already taken",
    );
  });

  it.each([
    ["a blank name", { name: " " }, "name can't be blank"],
    ["a name that begins with a dash", { name: "-bob" }, "name is invalid"],
    ["a name that begins with a tilde", { name: "~bob" }, "name is invalid"],
    ["a name with an asterisk", { name: "b*b" }, "name is invalid"],
    ["a name with a comma", { name: "a,b" }, "name is invalid"],
    ["a name like a meta-tag", { name: "rating:bob" }, "name begins with the meta-tag rating"],
    ["a long name", { name: "a".repeat(171) }, "name is too long (at most 170 characters)"],
    [
      "a long other name",
      { other_names: "a".repeat(81) },
      `other_names has "${"a".repeat(50)}…", which is too long (at most 80 characters)`,
    ],
    ["many other names", { other_names: [...Array(51).keys()].join(" ") }, "other_names has more than 50 entries"],
    ["a long group", { group_name: "a".repeat(171) }, "group_name is too long (at most 170 characters)"],
    [
      "a URL of another kind",
      { url_string: "ftp://a.example" },
      'url_string has "ftp://a.example", which is not an http or https URL',
    ],
    [
      "a long URL",
      { url_string: `http://a.example/${"a".repeat(600)}` },
      `url_string has "http://a.example/${"a".repeat(33)}…", which is too long (at most 600 characters)`,
    ],
    [
      "many URLs",
      { url_string: [...Array(151).keys()].map((n) => `http://a.example/${n}`).join(" ") },
      "url_string has more than 150 entries",
    ],
    ["what no text can hold", { name: "a\0b" }, "name is invalid"],
  ])("420 for %s", async (_, artist, reason) => {
    const attributes = { name: `refused_${(serial += 1)}`, ...artist };
    const { json } = await refused(() => member.client.post("/artists.json", { artist: attributes }), 420, reason);
    expect(Object.keys(json.errors)).toEqual([reason.split(" ")[0]]);
  });

  it("424 without a name, 403 for visitors", async () => {
    const group = { artist: { group_name: "x" } };
    await refused(() => member.client.post("/artists.json", group), 424, "artist[name] is required");
    await refused(() => test.anonymous.post("/artists.json", { artist: { name: "x" } }), 403, "login required");
  });
});

describe("PUT /artists/{id}.json", () => {
  it("keeps, adds, removes and deactivates URLs; remaining ones keep their ids", async () => {
    const { id } = await create({ url_string: "http://a.example http://b.example http://c.example" });
    const [a, b] = (await show(id)).urls;
    const { json } = await edit(id, { url_string: "http://d.example\n-http://b.example\nhttp://a.example" });
    expect(
      json.urls.map((url: { id: number; url: string; is_active: boolean }) => [url.id, url.url, url.is_active]),
    ).toEqual([
      [a.id, "http://a.example", true],
      [b.id, "http://b.example", false],
      [expect.any(Number), "http://d.example", true],
    ]);
    expect((await versionsOf(id)).map((each) => each.urls)).toEqual([
      ["http://a.example", "http://b.example", "http://c.example"],
      ["http://a.example", "-http://b.example", "http://d.example"],
    ]);
  });

  it("changes sent fields and keeps the rest; no change creates no version", async () => {
    const { id, name } = await create({ group_name: "g", other_names: "o", url_string: "http://a.example" });
    const { json } = await edit(id, { group_name: "h" });
    expect(json).toMatchObject({ name, group_name: "h", other_names: ["o"], url_string: "http://a.example" });
    await edit(id, { group_name: "h", url_string: "http://a.example", other_names_comma: "o", is_active: "false" });
    expect((await versionsOf(id)).map(({ version, groupName }) => [version, groupName])).toEqual([
      [1, "g"],
      [2, "h"],
    ]);
  });

  it("clears fields with blank values", async () => {
    const { id } = await create({ group_name: "g", other_names: "o", url_string: "http://a.example" });
    const { json } = await edit(id, { group_name: "", other_names: "", url_string: "" });
    expect(json).toMatchObject({ group_name: "", other_names: [], urls: [] });
  });

  it("renames, and creates a tag for the new name", async () => {
    const { id } = await create();
    expect((await edit(id, { name: "Renamed Artist" })).json.name).toBe("renamed_artist");
    expect(await test.board.database.tag.findUnique({ where: { name: "renamed_artist" } })).toMatchObject({
      category: 1,
    });
  });

  it("accepts is_active only from Builder on", async () => {
    const { id } = await create();
    expect((await edit(id, { is_active: "0" }, platinum)).json.is_active).toBe(true);
    expect((await edit(id, { is_active: "0" }, builder)).json.is_active).toBe(false);
  });

  it("420 for a name of another artist, 404 for an unknown id, 403 for visitors", async () => {
    const [{ id }, other] = [await create(), await create()];
    await refused(() => edit(id, { name: other.name }), 420, "name is already taken");
    await refused(() => edit(999_999, { name: "x" }), 404, "not found");
    await refused(() => test.anonymous.put(`/artists/${id}.json`, { artist: { name: "x" } }), 403, "login required");
  });
});

describe("DELETE /artists/{id}.json and POST /artists/{id}/undelete.json", () => {
  it("delete and undelete, each with a version, and once", async () => {
    const { id } = await create();
    expect((await builder.client.delete(`/artists/${id}.json`)).json).toMatchObject({
      success: true,
      is_active: false,
    });
    await builder.client.delete(`/artists/${id}.json`);
    expect((await builder.client.post(`/artists/${id}/undelete.json`)).json).toMatchObject({ is_deleted: false });
    expect((await versionsOf(id)).map(({ version, isActive }) => [version, isActive])).toEqual([
      [1, true],
      [2, false],
      [3, true],
    ]);
  });

  it("403 below Builder, 404 for an unknown artist", async () => {
    const { id } = await create();
    await refused(() => platinum.client.delete(`/artists/${id}.json`), 403, "access denied");
    await refused(() => platinum.client.post(`/artists/${id}/undelete.json`), 403, "access denied");
    await refused(() => builder.client.delete("/artists/999999.json"), 404, "not found");
    await refused(() => builder.client.post("/artists/999999/undelete.json"), 404, "not found");
  });
});

describe("PUT /artists/{id}/revert.json", () => {
  it("restores name, other names, group, URLs and state, with a version", async () => {
    const before = { other_names: "o", group_name: "g", url_string: "http://a.example -http://b.example" };
    const { id, name } = await create(before);
    const [first] = await versionsOf(id);
    await edit(id, { name: `${name}_x`, other_names: "p", group_name: "h", url_string: "http://c.example" });
    await builder.client.delete(`/artists/${id}.json`);
    const { json } = await member.client.put(`/artists/${id}/revert.json`, { version_id: first?.id });
    expect(json).toMatchObject({
      success: true,
      name,
      other_names: ["o"],
      group_name: "g",
      url_string: "http://a.example\n-http://b.example",
      is_active: true,
    });
    await member.client.put(`/artists/${id}/revert.json`, { version_id: first?.id });
    expect((await versionsOf(id)).map((each) => each.version)).toEqual([1, 2, 3, 4]);
  });

  it("404 for a version of another artist, 424 without one, 420 if the name is taken now, 403 for visitors", async () => {
    const [one, other] = [await create(), await create()];
    const [first] = await versionsOf(one.id);
    const [foreign] = await versionsOf(other.id);
    const revert = (versionId?: number, by = member.client) =>
      by.put(`/artists/${one.id}/revert.json`, { version_id: versionId });
    await refused(() => revert(foreign?.id), 404, "not found");
    await refused(() => revert(), 424, "version_id is required");
    await refused(() => revert(first?.id, test.anonymous), 403, "login required");
    await edit(one.id, { name: `${one.name}_x` });
    await edit(other.id, { name: one.name });
    await refused(() => revert(first?.id), 420, "name is already taken");
  });
});

describe("several requests at once", () => {
  const all = (work: (index: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: 12 }, (_, index) => work(index)));

  it("give a name to one artist, and the others the same refusal as later", async () => {
    const made = await all(() => builder.client.post("/artists.json", { artist: { name: "of_many" } }));
    expect(tally(made)).toEqual({ "200 ": 1, "423 name is already taken": 11 });
    const others = await Promise.all(Array.from({ length: 12 }, () => create({}, builder)));
    const renamed = await all((index) => edit(others[index]?.id ?? 0, { name: "of_many_more" }, builder));
    expect(tally(renamed)).toEqual({ "200 ": 1, "420 name is already taken": 11 });
  });
});
