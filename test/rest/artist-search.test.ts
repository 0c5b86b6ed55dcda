import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let builder: TestUser;
let other: TestUser;

const create = async (artist: Params, by = builder): Promise<number> => {
  const answer = await by.client.post("/artists.json", { artist });
  if (answer.status !== 200) throw new Error(answer.text);
  return (answer.json as { id: number }).id;
};

beforeAll(async () => {
  test = await startBoard();
  builder = await test.make.user("Builder");
  other = await test.make.user("Builder");
  await create({ name: "bob", url_string: "http://artists.example/bob/image.jpg https://personal.example/x/test.jpg" });
  await create({ name: "bobross", url_string: "http://artists.example/bobross/image.jpg", other_names: "Bobby happy" });
  await create({ name: "alice", other_names_comma: "Alice Liddell,bob_fan", group_name: "Tea Party" });
  await create({ name: "carol", url_string: "https://twitter.com/Carol", group_name: "tea_party" }, other);
  await create({ name: "gone", url_string: "http://gone.example/a", is_active: "0" });
  const dave = await create({ name: "dave", url_string: "https://www.pixiv.net/users/1" });
  await test.board.database.artist.update({ where: { id: dave }, data: { isBanned: true } });
  await test.make.post("alice carol");
  await test.make.post("carol");
});
afterAll(() => test[Symbol.asyncDispose]());

/** The names found, in the order of the answer. */
const names = async (search: Params, path = "/artists.json", more: Params = {}): Promise<string[]> =>
  ((await test.anonymous.get(path, { search, ...more })).json as { name: string }[]).map((artist) => artist.name);
const named = (name: string): Promise<string[]> => names({ name });

const ALL = ["dave", "gone", "carol", "alice", "bobross", "bob"];

describe("search[name]", () => {
  it.each([
    ["the name", "bob", ["bob"]],
    ["the name in any case, blanks as underscores", " BoB ", ["bob"]],
    ["a pattern of the name or the other names", "bob*", ["bobross", "bob"]],
    ["another name", "alice_liddell", ["alice"]],
    ["another name with a blank", "Alice Liddell", ["alice"]],
    ["a name that nobody has", "nobody", []],
    ["name: the name alone", "name:bobby", []],
    ["name: exactly", "name:bob", ["bob"]],
    ["name: as a pattern", "name:*b*", ["bobross", "bob"]],
    ["other: one of the other names, in any case", "other:BOBBY", ["bobross"]],
    ["other: not a part of one", "other:bob", []],
    ["other: not the name", "other:alice", []],
    ["other: as a pattern over all", "other:*happy*", ["bobross"]],
    ["group: with a blank or an underscore", "group:tea party", ["carol", "alice"]],
    ["group: as a pattern", "group:TEA*", ["carol", "alice"]],
    ["group: another", "group:tea", []],
    ["status:banned", "status:banned", ["dave"]],
    ["status:active, which banned artists are not", "status:active", ["carol", "alice", "bobross", "bob"]],
    ["what no text can hold", "a\0b", []],
    ["blank", " ", ALL],
    ["LIKE's own wildcards as themselves", "b%b", []],
  ])("%s: %s", async (_, name, found) => expect(await named(name)).toEqual(found));
});

describe("search[name] with a URL", () => {
  it.each([
    ["one of the same folder", "http://artists.example/bob/test.jpg", ["bob"]],
    ["the same by https", "https://artists.example/bob/image.jpg", ["bob"]],
    ["the host in any case", "HTTP://ARTISTS.example/bob/image.jpg", ["bob"]],
    ["the folder without a slash", "http://artists.example/bobross", ["bobross"]],
    ["anything on a host of two artists", "http://artists.example/x", ["bobross", "bob"]],
    ["anything on a host of one artist", "http://personal.example/other/path?x=1", ["bob"]],
    ["a status of an account", "https://twitter.com/carol/status/123", ["carol"]],
    ["another account of the same site", "https://twitter.com/somebody", []],
    ["another page of a site of many artists", "https://www.pixiv.net/users/2", []],
    ["a deleted artist's", "http://gone.example/a", []],
    ["nobody's", "http://nobody.example/a", []],
    ["no host", "http://", []],
  ])("%s: %s", async (_, url, found) => {
    expect(await named(url)).toEqual(found);
    expect(await names({ url_matches: url })).toEqual(found);
  });

  it("finds at most ten, the first by name", async () => {
    for (let count = 10; count <= 21; count += 1) {
      await create({ name: `crowd_${count}`, url_string: `http://crowd.example/${count}` });
    }
    const found = await names({ name: "http://crowd.example/zzz", order: "name" });
    expect(found).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19].map((n) => `crowd_${n}`));
    await test.board.database.artist.deleteMany({ where: { name: { startsWith: "crowd_" } } });
  });
});

