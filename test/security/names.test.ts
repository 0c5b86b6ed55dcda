/** User names that look like another's, on any page, and names of records that nobody sees. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let member: TestUser;
beforeAll(async () => {
  test = await startBoard();
  await test.make.user("Admin", "mira");
  member = await test.make.user();
});
afterAll(() => test[Symbol.asyncDispose]());

const signUp = (name: string) => test.anonymous.post("/users.json", { user: { name, password: "a long password" } });

describe("a user name that looks like another's", () => {
  it.each([
    ["a zero-width space", "mi\u200Bra"],
    ["a zero-width joiner", "mi\u200Dra"],
    ["a right-to-left override", "\u202Earim"],
    ["a soft hyphen", "mi\u00ADra"],
    ["a Hangul filler", "mira\u3164"],
    ["a halfwidth Hangul filler", "mira\uFFA0"],
    ["a combining grapheme joiner", "mi\u034Fra"],
    ["a variation selector", "mira\uFE0F"],
    ["a blank of Braille", "mira\u2800"],
    ["letters of full width", "ｍｉｒａ"],
    ["mathematical letters", "𝐦𝐢𝐫𝐚"],
    ["a ligature", "ﬁra"],
    ["more marks than any letter has", `mira${"\u0301".repeat(40)}`],
    ["a Cyrillic letter among Latin ones", "mirа"],
    ["a capital letter with an accent that only its small form is composed with", "J\u030Cohn"],
    ["a Greek letter among Latin ones", "mirα"],
    ["a Cyrillic letter among Greek ones", "μοа"],
    ["an Armenian letter among Latin ones", "mօra"],
    ["a Cherokee letter among Latin ones", "miᎡa"],
    ["a Lisu letter among Latin ones", "mꓲra"],
    ["a Coptic letter among Latin ones", "mirⲟ"],
    ["a letter of Tifinagh among Latin ones", "mⵏra"],
    ["a zero of Devanagari among Latin letters", "mira०"],
  ])("is refused: %s", async (_, name) => {
    const before = await test.board.database.user.count();
    const { status, json } = await signUp(name);
    expect([status, json.errors]).toEqual([420, { name: ["is invalid"] }]);
    expect(await test.board.database.user.count()).toBe(before);
  });

  it.each(["Mira_2", "José", "Зоя", "Ζωή", "ミラx", "가나_kim", "عمر", "王小明2", "Անի", "สมชาย๒", "smile😀"])(
    "is accepted in any one alphabet: %s",
    async (name) => {
      const { status, json } = await signUp(name);
      expect([status, json.name]).toEqual([200, name]);
    },
  );
});

describe.each([
  ["a zero-width space", "\u200B"],
  ["a right-to-left override among letters", "a\u202Eb"],
  ["a Hangul filler", "\u3164"],
  ["a Hangul filler after letters", "unseen\u3164"],
  ["a blank of Braille", "\u2800"],
  ["joiners only", "\u200C\u200D"],
  ["a variation selector only", "\uFE0F"],
  ["underscores only, which are displayed as spaces", "__"],
])("a name of %s", (_, name) => {
  it("is refused for pools, favorite groups, wiki pages, artists and tags", async () => {
    const { id } = await test.make.post();
    const { database } = test.board;
    const count = async () => [
      await database.pool.count(),
      await database.favoriteGroup.count(),
      await database.wikiPage.count(),
      await database.artist.count(),
      await database.tag.count(),
    ];
    const before = await count();
    const { client } = member;
    const answers = [
      await client.post("/pools.json", { pool: { name, description: "x" } }),
      await client.post("/favorite_groups.json", { favorite_group: { name } }),
      await client.post("/wiki_pages.json", { wiki_page: { title: name, body: "x" } }),
      await client.post("/artists.json", { artist: { name } }),
      await client.put(`/posts/${id}.json`, { post: { tag_string: `tag_me_not ${name}` } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([420, 420, 420, 420, 420]);
    expect(answers[0]?.json.errors).toEqual({ name: ["is invalid"] });
    expect(answers[2]?.json.errors).toEqual({ title: ["is invalid"] });
    expect(await count()).toEqual(before);
  });
});

describe("a record of a name from before that is not seen", () => {
  it("can be edited otherwise, and get posts by their tags", async () => {
    const { id: post } = await test.make.post();
    const { database } = test.board;
    const { client } = member;
    const { json: pool } = await client.post("/pools.json", { pool: { name: "seen", description: "x" } });
    const { json: page } = await client.post("/wiki_pages.json", { wiki_page: { title: "seen", body: "x" } });
    const { json: group } = await client.post("/favorite_groups.json", { favorite_group: { name: "seen" } });
    await database.pool.update({ where: { id: pool.id }, data: { name: "\u3164" } });
    await database.wikiPage.update({ where: { id: page.id }, data: { title: "\u3164" } });
    await database.favoriteGroup.update({ where: { id: group.id }, data: { name: "\u3164" } });
    const answers = [
      await client.put(`/pools/${pool.id}.json`, { pool: { description: "y" } }),
      await client.put(`/posts/${post}.json`, { post: { tag_string: `tag_me_not pool:${pool.id}` } }),
      await client.put(`/wiki_pages/${page.id}.json`, { wiki_page: { body: "y" } }),
      await client.put(`/favorite_groups/${group.id}/add_post.json`, { post_id: post }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await client.get(`/pools/${pool.id}.json`)).json.post_ids).toEqual([post]);
  });

  it.each(["می\u200Cخواهم", "family_👨\u200D👩\u200D👧", "heart_❤\uFE0F", "葛\u{E0100}", "_a_"])(
    "a name with joiners and selectors that letters and emoji need is accepted: %s",
    async (name) => {
      const { status, json } = await member.client.post("/pools.json", { pool: { name, description: "x" } });
      expect([status, json.name]).toEqual([200, name]);
    },
  );
});
