/** Names are stored with composed letters (Unicode NFC), and found in either spelling: names that look the same are the same. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import { approve } from "../support/jobs.js";

/** The same texts: each letter with its accent as one code point, and as two. */
const spellings = (text: string): [composed: string, decomposed: string] => [
  text.normalize("NFC"),
  text.normalize("NFD"),
];

let test: TestBoard;
let admin: TestUser;
beforeAll(async () => {
  test = await startBoard();
  admin = await test.make.user("Admin");
});
afterAll(() => test[Symbol.asyncDispose]());

const search = async (path: string, parameters: Record<string, unknown>): Promise<{ id: number; name: string }[]> =>
  (await admin.client.get(path, parameters as never)).json;
const idsOf = (rows: { id: number }[]): number[] => rows.map(({ id }) => id);
const tagString = async (id: number): Promise<string> => {
  const { json } = await admin.client.get(`/posts/${id}.json`);
  return (json.tag_string as string)
    .split(" ")
    .filter((name) => name !== "lowres")
    .join(" ");
};

describe("a tag", () => {
  const [composed, decomposed] = spellings("café_がめ");

  it("is one tag, however its letters are composed", async () => {
    const first = await test.make.post(composed);
    const second = await test.make.post(`ARTIST:${decomposed.toUpperCase()}`);
    expect([await tagString(first.id), await tagString(second.id)]).toEqual([composed, composed]);
    const tags = await search("/tags.json", { search: { name_matches: "caf*" } });
    expect(tags).toMatchObject([{ name: composed, post_count: 2, category: 1 }]);
    await admin.client.put(`/posts/${second.id}.json`, { post: { tag_string: `${composed} -${decomposed} tree` } });
    expect(await tagString(second.id)).toBe("tree");
    await test.make.post(decomposed);
  });

  it.each([
    ["posts by the tag", "/posts.json", (name: string) => ({ tags: name })],
    ["posts by the literal tag", "/posts.json", (name: string) => ({ tags: name, raw: 1 })],
    ["posts by a wildcard", "/posts.json", (name: string) => ({ tags: `${name.slice(0, -1)}*` })],
    ["posts without aliases", "/posts.json", (name: string) => ({ tags: `unaliased:${name}` })],
    ["tags by name", "/tags.json", (name: string) => ({ search: { name } })],
    ["tags by pattern", "/tags.json", (name: string) => ({ search: { name_matches: `*${name.slice(1)}` } })],
    ["suggestions", "/autocomplete.json", (name: string) => ({ search: { query: name.slice(0, -1) } })],
    ["suggestions of tags", "/tags/autocomplete.json", (name: string) => ({ search: { name_matches: name } })],
    ["versions", "/post_versions.json", (name: string) => ({ search: { changed_tags: name } })],
  ])("is found by a search for %s in both spellings", async (_, path, parameters) => {
    const found = await search(path, parameters(composed));
    expect(found.length).toBeGreaterThan(0);
    expect(await search(path, parameters(decomposed))).toEqual(found);
  });

  it("has related tags in both spellings", async () => {
    const [a, b] = await Promise.all([composed, decomposed].map((query) => search("/related_tag.json", { query })));
    expect(a).toMatchObject({ query: composed, post_count: 2 });
    expect(b).toEqual(a);
  });
});