describe("the other searches", () => {
  it.each([
    ["any_name_matches: name", { any_name_matches: "carol" }, ["carol"]],
    ["any_name_matches: other name", { any_name_matches: "bobby" }, ["bobross"]],
    ["any_name_matches: group", { any_name_matches: "tea_*" }, ["carol", "alice"]],
    ["group_name", { group_name: "Tea Party" }, ["carol", "alice"]],
    ["url_matches: a part", { url_matches: "PERSONAL" }, ["bob"]],
    ["url_matches: a pattern", { url_matches: "*.example/bob/*" }, ["bob"]],
    ["is_active", { is_active: "false" }, ["gone"]],
    ["is_deleted", { is_deleted: "yes" }, ["gone"]],
    ["is_deleted no", { is_deleted: "no" }, ALL.filter((name) => name !== "gone")],
    ["is_banned", { is_banned: "true" }, ["dave"]],
    ["empty_only", { empty_only: "true" }, ["dave", "gone", "bobross", "bob"]],
    ["empty_only false is nothing", { empty_only: "false" }, ALL],
    ["order name", { order: "name" }, [...ALL].sort()],
    ["sort name", { sort: "name" }, [...ALL].sort()],
    ["order date", { order: "date" }, ALL],
    ["order post_count", { order: "post_count" }, ["carol", "alice", "dave", "gone", "bobross", "bob"]],
    ["two at once", { name: "bob*", order: "name" }, ["bob", "bobross"]],
  ])("%s", async (_, search, found) => expect(await names(search)).toEqual(found));

  it("creator and id, also lists of ids; invalid values match nothing", async () => {
    expect(await names({ creator_name: other.name.toUpperCase() })).toEqual(["carol"]);
    expect(await names({ creator_id: other.id })).toEqual(["carol"]);
    expect(await names({ creator_name: "nobody_at_all" })).toEqual([]);
    const rows = await test.board.database.artist.findMany({ where: { name: { in: ["bob", "alice"] } } });
    expect(await names({ id: rows.map((row) => row.id).join(",") })).toEqual(["alice", "bob"]);
    expect(await names({ id: "x" })).toEqual([]);
  });

  it("orders by the last change", async () => {
    const { id } = await test.board.database.artist.findUniqueOrThrow({ where: { name: "bob" } });
    await builder.client.put(`/artists/${id}.json`, { artist: { group_name: "g" } });
    expect((await names({ order: "updated_at" }))[0]).toBe("bob");
  });

  it("424 for an unknown order and an invalid boolean", async () => {
    const order = await test.anonymous.get("/artists.json", { search: { order: "size" } });
    const flag = await test.anonymous.get("/artists.json", { search: { is_banned: "perhaps" } });
    expect([order.status, order.json.reason]).toEqual([
      424,
      "search[order] must be one of name, date, updated_at, post_count",
    ]);
    expect([flag.status, flag.json.reason]).toEqual([424, "search[is_banned] is invalid"]);
  });

  it("pages by number and by id", async () => {
    const page = (number: string) => names({}, "/artists.json", { limit: 2, page: number });
    const { id } = await test.board.database.artist.findUniqueOrThrow({ where: { name: "alice" } });
    expect(await page("1")).toEqual(["dave", "gone"]);
    expect(await page("2")).toEqual(["carol", "alice"]);
    expect(await page(`b${id}`)).toEqual(["bobross", "bob"]);
    expect(await page(`a${id}`)).toEqual(["gone", "carol"]);
    expect(await page("9")).toEqual([]);
  });

  it("lists in XML", async () => {
    const { text } = await test.anonymous.get("/artists.xml", { search: { name: "bob" } });
    expect(text).toContain('<artists type="array"><artist><id type="integer">');
    const empty = await test.anonymous.get("/artists.xml", { search: { name: "nobody" } });
    expect(empty.text).toBe('<?xml version="1.0" encoding="UTF-8"?><artists type="array"/>');
  });
});

