/** Which file of a picture is loaded: sharp where it is shown, and no larger than necessary. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { DESKTOP, noChromium, openBrowser, PHONE, visit } from "../support/browser.js";
import type { TestPost } from "../support/factory.js";
import { jpeg } from "../support/pictures.js";

describe.skipIf(noChromium !== null)(`pictures of posts${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  let post: TestPost;
  beforeAll(async () => {
    test = await startBoard();
    const picture = await jpeg({ width: 900, height: 600, seed: 66_000 });
    post = await test.make.post("harbour", { file: new Blob([new Uint8Array(picture)]) });
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  // its tile is 300 pixels wide on a desktop, and 150 on a phone, where 1.8 pixels of a file are enough for each
  it.each([
    ["a desktop", DESKTOP, "360x360"],
    ["a desktop of two pixels for each", { ...DESKTOP, deviceScaleFactor: 2 }, "720x720"],
    ["a phone of two pixels for each", PHONE, "360x360"],
    ["a phone of three pixels for each", { ...PHONE, deviceScaleFactor: 3 }, "360x360"],
  ])("are sharp in the gallery of %s, and loaded once", async (_, device, folder) => {
    await using visitor = await visit(browser, test.url, device);
    const { page, faults } = visitor;
    const loaded: string[] = [];
    page.on("request", (request) => request.url().includes("/data/") && loaded.push(request.url()));
    await page.goto("/");
    const picture = page.getByRole("link", { name: /^Post 1:/ }).locator("img");
    await picture.evaluate((element: HTMLImageElement) => element.decode());
    const shown = await picture.evaluate((element: HTMLImageElement) => element.currentSrc);
    const { md5 } = post;
    expect(shown).toBe(`${test.url}/data/${folder}/${md5.slice(0, 2)}/${md5.slice(2, 4)}/${md5}.webp`);
    // what the page was told to load beforehand is what its tile shows
    expect(loaded).toEqual([shown]);
    expect(faults).toEqual([]);
  });

  it("have their mean colour in tiles, and a blurred placeholder on the post's page, until they are loaded", async () => {
    await using visitor = await visit(browser, test.url);
    const { page, faults } = visitor;
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/data/**", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/", { waitUntil: "domcontentloaded" });
    const tile = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: /^Post 1:/ }) });
    const sunken = "rgb(235, 233, 227)";
    const colour = await tile.evaluate((element) => getComputedStyle(element).backgroundColor);
    expect([colour === sunken, /^rgb\(\d+, \d+, \d+\)$/.test(colour)]).toEqual([false, true]);
    await page.goto("/posts/1", { waitUntil: "domcontentloaded" });
    const frame = page.getByRole("figure").locator("img").locator("..");
    const behind = () => frame.evaluate((element) => getComputedStyle(element).backgroundImage);
    await expect.poll(behind).toMatch(/^url\("data:image\/png;base64,/);
    release();
    await expect.poll(behind).toBe("none");
    expect(faults).toEqual([]);
  });
});
