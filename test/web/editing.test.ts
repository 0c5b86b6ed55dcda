/** Edits on a post's page, their previews and results: tags, history, comments, live updates. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { DESKTOP, expectAccessible, noChromium, openBrowser, PHONE, signIn, visit } from "../support/browser.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { answered, held } from "./in-page.js";

describe.skipIf(noChromium !== null)(`editing${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  let user: TestUser;
  let other: TestUser;
  let uploader: TestUser;
  beforeAll(async () => {
    test = await startBoard();
    user = await test.make.user("Member", "mira");
    other = await test.make.user("Member", "olga");
    uploader = await test.make.user("Contributor", "lumen");
    await test.make.post("vessel building", {}, uploader);
    await test.board.database.tagAlias.create({
      data: { antecedentName: "ship", consequentName: "vessel", status: "active", creatorId: user.id },
    });
    await test.board.database.tagImplication.create({
      data: { antecedentName: "lighthouse", consequentName: "building", status: "active", creatorId: user.id },
    });
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const make = (tags = "harbour"): Promise<TestPost> => test.make.post(tags, {}, uploader);
  async function begin(path: string, options = DESKTOP, who: TestUser | null = user) {
    const visitor = await visit(browser, test.url, options);
    if (who) await signIn(visitor, who);
    await visitor.page.goto(path);
    return visitor;
  }
  const tagsOf = async ({ id }: TestPost): Promise<string[]> =>
    ((await test.anonymous.get(`/posts/${id}.json`)).json.tag_string as string).split(" ");
  const openEdit = async (page: Page) => {
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    return page.getByRole("form", { name: "Edit the post" });
  };

  it("tags shows aliases and implications before saving, by keys alone", async () => {
    const post = await make();
    await using visitor = await begin(`/posts/${post.id}`);
    const { page, faults } = visitor;
    await page.getByRole("button", { name: "Edit", exact: true }).waitFor();
    await page.keyboard.press("e");
    const field = page.getByRole("textbox", { name: "Tags" });
    await field.waitFor();
    await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true);
    await page.keyboard.type("ship lighthouse ");
    const preview = page.getByRole("status", { name: "What this edit does" });
    await expect
      .poll(async () => (await preview.innerText()).replace(/\s+/g, " "))
      .toBe("Adds building 1 implied by lighthouse lighthouse new tag vessel 1 for ship");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("link", { name: "lighthouse", exact: true }).waitFor();
    expect(await tagsOf(post)).toEqual(expect.arrayContaining(["building", "harbour", "lighthouse", "vessel"]));
    expect(faults).toEqual([]);
  });

  it("tags with a suggestion selected takes it by Ctrl Enter, and saves by the next", async () => {
    const post = await make("hills");
    await using visitor = await begin(`/posts/${post.id}`);
    const { page } = visitor;
    const field = (await openEdit(page)).getByRole("textbox", { name: "Tags" });
    await field.pressSequentially("vess");
    await page.getByRole("option", { name: /vessel/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => field.inputValue()).toBe("hills lowres vessel ");
    await page.keyboard.press("Control+Enter");
    await field.waitFor({ state: "detached" });
    expect(await tagsOf(post)).toEqual(["hills", "lowres", "vessel"]);
  });

  it("tags offers the frequent ones of the settings, to add and to remove; so does an upload", async () => {
    const post = await make();
    const settings = { favorite_tags: "Lighthouse harbour\nvessel lighthouse" };
    await user.client.put(`/users/${user.id}.json`, { user: settings });
    await using visitor = await begin(`/posts/${post.id}`);
    const { page, faults } = visitor;
    const form = await openEdit(page);
    const frequent = page.getByRole("group", { name: "Frequent tags" });
    await frequent.waitFor();
    expect(await frequent.getByRole("button").allInnerTexts()).toEqual(["lighthouse", "harbour", "vessel"]);
    await frequent.getByRole("button", { name: "harbour", pressed: true }).click();
    await frequent.getByRole("button", { name: "vessel", pressed: false }).click();
    expect(await form.getByRole("textbox", { name: "Tags" }).inputValue()).toBe("lowres vessel ");
    await expectAccessible(page);
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => tagsOf(post)).toEqual(["lowres", "vessel"]);
    await page.goto("/upload");
    await frequent.getByRole("button", { name: "lighthouse" }).click();
    expect(await page.getByRole("textbox", { name: "Tags for all" }).inputValue()).toBe("lighthouse ");
    expect(faults).toEqual([]);
  });

  it("shows why tags would be refused", async () => {
    const post = await make();
    await using visitor = await begin(`/posts/${post.id}`);
    const form = await openEdit(visitor.page);
    await form.getByRole("textbox", { name: "Tags" }).pressSequentially(`${"x".repeat(180)} `);
    await form.getByRole("status", { name: "What this edit does" }).getByText(/170/).waitFor();
  });

  it("breaks tags that are longer than a line, on a phone too", async () => {
    const [tag, longer] = ["w".repeat(165), "x".repeat(165)];
    const post = await make(`harbour ${tag}`);
    await using visitor = await begin(`/posts/${post.id}`, PHONE);
    const form = await openEdit(visitor.page);
    await form.getByRole("textbox", { name: "Tags" }).fill(`harbour ${longer}`);
    const preview = form.getByRole("status", { name: "What this edit does" });
    await preview.getByText(tag).waitFor();
    await preview.getByText(longer).waitFor();
    expect(await visitor.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });

  it("breaks names of pools that are wider than a phone, below the picture and above it", async () => {
    const post = await make();
    const pool = { name: "p".repeat(160), description: "long", post_ids: String(post.id) };
    const { json } = await user.client.post("/pools.json", { pool });
    await using visitor = await begin(`/posts/${post.id}?q=ordpool:${json.id}`, PHONE);
    const { page } = visitor;
    await page.getByRole("link", { name: pool.name }).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });

  it("says at the parent's field what is wrong with it, and never forgets a parent that is no number", async () => {
    const parent = await make();
    const post = await make(`harbour parent:${parent.id}`);
    await using visitor = await begin(`/posts/${post.id}`);
    const form = await openEdit(visitor.page);
    const field = form.getByLabel("Parent");
    const isFocused = () => field.evaluate((each) => each === document.activeElement);
    for (const id of ["99999999", "9".repeat(30)]) {
      await field.fill(id);
      await form.getByRole("button", { name: "Save" }).click();
      await form.getByText("Parent does not exist.").waitFor();
      await expect.poll(isFocused).toBe(true);
      expect(await field.getAttribute("aria-invalid")).toBe("true");
    }
    expect(await form.getByRole("alert").count()).toBe(0);
    await field.fill("the other one");
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => field.evaluate((each: HTMLInputElement) => each.validity.patternMismatch)).toBe(true);
    expect((await test.anonymous.get(`/posts/${post.id}.json`)).json.parent_id).toBe(parent.id);
  });

  it("in two tabs at once keeps both edits", async () => {
    const post = await make("harbour night");
    await using visitor = await begin(`/posts/${post.id}`);
    const { page, context } = visitor;
    const second = await context.newPage();
    await second.goto(`/posts/${post.id}`);
    const [one, two] = [await openEdit(page), await openEdit(second)];
    await one.getByRole("textbox", { name: "Tags" }).fill("harbour night boat");
    await two.getByRole("textbox", { name: "Tags" }).fill("harbour moon");
    await one.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "boat", exact: true }).waitFor();
    await two.getByRole("button", { name: "Save" }).click();
    await second.getByRole("link", { name: "moon", exact: true }).waitFor();
    expect((await tagsOf(post)).filter((tag) => tag !== "lowres")).toEqual(["boat", "harbour", "moon"]);
  });

  it("is kept as a draft until it is saved, and says what others changed meanwhile", async () => {
    const post = await make("harbour night");
    await using visitor = await begin(`/posts/${post.id}`);
    const { page } = visitor;
    const begun = await openEdit(page);
    expect(await begun.getByRole("status", { name: "Draft" }).count()).toBe(0);
    await begun.getByRole("textbox", { name: "Tags" }).fill("harbour night boat");
    await begun.getByRole("radio", { name: "Questionable" }).check();
    await other.client.put(`/posts/${post.id}.json`, {
      post: { tag_string: "harbour moon", rating: "e", source: "https://example.com/1" },
    });
    await page.reload();
    const form = await openEdit(page);
    await form.getByRole("status", { name: "Draft" }).waitFor();
    expect(await form.getByRole("textbox", { name: "Tags" }).inputValue()).toBe("harbour night boat");
    expect(await form.getByRole("radio", { name: "Questionable" }).isChecked()).toBe(true);
    expect(await form.getByRole("status", { name: "Changed by others" }).getByRole("listitem").allInnerTexts()).toEqual(
      [
        "Tags: +moon, −night – is kept",
        "Rating: Explicit – what you entered replaces it",
        "Source: https://example.com/1 – is kept",
      ],
    );
    await expectAccessible(page);
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    const { json } = await test.anonymous.get(`/posts/${post.id}.json`);
    expect([json.rating, json.source]).toEqual(["q", "https://example.com/1"]);
    expect((await tagsOf(post)).filter((tag) => tag !== "lowres")).toEqual(["boat", "harbour", "moon"]);
    const again = await openEdit(page);
    expect(await again.getByRole("status", { name: "Draft" }).count()).toBe(0);
  });

  it("is closed by Escape, which keeps the draft; the button that opened it is focused, also after saving", async () => {
    const post = await make("harbour");
    await using visitor = await begin(`/posts/${post.id}`);
    const { page } = visitor;
    const opener = page.getByRole("button", { name: "Edit", exact: true });
    const isFocused = () => opener.evaluate((each) => each === document.activeElement);
    await (await openEdit(page)).getByRole("textbox", { name: "Tags" }).fill("harbour boat ");
    await page.keyboard.press("Escape");
    await page.getByRole("form", { name: "Edit the post" }).waitFor({ state: "detached" });
    expect(await isFocused()).toBe(true);
    await page.keyboard.press("e");
    await page.getByRole("status", { name: "Draft" }).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("link", { name: "boat", exact: true }).waitFor();
    await expect.poll(isFocused).toBe(true);
  });

  it("keeps what is typed while it is being saved, as a draft of the saved post", async () => {
    const post = await make("harbour");
    await using visitor = await begin(`/posts/${post.id}`);
    const { page } = visitor;
    const form = await openEdit(page);
    const resume = await held(page, "SavePost");
    const tags = form.getByRole("textbox", { name: "Tags" });
    await tags.fill("harbour boat ");
    await page.keyboard.press("Control+Enter");
    await tags.pressSequentially("sea ");
    const saved = answered(page, "SavePost");
    resume();
    await saved;
    expect(await tags.inputValue()).toBe("harbour boat sea ");
    expect(await form.getByRole("status", { name: "Changed by others" }).count()).toBe(0);
    await page.keyboard.press("Control+Enter");
    await form.waitFor({ state: "detached" });
    expect((await tagsOf(post)).toSorted()).toEqual(expect.arrayContaining(["boat", "harbour", "sea"]));
  });

  it("discards the draft on Cancel and on Discard", async () => {
    const post = await make("harbour");
    await using visitor = await begin(`/posts/${post.id}`);
    const { page } = visitor;
    await (await openEdit(page)).getByRole("textbox", { name: "Tags" }).fill("harbour boat");
    await page.reload();
    const form = await openEdit(page);
    await form.getByRole("button", { name: "Discard it" }).click();
    await form.getByRole("status", { name: "Draft" }).waitFor({ state: "detached" });
    expect(await form.getByRole("textbox", { name: "Tags" }).inputValue()).toMatch(/^harbour (lowres )?$/);
    await form.getByRole("textbox", { name: "Tags" }).fill("harbour boat");
    await form.getByRole("button", { name: "Cancel" }).click();
    await form.waitFor({ state: "detached" });
    await page.reload();
    expect(await (await openEdit(page)).getByRole("status", { name: "Draft" }).count()).toBe(0);
  });

  it("locks is offered only to users who may set them", async () => {
    const post = await make();
    await using member = await begin(`/posts/${post.id}`);
    const open = await openEdit(member.page);
    await open.getByRole("textbox", { name: "Tags" }).waitFor();
    expect(await open.getByRole("checkbox", { name: "Lock the rating" }).count()).toBe(0);
    await using builder = await begin(`/posts/${post.id}`, DESKTOP, await test.make.user("Builder", "bob"));
    const form = await openEdit(builder.page);
    await form.getByRole("checkbox", { name: "Lock the rating" }).check();
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    expect((await test.anonymous.get(`/posts/${post.id}.json`)).json.is_rating_locked).toBe(true);
  });

  it("is listed in the history, and reverted there", async () => {
    const post = await make("harbour <b>odd</b>");
    await other.client.put(`/posts/${post.id}.json`, {
      post: { tag_string: "harbour boat", rating: "q", source: "https://example.com/<script>" },
    });
    await using visitor = await begin(`/posts/${post.id}`);
    const { page, faults } = visitor;
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("heading", { name: `History of post ${post.id}` }).waitFor();
    const versioned = (number: number) =>
      page
        .getByRole("listitem")
        .filter({ hasText: `Version ${number}` })
        .first();
    const [newest, first] = [versioned(2), versioned(1)];
    const text = (await newest.innerText()).replace(/\s+/g, " ");
    expect(text).toContain("Added boat");
    expect(text).toContain("Removed <b>odd</b>");
    expect(text).toContain("Safe → Questionable");
    expect(text).toContain("https://example.com/<script>");
    await first.getByRole("button", { name: "Revert to this, version 1" }).click();
    await page.getByText("Version 3").waitFor();
    expect((await tagsOf(post)).filter((tag) => tag !== "lowres").toSorted()).toEqual(["<b>odd</b>", "harbour"]);
    expect((await test.anonymous.get(`/posts/${post.id}.json`)).json.rating).toBe("s");
    await expect.poll(() => page.title()).toBe(`History of post ${post.id} · Graphbooru`);
    expect(faults).toEqual([]);
  });

  it("with a thousand tags lists all of them, on its page and in its history", async () => {
    const numbered = Array.from({ length: 1000 }, (_, index) => `ware_${index}`);
    const post = await make(numbered.join(" "));
    await other.client.put(`/posts/${post.id}.json`, { post: { tag_string: "harbour" } });
    await other.client.put(`/posts/${post.id}.json`, { post: { tag_string: `harbour ${numbered.join(" ")}` } });
    await using visitor = await begin(`/posts/${post.id}`, DESKTOP, null);
    const { page } = visitor;
    const named = (within: Locator) => within.getByRole("link", { name: /^ware \d+$/ });
    await expect.poll(() => named(page.getByRole("region", { name: "Tags" })).count()).toBe(1000);
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("heading", { name: `History of post ${post.id}` }).waitFor();
    await expect.poll(() => named(page.getByRole("main")).count()).toBe(3000);
  });

  it("offers visitors the history, but no reverts", async () => {
    const post = await make();
    await using visitor = await begin(`/post_versions?search[post_id]=${post.id}`, DESKTOP, null);
    await visitor.page.getByText("Version 1").waitFor();
    expect(await visitor.page.getByRole("button", { name: /^Revert/ }).count()).toBe(0);
    const data = await test.anonymous.get(`/post_versions.json?search[post_id]=${post.id}`);
    expect(data.status).toBe(200);
  });

  it("comments: voted on, edited with a preview, deleted and restored", async () => {
    const post = await make();
    await other.client.post("/comments.json", { comment: { post_id: post.id, body: "of olga" } });
    await user.client.post("/comments.json", { comment: { post_id: post.id, body: "of mira" } });
    const scoreOf = async (body: string): Promise<unknown> => {
      const { json } = await test.anonymous.get(`/comments.json?group_by=comment&search[post_id]=${post.id}`);
      return (json as unknown as { body: string; score: number }[]).find((each) => each.body === body)?.score;
    };
    await using visitor = await begin(`/posts/${post.id}`);
    const { page } = visitor;
    const theirs = page.getByRole("listitem").filter({ hasText: "of olga" });
    await theirs.getByRole("button", { name: "Vote the comment up" }).click();
    await expect
      .poll(() => theirs.getByRole("button", { name: "Vote the comment up" }).getAttribute("aria-pressed"))
      .toBe("true");
    await expect.poll(() => scoreOf("of olga")).toBe(1);
    expect(await theirs.getByRole("button", { name: "Edit the comment" }).count()).toBe(0);
    await page.reload();
    await expect.poll(() => theirs.getByRole("group", { name: "Vote on the comment" }).innerText()).toContain("1");

    const mine = page.locator("li.Comment").filter({ hasText: "of mira" });
    await mine.getByRole("button", { name: "Vote the comment up" }).click();
    await page
      .getByRole("status")
      .getByText(/your own comment/)
      .waitFor();
    await expect
      .poll(() => mine.getByRole("button", { name: "Vote the comment up" }).getAttribute("aria-pressed"))
      .toBe("false");
    await mine.getByRole("button", { name: "Edit the comment" }).click();
    const form = page.getByRole("form", { name: "Edit the comment" });
    await form.getByRole("textbox", { name: "The comment" }).fill("now [i]other[/i]");
    await form.getByRole("button", { name: "Preview" }).click();
    await form.locator(".Prose").getByText("other").waitFor();
    const previewed = await form.locator(".Prose").innerHTML();
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    const changed = page.locator("li.Comment").filter({ hasText: "now other" });
    expect(await changed.locator(".Prose").innerHTML()).toBe(previewed);
    await changed.getByRole("button", { name: "Delete the comment" }).click();
    await changed.getByRole("button", { name: "Restore the comment" }).click();
    await changed.getByRole("button", { name: "Delete the comment" }).waitFor();
  });

  it("by others appears live for signed-in users: comments and notes", async () => {
    const post = await test.make.post("harbour", { file: await test.make.picture(900, 600) }, uploader);
    await using visitor = await begin(`/posts/${post.id}`);
    const { page, faults } = visitor;
    const interval = 500; // the page follows some time after it was opened: what was too early for it is done again
    await expect
      .poll(
        async () => {
          await other.client.post("/comments.json", { comment: { post_id: post.id, body: "just [b]now[/b]" } });
          return page.locator("li.Comment strong").count();
        },
        { interval },
      )
      .toBeGreaterThan(0);
    const note = { post_id: post.id, x: 9, y: 9, width: 90, height: 90, body: "live" };
    const { json } = await other.client.post("/notes.json", { note });
    let times = 0;
    await expect
      .poll(
        async () => {
          await other.client.put(`/notes/${json.id}.json`, { note: { body: `live ${(times += 1)}` } });
          return page.getByRole("button", { name: "Note", exact: true }).count();
        },
        { interval },
      )
      .toBe(1);
    await other.client.delete(`/notes/${json.id}.json`);
    await expect.poll(() => page.getByRole("button", { name: "Note", exact: true }).count()).toBe(0);
    expect(faults).toEqual([]);

    await using stranger = await begin(`/posts/${post.id}`, DESKTOP, null);
    const sockets: string[] = [];
    stranger.page.on("websocket", (each) => sockets.push(each.url()));
    await stranger.page.reload();
    await stranger.page.getByRole("heading", { name: /^Comments/ }).waitFor();
    // who is signed in, and opens the page after that, listens
    const listening = page.waitForEvent("websocket");
    await page.reload();
    await listening;
    expect(sockets).toEqual([]);
  });

  it("is accessible, light and dark, on a desktop and a phone", async () => {
    const post = await make();
    await other.client.put(`/posts/${post.id}.json`, { post: { tag_string: "harbour boat", rating: "q" } });
    await user.client.post("/comments.json", { comment: { post_id: post.id, body: "of mira" } });
    for (const options of [PHONE, DESKTOP]) {
      await using visitor = await begin(`/posts/${post.id}`, options);
      const { page } = visitor;
      const form = await openEdit(page);
      await form.getByRole("textbox", { name: "Tags" }).fill("ship lighthouse");
      await form.getByRole("status", { name: "What this edit does" }).getByText("for ship").waitFor();
      await page.getByRole("button", { name: "Edit the comment" }).click();
      await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await page.goto(`/post_versions?search[post_id]=${post.id}`);
      await page.getByText("Version 2").waitFor();
      await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
  });
});
