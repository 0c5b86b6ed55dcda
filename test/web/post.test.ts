/** A post's page: its picture, facts, neighbouring posts, notes, votes, comments and edits. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { expectAccessible, noChromium, openBrowser, PHONE, signIn, visit, type Visitor } from "../support/browser.js";
import type { TestPost, TestUser } from "../support/factory.js";

describe.skipIf(noChromium !== null)(`a post${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  let user: TestUser;
  /** oldest first */
  const posts: TestPost[] = [];
  beforeAll(async () => {
    test = await startBoard();
    user = await test.make.user("Member", "mira");
    const uploader = await test.make.user("Contributor", "lumen");
    for (let index = 1; index <= 4; index += 1) {
      const file = await test.make.picture(900, 600);
      posts.push(await test.make.post(`harbour series artist:mira_b number_${index}`, { file }, uploader));
    }
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const idOf = (index: number): number => posts[index]?.id ?? 0;
  const pathOf = (index: number, search = "series") => `/posts/${idOf(index)}?q=${search}`;

  /** Somebody who is signed in, unless they shall not be. */
  async function begin({ isSignedIn = true, ...options }: { isSignedIn?: boolean; [option: string]: unknown } = {}) {
    const visitor = await visit(browser, test.url, { viewport: { width: 1280, height: 800 }, ...options });
    if (isSignedIn) await signIn(visitor, user);
    return visitor;
  }
  const pathIn = ({ page }: Visitor) => new URL(page.url()).pathname;

  it("shows its picture, tags by category with counts, and facts", async () => {
    await using visitor = await begin({ isSignedIn: false });
    const { page, faults } = visitor;
    await page.goto(pathOf(1));
    const picture = page.getByRole("img", { name: /harbour/ });
    await picture.waitFor();
    const file = picture.evaluate((each: HTMLImageElement) => each.decode().then(() => each.currentSrc));
    expect(await file).toContain("/sample/");
    const side = page.getByRole("complementary", { name: "About this post" });
    await side.getByRole("heading", { name: "Artist" }).waitFor();
    await side.getByRole("listitem").filter({ hasText: "harbour" }).filter({ hasText: "4" }).waitFor();
    await side.getByTitle("1 post", { exact: true }).waitFor();
    await expect.poll(() => side.textContent()).toContain("900 × 600");
    await expect.poll(() => page.title()).toBe("by mira b · Graphbooru");
    // the buttons below the picture are no name of it
    expect(await page.getByRole("figure").ariaSnapshot()).toMatch(/^- figure:\n/);
    expect(faults).toEqual([]);
  });

  it("leads to the next and previous post of its search by arrow keys", async () => {
    await using visitor = await begin({ isSignedIn: false });
    const { page } = visitor;
    await page.goto(pathOf(2));
    await page.getByRole("link", { name: "Next post" }).waitFor();
    const heading = page.getByRole("heading", { level: 1 });
    await heading.evaluate((each) => each.setAttribute("data-first", ""));
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => pathIn(visitor)).toBe(`/posts/${idOf(1)}`);
    // screen readers say a change of it
    expect(await heading.evaluate(({ dataset, ariaLive }) => [dataset.first, ariaLive])).toEqual(["", "polite"]);
    await expect
      .poll(() => page.getByRole("link", { name: `Post ${idOf(1)}` }).getAttribute("aria-current"))
      .toBe("page");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => pathIn(visitor)).toBe(`/posts/${idOf(2)}`);
    await page.goto(pathOf(2, "series+order:id"));
    await page.getByRole("link", { name: "Next post" }).click();
    await expect.poll(() => pathIn(visitor)).toBe(`/posts/${idOf(3)}`);
  });

  it("is opened from the gallery, which is unchanged on return", async () => {
    await using visitor = await begin({ isSignedIn: false });
    const { page } = visitor;
    await page.goto("/posts?tags=series");
    const tile = page.getByRole("link", { name: new RegExp(`^Post ${idOf(1)}:`) });
    await tile.click();
    await page.getByRole("img", { name: /harbour/ }).waitFor();
    await page.goBack();
    await expect.poll(() => tile.evaluate((each) => each === document.activeElement)).toBe(true);
    await expect.poll(() => page.title()).toBe("series · Graphbooru");
  });

  it("shows its picture and the strip before its own response when opened from a list", async () => {
    await using visitor = await begin({ isSignedIn: false });
    const { page } = visitor;
    await page.goto("/posts?tags=series");
    const tile = page.getByRole("link", { name: new RegExp(`^Post ${idOf(1)}:`) });
    await tile.waitFor();
    let answer = () => undefined as void;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/\/graphql$|\/sample\//, async (route) => {
      await answered;
      await route.continue();
    });
    await tile.click();
    const article = page.getByRole("article");
    await article.getByRole("img", { name: /harbour/ }).waitFor();
    expect(await article.getAttribute("aria-busy")).toBe("true");
    expect(await page.locator(".Picture-frame").evaluate((each) => each.style.getPropertyValue("--behind"))).toContain(
      "url(",
    );
    const strip = page.getByRole("navigation", { name: "Posts beside this one" });
    expect(await strip.getByRole("listitem").count()).toBe(4);
    expect(await strip.getByRole("link", { name: "Next post" }).getAttribute("href")).toBe(pathOf(0));
    await page
      .getByRole("complementary", { name: "About this post" })
      .getByRole("link", { name: "harbour", exact: true })
      .waitFor();
    answer();
    await article.getByRole("group", { name: "Favorite and vote" }).waitFor();
    await expect.poll(() => article.getAttribute("aria-busy")).toBe("false");
  });

  it("is shown larger and smaller, and as the original file", async () => {
    await using visitor = await begin({ isSignedIn: false, viewport: { width: 700, height: 500 } });
    const { page } = visitor;
    await page.goto(pathOf(0));
    const picture = page.getByRole("img", { name: /harbour/ });
    await picture.waitFor();
    const widthOf = async () => Math.round((await picture.boundingBox())?.width ?? 0);
    const inWindow = await widthOf();
    await page.keyboard.press("z");
    await expect.poll(widthOf).toBeGreaterThan(inWindow);
    await page.keyboard.press("z");
    await expect.poll(widthOf).toBe(900);
    await page.keyboard.press("z");
    await expect.poll(() => picture.getAttribute("src")).toContain("/sample/");
    await page.keyboard.press("v");
    await expect.poll(() => picture.getAttribute("src")).toContain("/original/");
  });

  it("has its notes in the right places at every size", async () => {
    const note = {
      post_id: idOf(0),
      x: 450,
      y: 300,
      width: 90,
      height: 60,
      body: "a [b]boat[/b] <script>alert(1)</script>",
    };
    await user.client.post("/notes.json", { note });
    await using visitor = await begin({ isSignedIn: false });
    const { page, faults } = visitor;
    await page.goto(pathOf(0));
    const box = page.getByRole("button", { name: "Note", exact: true });
    const places = async () => {
      const [on, whole] = [await box.boundingBox(), await page.getByRole("img", { name: /harbour/ }).boundingBox()];
      if (!on || !whole) return [];
      const share = (number: number) => Number(number.toFixed(2));
      return [
        share((on.x - whole.x) / whole.width),
        share((on.y - whole.y) / whole.height),
        share(on.width / whole.width),
      ];
    };
    await expect.poll(places).toEqual([0.5, 0.5, 0.1]);
    await page.keyboard.press("z");
    await expect.poll(places).toEqual([0.5, 0.5, 0.1]);
    await box.hover();
    await page.getByRole("tooltip").waitFor();
    await page.mouse.move(0, 0);
    await page.getByRole("tooltip").waitFor({ state: "hidden" });
    await box.focus();
    await expect.poll(() => page.getByRole("tooltip").innerText()).toBe("a boat <script>alert(1)</script>");
    expect(await page.getByRole("tooltip").locator("strong").innerText()).toBe("boat");
    expect(faults).toEqual([]);
  });

  it("becomes a favorite and is voted on immediately; visitors sign in first", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto(pathOf(2));
    await page.getByRole("button", { name: "Favorite, 0 so far" }).waitFor();
    const said = page.getByRole("group", { name: "Favorite and vote" }).getByRole("status");
    expect(await said.textContent()).toBe("No favorite");
    await page.keyboard.press("f");
    await expect.poll(() => said.textContent()).toBe("Favorite");
    await expect
      .poll(() => page.getByRole("button", { name: "Favorite, 1 so far" }).getAttribute("aria-pressed"))
      .toBe("true");
    await page.getByRole("button", { name: "Vote up" }).click();
    await expect.poll(() => page.getByRole("button", { name: "Vote up" }).getAttribute("aria-pressed")).toBe("true");
    const shown = async () => (await test.anonymous.get(`/posts/${idOf(2)}.json`)).json;
    await expect.poll(async () => [(await shown()).fav_count, (await shown()).up_score]).toEqual([1, 1]);
    await page.reload();
    await expect.poll(() => page.getByRole("button", { name: "Vote up" }).getAttribute("aria-pressed")).toBe("true");

    await using stranger = await begin({ isSignedIn: false });
    await stranger.page.goto(pathOf(2));
    await stranger.page.getByRole("button", { name: "Vote down" }).click();
    await stranger.page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(new URL(stranger.page.url()).searchParams.get("next")).toBe(pathOf(2));
  });

  it("shows favorites and score without buttons and shortcuts to viewers who may change neither", async () => {
    const restricted = await test.make.user("Restricted");
    const banned = await test.make.post("harbour");
    await test.board.database.post.update({ where: { id: banned.id }, data: { isBanned: true } });
    for (const [who, id, buttons] of [
      [restricted, idOf(3), []],
      [user, banned.id, ["Favorite, 0 so far"]],
    ] as const) {
      await using visitor = await begin({ isSignedIn: false });
      const { page } = visitor;
      await signIn(visitor, who);
      await page.goto(`/posts/${id}`);
      const group = page.getByRole("group", { name: "Favorite and vote" });
      await expect.poll(() => group.textContent()).toMatch(/^ ?Favorites 0Score 0/);
      const named = () => group.locator("[aria-pressed]").evaluateAll((all) => all.map((each) => each.ariaLabel));
      expect(await named()).toEqual(buttons);
      await page.keyboard.press("?");
      const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await keys.getByText("Next post").waitFor();
      expect(await keys.getByText(/^Vote/).count()).toBe(0);
    }
  });

  it("names its picture by the first of many tags", async () => {
    const { id } = await test.make.post(Array.from({ length: 500 }, (_, index) => `tag_of_many_${index}`).join(" "));
    await using visitor = await begin();
    await visitor.page.goto(`/posts/${id}`);
    const name = await visitor.page.getByRole("figure").getByRole("img").getAttribute("alt");
    expect(name).toMatch(/^(lowres|tag of many 0), tag of many .*[^,] …$/);
    expect(name?.length).toBeLessThan(125);
  });

  it("is shown as a favorite before the board has answered, and no longer if the board refuses", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto(pathOf(1));
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const reason = "you may have no more favorites";
    await page.route("**/graphql", async (route) => {
      await held;
      const errors = [{ message: reason, extensions: { code: "FORBIDDEN", status: 403, reason } }];
      await route.fulfill({ contentType: "application/json", body: JSON.stringify({ data: null, errors }) });
    });
    const favorite = page.getByRole("group", { name: "Favorite and vote" }).getByRole("button", { name: /^Favorite/ });
    await favorite.click();
    await expect.poll(() => favorite.getAttribute("aria-pressed")).toBe("true");
    expect(await favorite.getAttribute("aria-label")).toBe("Favorite, 1 so far");
    release();
    await page.getByText("You may have no more favorites.").waitFor();
    await expect.poll(() => favorite.getAttribute("aria-pressed")).toBe("false");
    expect(await favorite.getAttribute("aria-label")).toBe("Favorite, 0 so far");
  });

  it("stays a favorite after a double click, a second click before the board has answered, and a key held down", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    const stats = async (index: number) => {
      const { json } = await test.anonymous.get(`/posts/${idOf(index)}.json`);
      return [json.fav_count, json.up_score];
    };
    const group = page.getByRole("group", { name: "Favorite and vote" });
    const favorite = group.getByRole("button", { name: /^Favorite/ });
    /** Whatever was sent before the vote is processed before it. */
    const settled = async (index: number) => {
      await group.getByRole("button", { name: "Vote up" }).click();
      await expect.poll(async () => (await stats(index))[1]).toBe(1);
      return stats(index);
    };
    await page.goto(pathOf(1));
    await favorite.dblclick();
    expect(await settled(1)).toEqual([1, 1]);

    await page.goto(pathOf(0));
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/graphql", async (route) => {
      await held;
      await route.continue();
    });
    await favorite.click();
    await group.getByRole("button", { name: "Favorite, 1 so far" }).click();
    expect(await favorite.getAttribute("aria-pressed")).toBe("true");
    release();
    expect(await settled(0)).toEqual([1, 1]);

    await page.goto(pathOf(3));
    await favorite.waitFor();
    await page.keyboard.down("f");
    await expect.poll(async () => (await stats(3))[0]).toBe(1);
    await page.keyboard.down("f"); // repeats
    await page.keyboard.up("f");
    expect(await settled(3)).toEqual([1, 1]);
  });

  it("is commented on; the comment looks like its preview, and no script in it runs", async () => {
    await using visitor = await begin();
    const { page, faults } = visitor;
    await page.goto(pathOf(3));
    const text = 'I like [b]this[/b] <img src=x onerror="alert(1)">';
    await page.getByLabel("Your comment").fill(text);
    await page.getByRole("button", { name: "Preview" }).click();
    const comments = page.getByRole("region", { name: /omments/ });
    await comments.locator("strong", { hasText: "this" }).waitFor();
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByRole("heading", { name: "Comments (1)" }).waitFor();
    await expect
      .poll(() => comments.getByRole("listitem").innerText())
      .toContain('I like this <img src=x onerror="alert(1)">');
    expect(await comments.locator("img").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("is edited, and keeps what others change meanwhile", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto(pathOf(3));
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const form = page.getByRole("form", { name: "Edit the post" });
    await user.client.put(`/posts/${idOf(3)}.json`, {
      post: { tag_string: "harbour series mira_b number_4 meanwhile" },
    });
    await form.getByRole("textbox", { name: "Tags" }).pressSequentially("lighthouse");
    await form.getByRole("radio", { name: "Questionable" }).check();
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "lighthouse", exact: true }).waitFor();
    const { json } = await test.anonymous.get(`/posts/${idOf(3)}.json`);
    expect((json.tag_string as string).split(" ").sort()).toEqual(
      ["harbour", "lighthouse", "meanwhile", "mira_b", "number_4", "series"].sort(),
    );
    expect(json.rating).toBe("q");
  });

  it("lists its keyboard shortcuts on ?", async () => {
    await using visitor = await begin({ isSignedIn: false });
    const { page } = visitor;
    await page.goto(pathOf(1));
    await page.getByRole("link", { name: "Next post" }).waitFor();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await expect.poll(() => dialog.innerText()).toMatch(/Favorite[\s\S]*Next post/);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  });

  it("fits its actions, and the buttons of notes, in one row on a phone of 360 pixels", async () => {
    await using visitor = await begin({ ...PHONE, viewport: { width: 360, height: 740 } });
    const { page } = visitor;
    await page.goto(pathOf(0));
    await page.getByRole("button", { name: "Add a note" }).waitFor();
    await page.getByRole("button", { name: "Edit" }).waitFor();
    for (const [row, buttons] of [
      [".Picture-notes", 2],
      [".Actions", 4],
    ] as const) {
      const boxes = await page
        .locator(`${row} > :visible`)
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]));
      expect(boxes.length).toBeGreaterThanOrEqual(buttons);
      expect(Math.max(...boxes.map(([top = 0]) => top))).toBeLessThan(
        Math.min(...boxes.map(([, bottom = 0]) => bottom)),
      );
    }
  });

  it("fits a phone, and is accessible on phone and desktop, light and dark", async () => {
    for (const options of [PHONE, { viewport: { width: 1280, height: 800 } }]) {
      await using visitor = await begin({ isSignedIn: false, ...options });
      const { page } = visitor;
      await page.goto(pathOf(0));
      await page.getByRole("img", { name: /harbour/ }).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await expectAccessible(page);
    }
  });
});
