/** Search keys that clients send: synonyms of existing ones, and unknown ones, which a header lists. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Params } from "../support/client.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

const unknownOf = ({ headers }: Answer): string | null => headers.get("x-unknown-parameters");
const get = (path: string, params: Params): Promise<Answer> => test.anonymous.get(path, params);
const idsOf = ({ json }: Answer): number[] => (json as { id: number }[]).map(({ id }) => id);

describe("X-Unknown-Parameters", () => {
  it("lists unknown search keys, which are ignored", async () => {
    const answer = await get("/tags.json", { search: { name: "none", colour: "red", size_gt: 3 } });
    expect([answer.status, answer.json, unknownOf(answer)]).toEqual([200, [], "search[colour], search[size_gt]"]);
    expect(unknownOf(await get("/tags.xml", { search: { colour: "red" } }))).toBe("search[colour]");
  });

  it("is absent if all keys are known, or there are none", async () => {
    const answers = [
      await get("/tags.json", { search: { name: "none", sort: "name" } }),
      await get("/tags.json", { colour: "red" }),
      await get("/posts.json", { tags: "none" }),
    ];
    expect(answers.map(unknownOf)).toEqual([null, null, null]);
  });

  it("is sent for operations without a search, and readable by pages of other sites", async () => {
    const answer = await get("/posts.json", { search: { name: "x" } });
    expect([answer.status, unknownOf(answer)]).toEqual([200, "search[name]"]);
    expect(answer.headers.get("access-control-expose-headers")).toContain("X-Unknown-Parameters");
  });

  it("has at most twenty names, and only valid ones", async () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key_${index}`, "x"]));
    const answer = await get("/tags.json", {
      search: { "a\r\nSet-Cookie: b": "x", é: "x", ["x".repeat(65)]: "x", ...many },
    });
    expect(answer.status).toBe(200);
    expect(unknownOf(answer)?.split(", ")).toEqual(
      Object.keys(many)
        .slice(0, 20)
        .map((key) => `search[${key}]`),
    );
    expect(answer.headers.get("set-cookie")).toBeNull();
  });
});

describe("aliases of parameters", () => {
  it("GET /pools.json?search[name_contains] is search[name_matches]", async () => {
    const { client } = await test.make.user("Builder");
    for (const name of ["spring days", "autumn days", "nights"])
      await client.post("/pools.json", { pool: { name, description: "x" } });
    const answer = await get("/pools.json", { search: { name_contains: "days", order: "name" } });
    expect((answer.json as { name: string }[]).map(({ name }) => name)).toEqual(["autumn_days", "spring_days"]);
    expect(unknownOf(answer)).toBeNull();
  });

  it("GET /tags.json?search[name_comma] is search[name]", async () => {
    await test.make.post("sea_of_names sky_of_names third_name");
    const answer = await get("/tags.json", { search: { name_comma: "sea_of_names,sky_of_names", order: "name" } });
    expect((answer.json as { name: string }[]).map(({ name }) => name)).toEqual(["sea_of_names", "sky_of_names"]);
    const beside = await get("/tags.json", { search: { name: "", name_comma: "third_name" } });
    expect(beside.json).toMatchObject([{ name: "third_name" }]);
  });

  it("424 names a parameter as it was sent", async () => {
    const { client } = await test.make.user();
    const sort = await get("/artists.json", { search: { sort: "size", order: "" } });
    const ids = await client.post("/favorite_groups.json", { favorite_group: { name: "x", post_ids_string: "one" } });
    expect([sort.status, sort.json.errors, ids.status, ids.json.errors]).toEqual([
      424,
      { "search[sort]": ["must be one of name, date, updated_at, post_count"] },
      424,
      { "favorite_group[post_ids_string]": ["is invalid"] },
    ]);
  });

  it("GET /related_tag.json?search[query] is query, which is required in either form", async () => {
    await test.make.post("red_sail boat_with_sail");
    const [inside, outside] = [
      await get("/related_tag.json", { search: { query: "red_sail" } }),
      await get("/related_tag.json", { query: "red_sail" }),
    ];
    expect([inside.status, inside.json, unknownOf(inside)]).toEqual([200, outside.json, null]);
    const beside = await get("/related_tag.json", { query: "", search: { query: "red_sail" } });
    expect([beside.status, beside.json]).toEqual([200, outside.json]);
    expect((await get("/related_tag.json", { search: { other: "x" } })).status).toBe(424);
  });

  it("names of artists, users, wiki pages and forum topics may be outside of search[...]", async () => {
    const { client } = await test.make.user("Member", "captain");
    for (const name of ["mira", "nora"]) {
      await client.post("/artists.json", { artist: { name } });
      await client.post("/wiki_pages.json", { wiki_page: { title: name, body: "Paints." } });
      const original_post_attributes = { body: "Which?" };
      await client.post("/forum_topics.json", { forum_topic: { title: name, original_post_attributes } });
    }
    const namesOf = ({ json }: Answer) =>
      (json as { name?: string; title?: string }[]).map(({ name, title }) => name ?? title);
    expect(namesOf(await get("/artists.json", { name: "mira" }))).toEqual(["mira"]);
    expect(namesOf(await get("/users.json", { name: "capt*" }))).toEqual(["captain"]);
    expect(namesOf(await get("/wiki_pages.json", { title: "mira" }))).toEqual(["mira"]);
    expect(namesOf(await get("/forum_topics.json", { title: "mira" }))).toEqual(["mira"]);
    expect(namesOf(await get("/forum_topics.json", { title_matches: "mir*" }))).toEqual(["mira"]);
  });

  it("GET /favorites.json?user_id is search[user_id]", async () => {
    const [one, two] = [await test.make.user(), await test.make.user()];
    const post = await test.make.post();
    for (const { client } of [one, two]) await client.post("/favorites.json", { post_id: post.id });
    const answer = await get("/favorites.json", { user_id: one.id });
    expect((answer.json as { user_id: number }[]).map((favorite) => favorite.user_id)).toEqual([one.id]);
    expect((await get("/favorites.json", { user_id: one.id, search: { user_id: two.id } })).json).toMatchObject([
      { user_id: two.id },
    ]);
    expect((await get("/favorites.json", { user_id: one.id, search: { user_id: "" } })).json).toEqual(answer.json);
  });
});

describe("GET /post_versions.json by changed tags", () => {
  let post: number;
  let versions: number[];
  beforeAll(async () => {
    const { id, uploader } = await test.make.post("kept_one gone_one");
    post = id;
    await uploader.client.put(`/posts/${id}.json`, { post: { tag_string: "kept_one new_one new_two" } });
    await uploader.client.put(`/posts/${id}.json`, { post: { rating: "e" } });
    versions = idsOf(await get("/post_versions.json", { search: { post_id: id } })).toReversed();
  });
  const found = async (search: Params): Promise<number[]> =>
    idsOf(await get("/post_versions.json", { search: { post_id: post, ...search } }));

  it.each<[string, string, number[]]>([
    ["changed_tags", "gone_one", [1, 0]],
    ["changed_tags", "gone_one new_one", [1]],
    ["all_changed_tags", "GONE_ONE new_two", [1]],
    ["changed_tags", "kept_one", [0]],
    ["added_tags_include_all", "new_one new_two", [1]],
    ["added_tags_include_all", "gone_one", [0]],
    ["added_tags_include_all", "new_one nobodys_tag", []],
    ["removed_tags_include_all", "gone_one", [1]],
    ["removed_tags_include_all", "new_one", []],
  ])("search[%s]=%s", async (key, names, expected) => {
    expect(await found({ [key]: names })).toEqual(expected.map((index) => versions[index]));
  });
});