describe("GET /artists/banned.json", () => {
  it("lists banned artists by name, with the searches and pages of the list", async () => {
    const erin = await create({ name: "erin" });
    await test.board.database.artist.update({ where: { id: erin }, data: { isBanned: true } });
    expect(await names({}, "/artists/banned.json")).toEqual(["dave", "erin"]);
    expect(await names({ order: "date" }, "/artists/banned.json")).toEqual(["erin", "dave"]);
    expect(await names({ name: "d*" }, "/artists/banned.json")).toEqual(["dave"]);
    expect(await names({}, "/artists/banned.json", { limit: 1, page: 2 })).toEqual(["erin"]);
    expect((await test.anonymous.get("/artists/banned.xml")).text).toContain("<name>dave</name>");
    await test.board.database.artist.delete({ where: { id: erin } });
  });
});

describe("GET /artists/{id}", () => {
  it("in XML, with its URLs as a list", async () => {
    const id = await create({ name: "in_xml", url_string: "http://a.example", other_names: "x" });
    const { text } = await test.anonymous.get(`/artists/${id}.xml`);
    expect(text).toContain(`<artist><id type="integer">${id}</id><name>in_xml</name>`);
    expect(text).toContain('<other-names type="array"><other-name>x</other-name></other-names>');
    expect(text).toMatch(/<urls type="array"><url><id type="integer">\d+<\/id>/);
    expect(text).toContain('<is-banned type="boolean">false</is-banned>');
    await test.board.database.artist.delete({ where: { id } });
  });

  it("404 for an unknown artist", async () => {
    expect((await test.anonymous.get("/artists/999999.json")).status).toBe(404);
  });
});

describe("GET /artist_urls.json", () => {
  it("lists URLs, newest first, by artist, URL and state", async () => {
    const artist = await create({ name: "links", url_string: "http://one.example -http://Two.example" });
    const urls = async (search: Params) =>
      ((await test.anonymous.get("/artist_urls.json", { search })).json as { url: string }[]).map(({ url }) => url);
    expect(await urls({ artist_id: artist })).toEqual(["http://Two.example", "http://one.example"]);
    expect(await urls({ artist_id: artist, is_active: "true" })).toEqual(["http://one.example"]);
    expect(await urls({ url_matches: "HTTP://two.example" })).toEqual(["http://Two.example"]);
    expect(await urls({ url_matches: "*/one.ex*" })).toEqual(["http://one.example"]);
    expect((await test.anonymous.get("/artist_urls.xml", { limit: 1 })).text).toContain(
      '<artist-urls type="array"><artist-url>',
    );
    await test.board.database.artist.delete({ where: { id: artist } });
  });
});

describe("GET /artist_versions.json", () => {
  it("finds by name, artist, updater and state, and shows one", async () => {
    const id = await create({ name: "frank", other_names: "fr", url_string: "http://frank.example" });
    await other.client.put(`/artists/${id}.json`, { artist: { name: "frankie" } });
    await builder.client.delete(`/artists/${id}.json`);
    const found = async (search: Params) =>
      ((await test.anonymous.get("/artist_versions.json", { search })).json as { version: number }[]).map(
        (each) => each.version,
      );
    expect(await found({ artist_id: id })).toEqual([3, 2, 1]);
    expect(await found({ name: "frank" })).toEqual([1]);
    expect(await found({ name: "FRANK*" })).toEqual([3, 2, 1]);
    expect(await found({ name: "frank*", order: "name" })).toEqual([1, 3, 2]);
    expect(await found({ name: "frank*", updater_id: other.id })).toEqual([2]);
    expect(await found({ name: "frank*", updater_name: builder.name })).toEqual([3, 1]);
    expect(await found({ name: "frank*", is_active: "false" })).toEqual([3]);
    expect(await found({ name: "frank*", is_banned: "true" })).toEqual([]);
    const [version] = (await test.anonymous.get("/artist_versions.json", { search: { name: "frank" } })).json;
    expect((await test.anonymous.get(`/artist_versions/${version.id}.json`)).json).toEqual(version);
    expect(version).toMatchObject({
      artist_id: id,
      updater_id: builder.id,
      updater_name: builder.name,
      name: "frank",
      other_names: ["fr"],
      group_name: "",
      urls: ["http://frank.example"],
      url_string: "http://frank.example",
      is_active: true,
      is_deleted: false,
      is_banned: false,
    });
    expect((await test.anonymous.get("/artist_versions/999999.json")).status).toBe(404);
    expect((await test.anonymous.get("/artist_versions.xml", { limit: 1 })).text).toContain(
      '<artist-versions type="array"><artist-version>',
    );
  });
});
