/** Returning to pages: a link loads them again, the back button restores them as they were left. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { noChromium, openBrowser, visit } from "../support/browser.js";
import { focusedIn, held, scrollDown } from "./in-page.js";

const POSTS = 50;

describe.skipIf(noChromium !== null)(`coming back${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  beforeAll(async () => {
    test = await startBoard();
    for (let index = 1; index <= POSTS; index += 1) await test.make.post(`harbour number_${index}`);
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  async function begin(path: string) {
    const visitor = await visit(browser, test.url);
    const { page } = visitor;
    const asked: string[] = [];
    page.on("request", (request) => {
      const [, name] = /"operationName":"(\w+)"/.exec(request.postData() ?? "") ?? [];
      if (name) asked.push(name);
    });
    await page.goto(path);
    return { ...visitor, galleriesAsked: () => asked.filter((name) => name === "Gallery").length };
  }
  const tiles = (page: Page) => page.getByRole("link", { name: /^Post \d+:/ });
  const tileOf = (page: Page, id: number) => page.getByRole("link", { name: new RegExp(`^Post ${id}:`) });
  const home = (page: Page) => page.getByRole("link", { name: "Graphbooru", exact: true });
  /** Opens a post by its tile. @returns the tile's name */
  async function open(page: Page, index: number): Promise<string> {
    const tile = tiles(page).nth(index);
    const name = (await tile.getAttribute("aria-label")) ?? "";
    await tile.click();
    await page.getByRole("link", { name: "Next post" }).waitFor();
    return name;
  }

  describe("to a gallery", () => {
    it("by a link shows new posts, and the known ones until they are there", async () => {
      await using visitor = await begin("/");
      const { page } = visitor;
      await open(page, 0);
      const { id } = await test.make.post("harbour");
      const resume = await held(page, "Gallery");
      await home(page).click();
      await expect.poll(() => tiles(page).count()).toBeGreaterThanOrEqual(40);
      expect(await tileOf(page, id).count()).toBe(0);
      resume();
      await tileOf(page, id).waitFor();
    });

    it("by the link of the board's name shows new posts although it is already open", async () => {
      await using visitor = await begin("/");
      const { page } = visitor;
      await tiles(page).first().waitFor();
      const { id } = await test.make.post("harbour");
      await home(page).click();
      await tileOf(page, id).waitFor();
    });

    it("by the back button leads to the previous page, however often the current page's link was followed", async () => {
      await using visitor = await begin("/posts?tags=id:1..30");
      const { page } = visitor;
      await home(page).click();
      await page.waitForURL(`${test.url}/`);
      await home(page).click();
      await home(page).click();
      await page.goBack();
      await page.waitForURL(/tags=/);
    });

    it("within a minute by the back button sends no request", async () => {
      await using visitor = await begin("/posts?tags=id:1..30");
      const { page } = visitor;
      await page.clock.setFixedTime(new Date());
      const name = await open(page, 20);
      const before = visitor.galleriesAsked();
      await page.goBack();
      await expect.poll(() => focusedIn(page)).toBe(name);
      expect(visitor.galleriesAsked()).toBe(before);
    });

    it("after a minute by the back button shows new posts, at the tile that was opened", async () => {
      await using visitor = await begin("/");
      const { page } = visitor;
      const now = Date.now();
      await page.clock.setFixedTime(now);
      const name = await open(page, 20);
      const { id } = await test.make.post("harbour");
      await page.clock.setFixedTime(now + 61_000);
      await page.goBack();
      await tileOf(page, id).waitFor();
      await expect.poll(() => focusedIn(page)).toBe(name);
      const box = await page.getByRole("link", { name, exact: true }).boundingBox();
      expect([(box?.y ?? 0) > 0, (box?.y ?? 0) < 800]).toEqual([true, true]);
    });

    it("in random order by the back button shows the same posts, however late", async () => {
      await using visitor = await begin("/posts?tags=order:random+id:1..30");
      const { page } = visitor;
      const now = Date.now();
      await page.clock.setFixedTime(now);
      const name = await open(page, 3);
      const before = visitor.galleriesAsked();
      await page.clock.setFixedTime(now + 600_000);
      await page.goBack();
      await expect.poll(() => focusedIn(page)).toBe(name);
      expect(visitor.galleriesAsked()).toBe(before);
    });
  });

  describe("to where a page was scrolled to", () => {
    const TOP = 400;
    const top = (page: Page) => page.evaluate(() => scrollY);
    /** Follows a link without scrolling to it. */
    const follow = (page: Page, name: string) =>
      page.getByRole("link", { name, exact: true }).first().dispatchEvent("click");

    it.each([
      ["a history", "/post_versions", "Post 45"],
      ["a gallery that was not left by a tile", "/posts", "harbour"],
    ])("%s is shown there", async (_, path, link) => {
      await using visitor = await begin(path);
      const { page } = visitor;
      await page.getByRole("link", { name: link, exact: true }).first().waitFor();
      await scrollDown(page, TOP);
      await follow(page, link);
      await expect.poll(() => top(page)).toBe(0);
      await page.goBack();
      await expect.poll(() => top(page)).toBe(TOP);
      await page.goForward();
      await expect.poll(() => top(page)).toBe(0);
    });

    it.each([
      ["is loaded again", (page: Page) => page.reload()],
      ["was left for another site", (page: Page) => page.goto("about:blank").then(() => page.goBack())],
    ])("a history that %s is shown there", async (_, leave) => {
      await using visitor = await begin("/post_versions");
      const { page } = visitor;
      await page.getByRole("link", { name: "Post 45", exact: true }).waitFor();
      await scrollDown(page, TOP);
      await leave(page);
      await page.getByRole("link", { name: "Post 45", exact: true }).waitFor();
      await expect.poll(() => top(page)).toBe(TOP);
    });
  });
});
