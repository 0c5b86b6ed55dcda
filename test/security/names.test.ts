/** User names that look like another's, and invisible names of records. */
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
    ["a blank of musical notation", "mira\u{1D159}"],
    ["a filler of the Khitan script", "王\u{16FE4}"],
    ["an invisible mark of another script among Latin letters", "mira\u{1BC9D}"],
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
  ["a zero-width space", "\u200B", 424],
  ["a right-to-left override among letters", "a\u202Eb", 420],
  ["a Hangul filler", "\u3164", 424],
  ["a Hangul filler after letters", "unseen\u3164", 420],
  ["a blank of Braille", "\u2800", 424],
  ["a blank of musical notation", "\u{1D159}", 424],
  ["joiners only", "\u200C\u200D", 424],
  ["a variation selector only", "\uFE0F", 424],
  ["a code point that is no character", "\uFFFE", 424],
  ["a code point that is no character after letters", "unseen\uFFFF", 420],
  ["underscores only, which are displayed as spaces", "__", 420],
])("a name of %s", (_, name, status) => {
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
    expect(answers.map((answer) => answer.status)).toEqual([status, status, status, 420, 420]);
    const isMissing = status === 424;
    expect(answers[0]?.json.reason).toBe(isMissing ? "pool[name] is required" : "name is invalid");
    expect(answers[2]?.json.reason).toBe(isMissing ? "wiki_page[title] is required" : "title is invalid");
    expect(await count()).toEqual(before);
  });
});

describe("a record with an invisible name from before the rule", () => {
  it("can still be edited, and posts can still be added by tag strings", async () => {
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

describe("a title or text without visible characters", () => {
  const unseen = " \u200B\u2800\u3164\uFE0F\u{E0020}\u202E\uFDD0\u{1FFFF} ";
  const topic = (title: string, body: string) => ({ forum_topic: { title, original_post_attributes: { body } } });

  it("counts as blank", async () => {
    const { id: post_id } = await test.make.post();
    const { client, name } = member;
    const { json: opened } = await client.post("/forum_topics.json", topic("seen", "seen"));
    const answers = [
      await client.post("/forum_topics.json", topic(unseen, "seen")),
      await client.post("/forum_topics.json", topic("seen", unseen)),
      await client.put(`/forum_topics/${opened.id}.json`, { forum_topic: { title: unseen } }),
      await client.post("/forum_posts.json", { forum_post: { topic_id: opened.id, body: unseen } }),
      await client.post("/comments.json", { comment: { post_id, body: unseen } }),
      await client.post("/dmails.json", { dmail: { to_name: name, title: unseen, body: "seen" } }),
      await client.post("/dmails.json", { dmail: { to_name: name, title: "seen", body: unseen } }),
      await client.post("/post_flags.json", { post_flag: { post_id, reason: unseen } }),
      await client.post("/wiki_pages.json", { wiki_page: { title: "seen_text", body: unseen } }),
    ];
    expect(answers.map(({ status, json }) => [status, json.reason])).toEqual([
      [424, "forum_topic[title] is required"],
      [424, "forum_topic[original_post_attributes][body] is required"],
      [420, "title can't be blank"],
      [424, "forum_post[body] is required"],
      [424, "comment[body] is required"],
      [420, "title can't be blank"],
      [420, "body can't be blank"],
      [424, "post_flag[reason] is required"],
      [424, "wiki_page[body] is required"],
    ]);
  });

  it("is kept if it is older than the rule: its topic can be locked", async () => {
    const { json: opened } = await member.client.post("/forum_topics.json", topic("seen", "seen"));
    await test.board.database.forumTopic.update({ where: { id: opened.id }, data: { title: "\u3164" } });
    const { client } = await test.make.user("Moderator");
    const { status, json } = await client.put(`/forum_topics/${opened.id}.json`, { forum_topic: { is_locked: true } });
    expect([status, json.is_locked]).toEqual([200, true]);
  });

  it("becomes (empty) in a note", async () => {
    const { id: post_id } = await test.make.post();
    const place = { x: 1, y: 1, width: 5, height: 5 };
    const { json } = await member.client.post("/notes.json", { note: { post_id, ...place, body: unseen } });
    expect(json.body).toBe("(empty)");
  });
});