describe("other names", () => {
  it("a pool is found and named in both spellings", async () => {
    const [composed, decomposed] = spellings("Über_allen");
    const made = await admin.client.post("/pools.json", { pool: { name: decomposed, description: "x" } });
    expect([made.status, made.json.name]).toEqual([200, composed]);
    const again = await admin.client.post("/pools.json", { pool: { name: composed, description: "x" } });
    expect([again.status, again.json.reason]).toEqual([423, "name is already taken"]);
    const { id } = await test.make.post(`tree pool:${decomposed}`);
    for (const name of [composed, decomposed]) {
      expect(idsOf(await search("/posts.json", { tags: `pool:${name}` }))).toEqual([id]);
      expect(idsOf(await search("/posts.json", { tags: `pool:${name.slice(0, -2)}*` }))).toEqual([id]);
      expect(idsOf(await search("/pools.json", { search: { name_matches: name } }))).toEqual([made.json.id]);
      expect(idsOf(await search("/pools.json", { search: { name } }))).toEqual([made.json.id]);
      expect(await search("/autocomplete.json", { search: { query: name, type: "pool" } })).toMatchObject([
        { value: composed },
      ]);
    }
  });

  it("a favorite group is found and named in both spellings", async () => {
    const [composed, decomposed] = spellings("ñandú");
    const { id } = await test.make.post("tree");
    const made = await admin.client.post("/favorite_groups.json", {
      favorite_group: { name: decomposed, post_ids: String(id) },
    });
    expect(made.json.name).toBe(composed);
    for (const name of [composed, decomposed])
      expect(idsOf(await search("/posts.json", { tags: `favgroup:${name}` }))).toEqual([id]);
  });

  it("a wiki page is found and named in both spellings", async () => {
    const [composed, decomposed] = spellings("garçon");
    const made = await admin.client.post("/wiki_pages.json", { wiki_page: { title: decomposed, body: "x" } });
    expect([made.status, made.json.title]).toEqual([200, composed]);
    for (const title of [composed, decomposed]) {
      expect((await admin.client.get(`/wiki_pages/${encodeURIComponent(title)}.json`)).json.id).toBe(made.json.id);
      expect(idsOf(await search("/wiki_pages.json", { search: { title } }))).toEqual([made.json.id]);
    }
  });

  it("an artist is found and named in both spellings", async () => {
    const [composed, decomposed] = spellings("andré");
    const made = await admin.client.post("/artists.json", { artist: { name: decomposed, group_name: decomposed } });
    expect([made.status, made.json.name, made.json.group_name]).toEqual([200, composed, composed]);
    for (const name of [composed, decomposed, `group:${decomposed}`])
      expect(idsOf(await search("/artists.json", { search: { name } }))).toEqual([made.json.id]);
  });

  it("an account is found, named and signed in to in both spellings", async () => {
    const [composed, decomposed] = spellings("Zoë");
    const user = { name: decomposed, password: "a password of zoe" };
    const made = await test.anonymous.post("/users.json", { user });
    expect([made.status, made.json.name]).toEqual([200, composed]);
    const taken = await test.anonymous.post("/users.json", { user: { ...user, name: composed } });
    expect([taken.status, taken.json.reason]).toEqual([423, "name is already taken"]);
    for (const name of [composed, decomposed]) {
      expect(idsOf(await search("/users.json", { search: { name } }))).toEqual([made.json.id]);
      expect((await test.anonymous.post("/session.json", { name, password: user.password })).status).toBe(200);
      const sent = await admin.client.post("/dmails.json", { dmail: { to_name: name, title: "x", body: "x" } });
      expect([sent.status, sent.json.to_id]).toEqual([200, made.json.id]);
    }
  });
});

