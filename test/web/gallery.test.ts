/** The gallery as people use it: looking, searching, turning pages, going and coming back. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { expectAccessible, noChromium, openBrowser, PHONE, visit, type Visitor } from "../support/browser.js";

const POSTS = 90;

describe.skipIf(noChromium !== null)(`the gallery${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  beforeAll(async () => {
    test = await startBoard();
    const uploader = await test.make.user("Contributor", "mira");
    for (let index = 1; index <= POSTS; index += 1) {
      const kind = index % 3 === 0 ? "harbour" : "hills";
      await test.make.post(`${kind} general_${index} artist:mira_b`, {}, uploader);
    }
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await test[Symbol.asyncDispose]();
  });
  const begin = (...options: Parameters<typeof visit> extends [unknown, unknown, ...infer Rest] ? Rest : never) =>
    visit(browser, test.url, ...options);
  const tiles = ({ page }: Visitor) => page.getByRole("link", { name: /^Post \d+:/ });
  const field = ({ page }: Visitor) => page.getByRole("combobox", { name: "Search posts by tags" });

  it("shows the newest posts with their pictures, and asks nothing of anybody else", async () => {
    await using visitor = await begin();
    const { page, faults } = visitor;
    await page.goto("/");
    await expect.poll(() => tiles(visitor).count()).toBe(40);
    expect(await page.getByText("90 posts", { exact: true }).isVisible()).toBe(true);
    const first = tiles(visitor).first().locator("img");
    expect(await first.evaluate((picture: HTMLImageElement) => picture.decode().then(() => picture.naturalWidth))).toBe(
      64,
    );
    expect(await page.title()).toBe("Graphbooru");
    expect(faults).toEqual([]);
  });

  it("is there without another question, by the answer that came with the page", async () => {
    await using visitor = await begin();
    const asked: string[] = [];
    visitor.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await visitor.page.goto("/posts?tags=harbour");
    await expect.poll(() => tiles(visitor).count()).toBe(30);
    expect(asked).not.toContain("/graphql");
  });

  it("suggests tags while one types, and searches by keys", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await tiles(visitor).first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("har");
    await page.getByRole("option", { name: /harbour/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await field(visitor).inputValue()).toBe("harbour ");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/posts?tags=harbour");
    await expect.poll(() => page.title()).toBe("harbour · Graphbooru");
    await expect.poll(() => tiles(visitor).count()).toBe(30);
  });

  it("suggests after a minus, and the values of meta-tags", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await field(visitor).pressSequentially("hills -h");
    await page.getByRole("option", { name: /^harbour/ }).click();
    expect(await field(visitor).inputValue()).toBe("hills -harbour ");
    await field(visitor).pressSequentially("rating:");
    await page
      .getByRole("option", { name: /^rating:s/ })
      .first()
      .waitFor();
  });

  it("goes on under a mark while one scrolls, and the address follows", async () => {
    await using visitor = await begin();
    const { page, faults } = visitor;
    await page.goto("/");
    await expect.poll(() => tiles(visitor).count()).toBe(40);
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 600);
        return new URL(page.url()).search;
      })
      .toBe("?page=2");
    expect(await page.getByRole("region", { name: "Page 2" }).isVisible()).toBe(true);
    await page.reload();
    await expect.poll(() => page.getByRole("region", { name: "Page 2" }).isVisible()).toBe(true);
    expect(new URL(page.url()).search).toBe("?page=2");
    expect(faults).toEqual([]);
  });

  it("says when nothing is found, and what may be left out", async () => {
    await using visitor = await begin();
    await visitor.page.goto("/posts?tags=harbour+nowhere_at_all");
    await visitor.page.getByRole("link", { name: "Search without nowhere_at_all" }).click();
    await expect.poll(() => tiles(visitor).count()).toBe(30);
  });

  it("says what the board refuses, in its own words", async () => {
    await using visitor = await begin();
    await visitor.page.goto(`/posts?tags=${Array.from({ length: 60 }, (_, index) => `tag${index}`).join("+")}`);
    expect(await visitor.page.getByRole("alert").textContent()).toMatch(/40/);
  });

  it("fits a phone, and is accessible there and elsewhere, light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const options of [PHONE, { viewport: { width: 1280, height: 800 } }]) {
        await using visitor = await begin({ ...options, colorScheme });
        const { page } = visitor;
        await page.goto("/");
        await expect.poll(() => tiles(visitor).count()).toBe(40);
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(excess).toBeLessThanOrEqual(0);
        await expectAccessible(page);
      }
    }
  });
});
