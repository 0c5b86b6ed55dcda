/** The edits of notes, pools, wiki pages, artists, commentaries and favorite groups: their changes, and reverts. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HISTORY_NAMES } from "../../web/histories.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { DESKTOP, expectAccessible, noChromium, openBrowser, PHONE, signIn, visit } from "../support/browser.js";
import type { Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

describe.skipIf(noChromium !== null)(`histories${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  let user: TestUser;
  let other: TestUser;
  let post: number;
  beforeAll(async () => {
    test = await startBoard();
    user = await test.make.user("Member", "mira");
    other = await test.make.user("Contributor", "olga");
    post = (await test.make.post("harbour", { file: await test.make.picture(900, 600) }, other)).id;
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  /** Makes a record and, by somebody else, edits it. @returns its number */
  async function edited(path: string, name: string, first: Params, second: Params): Promise<number> {
    const { json } = await user.client.post(`/${path}.json`, { [name]: first });
    const { status } = await other.client.put(`/${path}/${json.id}.json`, { [name]: second });
    expect(Math.floor(status / 100)).toBe(2);
    return json.id as number;
  }
  const note = () =>
    edited(
      "notes",
      "note",
      { post_id: post, x: 9, y: 9, width: 90, height: 60, body: "an old boat" },
      { x: 20, body: "a small <b>boat</b>" },
    );
  const pool = (name: string) =>
    edited(
      "pools",
      "pool",
      { name, description: "Some days by the sea.", post_ids: String(post) },
      { description: "Some weeks by the sea.", post_ids: "", category: "collection" },
    );
  const wikiPage = (title: string) =>
    edited(
      "wiki_pages",
      "wiki_page",
      { title, body: `Ships lie here. ${"Water. ".repeat(200)}` },
      { body: `Boats lie here. ${"Water. ".repeat(200)}`, other_names: "port" },
    );
  const artist = (name: string) =>
    edited(
      "artists",
      "artist",
      { name, url_string: "https://old.example/mira" },
      { group_name: "painters", url_string: "https://new.example/mira" },
    );
  async function begin(path: string, who: TestUser | null = user, options = DESKTOP) {
    const visitor = await visit(browser, test.url, options);
    if (who) await signIn(visitor, who);
    await visitor.page.goto(path);
    return visitor;
  }
  const versioned = (page: Page, number: number) =>
    page
      .getByRole("listitem")
      .filter({ hasText: `Version ${number}` })
      .first();
  const wordsOf = async (page: Page, number: number) =>
    (await versioned(page, number).innerText()).replace(/\s+/g, " ");
  async function revert(page: Page) {
    await page.getByRole("button", { name: "Revert to this, version 1" }).click();
    await versioned(page, 3).waitFor();
  }

  it("of notes is linked from the post, and reverts an edit", async () => {
    const id = await note();
    await using visitor = await begin(`/posts/${post}`);
    const { page, faults } = visitor;
    await page.getByRole("link", { name: "Edits of notes" }).click();
    await page.getByRole("heading", { name: `Edits of notes on post ${post}` }).waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: `Note ${id} on` })
      .getByRole("link", { name: "Version 2" })
      .click();
    await page.getByRole("heading", { name: `History of note ${id}` }).waitFor();
    await expect.poll(() => page.title()).toBe(`History of note ${id} · Graphbooru`);
    const newest = versioned(page, 2);
    await expect.poll(() => newest.locator("del").allInnerTexts()).toEqual(["an", "old", "9, 9"]);
    expect(await newest.locator("ins").allInnerTexts()).toEqual(["a", "small", "<b>", "</b>", "20, 9"]);
    expect(await newest.getByRole("button", { name: /^Revert/ }).count()).toBe(0);
    await revert(page);
    const { json } = await test.anonymous.get(`/notes/${id}.json`);
    expect([json.x, json.body]).toEqual([9, "an old boat"]);
    expect(faults).toEqual([]);
  });

  it("of pools is linked from their posts, and shows added and removed posts", async () => {
    const id = await edited(
      "pools",
      "pool",
      { name: "harbour_days", description: "Some days by the sea." },
      { description: "Some weeks by the sea.", post_ids: String(post), is_active: "false" },
    );
    await using visitor = await begin(`/posts/${post}`);
    const { page, faults } = visitor;
    await page.getByRole("paragraph").filter({ hasText: "In the pool" }).getByRole("link", { name: "Edits" }).click();
    await page.getByRole("heading", { name: `History of pool ${id}` }).waitFor();
    const text = await wordsOf(page, 2);
    expect(text).toContain(`Added ${post}`);
    expect(text).toContain("Some daysweeks by the sea.");
    expect(text).toContain("ongoing → complete");
    await revert(page);
    const { json } = await test.anonymous.get(`/pools/${id}.json`);
    expect([json.post_ids, json.description]).toEqual([[], "Some days by the sea."]);
    expect(faults).toEqual([]);
  });

  it("of wiki pages shows the words that changed, with some of the text around them", async () => {
    const id = await wikiPage("harbour");
    await using visitor = await begin(`/wiki_page_versions?search[wiki_page_id]=${id}`);
    const { page, faults } = visitor;
    await page.getByRole("heading", { name: `History of wiki page ${id}` }).waitFor();
    const newest = versioned(page, 2);
    await expect.poll(() => newest.locator("del").allInnerTexts()).toEqual(["Ships"]);
    expect(await newest.locator(".Version-text ins").allInnerTexts()).toEqual(["Boats"]);
    const text = await wordsOf(page, 2);
    expect(text).toContain("Boats lie here. Water.");
    expect(text).toContain("Added port");
    expect(text.length).toBeLessThan(400);
    await revert(page);
    const { json } = await test.anonymous.get(`/wiki_pages/${id}.json`);
    expect(json.body).toMatch(/^Ships lie here\./);
    expect(faults).toEqual([]);
  });

  it("of artists shows URLs and group", async () => {
    const id = await artist("mira_b");
    await using visitor = await begin(`/artist_versions?search[artist_id]=${id}`);
    const { page } = visitor;
    const text = await versioned(page, 2)
      .innerText()
      .then((shown) => shown.replace(/\s+/g, " "));
    expect(text).toContain("Added https://new.example/mira");
    expect(text).toContain("Removed https://old.example/mira");
    expect(text).toContain("Group: painters");
    await revert(page);
    expect((await test.anonymous.get(`/artists/${id}.json`)).json.group_name).toBe("");
  });

  it("of commentaries shows titles and texts, and is linked from the post", async () => {
    const write = (who: TestUser, texts: Params) =>
      who.client.put("/artist_commentaries/create_or_update.json", {
        artist_commentary: { post_id: post, ...texts },
      });
    expect((await write(user, { original_title: "Minato", original_description: "An old boat." })).status).toBe(200);
    expect((await write(other, { translated_title: "Harbour", original_description: "A new boat." })).status).toBe(200);
    await using visitor = await begin(`/posts/${post}`);
    const { page, faults } = visitor;
    await page.getByRole("link", { name: "Edits of the commentary" }).click();
    await page.getByRole("heading", { name: `Edits of commentaries on post ${post}` }).waitFor();
    await versioned(page, 2).waitFor();
    expect(await versioned(page, 2).locator("del").allInnerTexts()).toEqual(["An", "old"]);
    expect(await wordsOf(page, 2)).toContain("Translated title: Harbour");
    expect(await wordsOf(page, 1)).toContain("Title: Minato");
    await revert(page);
    const { json } = await test.anonymous.get(`/artist_commentaries.json?search[post_id]=${post}`);
    expect(json[0]).toMatchObject({ original_description: "An old boat.", translated_title: "" });
    expect(faults).toEqual([]);
  });

  it("of favorite groups shows posts and visibility; that of a private one only to its creator", async () => {
    const made = await user.client.post("/favorite_groups.json", {
      favorite_group: { name: "my_ships", post_ids: "", is_public: "true" },
    });
    const id = made.json.id as number;
    const edit = { favorite_group: { post_ids: String(post), is_public: "false" } };
    expect(Math.floor((await user.client.put(`/favorite_groups/${id}.json`, edit)).status / 100)).toBe(2);
    const path = `/favorite_group_versions?search[favorite_group_id]=${id}`;
    await using visitor = await begin(path);
    const { page, faults } = visitor;
    await page.getByRole("heading", { name: `History of favorite group ${id}` }).waitFor();
    await versioned(page, 2).waitFor();
    expect(await wordsOf(page, 2)).toContain(`Added ${post}`);
    expect(await wordsOf(page, 2)).toContain("Visible to: everybody → its creator");
    await using stranger = await begin(path, other);
    await stranger.page.getByText("There are no edits.").waitFor();
    await revert(page);
    const { json } = await user.client.get(`/favorite_groups/${id}.json`);
    expect(json).toMatchObject({ post_ids: [], is_public: false }); // its posts and name are put back, and nothing is published
    expect(faults).toEqual([]);
  });

  it("compares two entirely different texts without delay", async () => {
    const many = (word: string) => Array.from({ length: 8_000 }, (_, index) => `${word}${index}`).join(" ");
    const id = await edited("wiki_pages", "wiki_page", { title: "long", body: many("a") }, { body: many("b") });
    await using visitor = await begin(`/wiki_page_versions?search[wiki_page_id]=${id}`);
    const text = versioned(visitor.page, 2).getByRole("group", { name: "Text" });
    await text.waitFor();
    expect([await text.locator("del").count(), await text.locator("ins").count()]).toEqual([1, 1]);
  });

  it("offers no revert to a record's current state, also in lists of several records", async () => {
    const created = await user.client.post("/artists.json", { artist: { name: "only_once" } });
    expect(created.status).toBe(200);
    await artist("twice");
    await using visitor = await begin("/artist_versions");
    const { page } = visitor;
    const buttons = (name: string) =>
      page
        .getByRole("listitem")
        .filter({ hasText: name })
        .getByRole("button", { name: /^Revert/ });
    await page.getByRole("link", { name: "only once" }).first().waitFor();
    expect(await buttons("only once").count()).toBe(0);
    expect(await buttons("twice").evaluateAll((all) => all.map((each) => each.ariaLabel))).toEqual([
      "Revert to this, version 1",
    ]);
  });

  it("reverts once on a double click, even if another button has moved there", async () => {
    const id = (await test.make.post("one", {}, user)).id;
    for (const tags of ["two", "three", "four"])
      await user.client.put(`/posts/${id}.json`, { post: { tag_string: tags } });
    await using visitor = await begin(`/post_versions?search[post_id]=${id}`);
    const { page } = visitor;
    const box = await page.getByRole("button", { name: "Revert to this, version 2" }).boundingBox();
    await page.mouse.click((box?.x ?? 0) + 9, (box?.y ?? 0) + 9);
    await versioned(page, 5).waitFor();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await page.waitForLoadState("networkidle");
    const { json } = await test.anonymous.get(`/post_versions.json?search[post_id]=${id}`);
    expect((json as unknown as { tags: string }[]).map(({ tags }) => tags)).toEqual([
      "lowres two",
      "four lowres",
      "lowres three",
      "lowres two",
      "lowres one",
    ]);
  });

  it("links to the other kinds, and to pages of older edits", async () => {
    const pools: number[] = [];
    for (let index = 0; index < 6; index += 1) pools.push(await pool(`pool_${index}`));
    await using visitor = await begin("/post_versions", null);
    const { page } = visitor;
    await page.getByRole("navigation", { name: "Edits of" }).getByRole("link", { name: "Pools" }).click();
    await page.getByRole("heading", { name: "Edits of pools" }).waitFor();
    await page.getByRole("link", { name: "pool 5" }).first().waitFor();
    expect(await page.getByRole("button", { name: /^Revert/ }).count()).toBe(0);
    await page.getByRole("link", { name: "Older" }).click();
    await page.getByRole("link", { name: "pool 0" }).first().waitFor();
    expect(new URL(page.url()).searchParams.get("page")).toBe("2");
    await page.getByRole("link", { name: "Newer" }).waitFor();
  });

  it("is data for programs at the same URLs", async () => {
    for (const name of ["note", "pool", "wiki_page", "artist", "artist_commentary", "favorite_group"]) {
      const { headers } = await test.anonymous.get(`/${name}_versions.json`);
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      const page = await test.anonymous.with({ accept: "text/html" }).get(`/${name}_versions`);
      expect(page.text).toContain(`<link rel="alternate" type="application/json" href="/${name}_versions.json`);
    }
  });

  it("is accessible and never wider than the window: each kind, light and dark, on phone and desktop", async () => {
    const long = `https://new.example/${"mira".repeat(60)}`;
    const group = (
      await user.client.post("/favorite_groups.json", { favorite_group: { name: "my_boats", post_ids: String(post) } })
    ).json.id as number;
    const commentary = { post_id: post, original_title: "Minato", original_description: `${"water".repeat(60)}.` };
    await user.client.post("/artist_commentaries/create_or_update.json", { artist_commentary: commentary });
    await edited("artists", "artist", { name: `long_mira_${"m".repeat(150)}` }, { url_string: long });
    await note();
    await pool(`last_days_${"d".repeat(150)}`);
    await wikiPage("last_port");
    const others = HISTORY_NAMES.filter((name) => name !== "post"); // accessibility.test.ts looks at those of posts
    const pages = others.map((name) =>
      name === "favorite_group" ? `/${name}_versions?search[${name}_id]=${group}` : `/${name}_versions`,
    );
    for (const [options, widths] of [
      [PHONE, [412]],
      [DESKTOP, [900, 1440]],
    ] as const) {
      await using visitor = await begin("/", user, options);
      const { page } = visitor;
      for (const path of pages) {
        await page.goto(path);
        await page
          .getByText(/^Version \d/)
          .first()
          .waitFor();
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          await expectAccessible(page);
          const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect([path, width, excess <= 0]).toEqual([path, width, true]);
        }
      }
    }
  });
});