describe("names from before they were composed", () => {
  it("an account keeps its name, and is found and signed in to by it", async () => {
    const [composed, decomposed] = spellings("Noël");
    const other = await test.make.user("Member", composed);
    const { id, password } = await test.make.user("Member", "noel");
    await test.board.database.user.update({ where: { id }, data: { name: decomposed } });
    for (const [name, expected] of [
      [composed, other.id],
      [decomposed, id],
    ] as const) {
      expect(
        (await admin.client.post("/dmails.json", { dmail: { to_name: name, title: "x", body: "x" } })).json.to_id,
      ).toBe(expected);
    }
    expect((await test.anonymous.post("/session.json", { name: decomposed, password })).status).toBe(200);
    await test.make.post("tree", {}, { ...other, id });
    await test.board.accountAdmin.rename(decomposed, "noel_again");
    expect((await test.board.users.byName("noel_again"))?.id).toBe(id);
  });

  it("a tag stays on its posts, can be removed from them, and is replaced by an alias", async () => {
    const [composed, decomposed] = spellings("mañana");
    const posts = [];
    for (let count = 0; count < 3; count += 1) posts.push((await test.make.post("manana tree")).id);
    const [kept = 0, removed = 0, other = 0] = posts;
    const { database } = test.board;
    await database.tag.update({ where: { name: "manana" }, data: { name: decomposed } });
    const edit = async (id: number, tag_string: string): Promise<string> => {
      const old_tag_string = await tagString(id);
      await admin.client.put(`/posts/${id}.json`, { post: { tag_string, old_tag_string } });
      return tagString(id);
    };
    expect(await edit(kept, `${decomposed} tree sea`)).toBe(`${decomposed} sea tree`);
    expect(await edit(removed, "tree")).toBe("tree");
    expect(await edit(other, `${composed} tree`)).toBe(`${decomposed} tree`);

    const id = await approve(admin, "Alias", decomposed, composed);
    await test.board.tagRelationApplier.apply("alias", id);
    expect([await tagString(kept), await tagString(other)]).toEqual([`${composed} sea tree`, `${composed} tree`]);
    expect(idsOf(await search("/posts.json", { tags: decomposed }))).toEqual([other, kept]);
  });
});

describe("a source that is no URL", () => {
  const [composed, decomposed] = spellings("Café, page 7");

  it("is found by a search for posts, and its upload, in both spellings", async () => {
    const { id } = await test.make.post("tree", { source: decomposed }, admin);
    for (const source of [composed, decomposed]) {
      expect(idsOf(await search("/posts.json", { tags: `source:"${source}"` }))).toEqual([id]);
      expect(await search("/uploads.json", { search: { source } })).toMatchObject([{ source: composed, post_id: id }]);
    }
  });
});

describe("capital letters whose lower case depends on their position, or is two letters", () => {
  const text = "ΔΡΌΜΟΣ_İ";

  it("are found as they are written", async () => {
    const { client } = admin;
    const { id } = await test.make.post("tree", { source: text }, admin);
    await client.post("/pools.json", { pool: { name: text, description: `on ${text}`, post_ids: id } });
    await client.post("/favorite_groups.json", { favorite_group: { name: text, post_ids: id } });
    await client.post("/comments.json", { comment: { post_id: id, body: text } });
    await client.post("/post_flags.json", { post_flag: { post_id: id, reason: text } });
    await client.post("/artists.json", { artist: { name: "somebody", other_names: text, group_name: text } });
    await client.post("/wiki_pages.json", { wiki_page: { title: "somebody", body: "x", other_names: text } });
    await client.post("/artist_commentaries/create_or_update.json", {
      artist_commentary: { post_id: id, original_title: text },
    });
    for (const tags of [`source:${text}`, `pool:${text}`, `ordpool:${text}`, `pool:*${text}`, `favgroup:${text}`])
      expect({ tags, ids: idsOf(await search("/posts.json", { tags })) }).toEqual({ tags, ids: [id] });
    for (const [path, parameters] of [
      ["/pools.json", { description_matches: text }],
      ["/comments.json", { body_matches: `*${text}` }],
      ["/post_flags.json", { reason_matches: text }],
      ["/artists.json", { name: `other:${text}` }],
      ["/artists.json", { name: `other:*${text}` }],
      ["/artists.json", { name: `group:${text}` }],
      ["/wiki_pages.json", { other_names_match: `*${text}` }],
      ["/artist_commentaries.json", { text_matches: text }],
      ["/autocomplete.json", { type: "pool", query: text }],
    ] as const) {
      const found = await search(path, { search: parameters });
      expect({ path, parameters, found: found.length }).toEqual({ path, parameters, found: 1 });
    }
  });
});
