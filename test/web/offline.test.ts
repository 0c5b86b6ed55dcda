/** The pages while offline: they show what the browser has, and load the rest when the connection is back. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { noChromium, openBrowser, signIn, visit } from "../support/browser.js";
import type { TestPost, TestUser } from "../support/factory.js";

describe.skipIf(noChromium !== null)(`without a connection${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  let user: TestUser;
  let post: TestPost;
  beforeAll(async () => {
    test = await startBoard();
    user = await test.make.user("Member", "alma");
    post = await test.make.post("harbour", { file: await test.make.picture(400, 300) });
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  async function begin(path: string) {
    const visitor = await visit(browser, test.url);
    await signIn(visitor, user);
    await visitor.page.goto(path);
    return visitor;
  }

  it("a post of the gallery is shown with its picture, and the rest of it once there is a connection", async () => {
    await using visitor = await begin("/posts/999999"); // loads the script of posts
    const { page, context } = visitor;
    await page.getByRole("alert").getByRole("link", { name: "All posts" }).click();
    const tile = page.getByRole("link", { name: `Post ${post.id}:` });
    await tile.waitFor();
    await context.setOffline(true);
    await tile.click();
    await page.getByRole("alert").getByText("The board cannot be reached.").waitFor();
    expect(await page.getByRole("img", { name: "harbour" }).isVisible()).toBe(true);
    await context.setOffline(false);
    await page.getByRole("heading", { name: "About" }).waitFor();
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });

  it("a page and a form whose script is not loaded yet open once there is a connection, without a reload", async () => {
    await using visitor = await begin(`/posts/${post.id}`);
    const { page, context, faults } = visitor;
    await page.getByLabel("Your comment").waitFor();
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    await context.setOffline(true);
    await page.getByText("There is no connection.").waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByText("This is shown once there is a connection.").waitFor();
    await context.setOffline(false);
    await page.getByRole("form", { name: "Edit the post" }).waitFor();
    await context.setOffline(true);
    await page.getByText("There is no connection.").waitFor();
    await page.getByRole("link", { name: "alma", exact: true }).click();
    await page.getByText("This is shown once there is a connection.").waitFor();
    await context.setOffline(false);
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    expect(await page.evaluate(() => "isSamePage" in globalThis)).toBe(true);
    expect(faults).toEqual([]);
  });

  it("a search that is never answered ends with a message, and can be tried again", async () => {
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await page.clock.install();
    await page.goto("/");
    await page.getByRole("link", { name: `Post ${post.id}:` }).waitFor();
    let asked = 0;
    await page.route("**/graphql", (route) => {
      if (!route.request().postData()?.includes('"operationName":"Gallery"')) return route.continue();
      asked += 1;
      return undefined; // never
    });
    await page.getByRole("combobox", { name: "Search posts by tags" }).fill("harbour");
    await page.keyboard.press("Enter");
    for (const times of [1, 2]) {
      await expect.poll(() => asked).toBe(times);
      await page.clock.runFor(31_000);
    }
    await page.getByRole("alert").getByText("The board cannot be reached.").waitFor();
    await page.unroute("**/graphql");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: `Post ${post.id}:` }).waitFor();
  });

  it("a vote that is never answered ends with a message, and can be tried again", async () => {
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await signIn(visitor, await test.make.user("Gold", "patient"));
    await page.clock.install();
    await page.goto(`/posts/${post.id}`);
    const vote = page.getByRole("button", { name: "Vote up", exact: true });
    await vote.waitFor();
    let asked = 0;
    await page.route("**/graphql", (route) => {
      if (!route.request().postData()?.includes('"operationName":"Vote"')) return route.continue();
      asked += 1;
      return undefined; // never
    });
    await vote.click();
    await expect.poll(() => asked).toBe(1);
    await page.clock.runFor(121_000);
    await page.getByText("The board cannot be reached.").waitFor();
    await page.unroute("**/graphql");
    await vote.click();
    await expect.poll(async () => (await test.anonymous.get(`/posts/${post.id}.json`)).json.up_score).toBe(1);
  });

  it("a script that fails while the connection comes back is loaded again, without a reload", async () => {
    await using visitor = await begin(`/posts/${post.id}`);
    const { page } = visitor;
    await page.getByLabel("Your comment").waitFor();
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    const setOnline = (isOnline: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(navigator, "onLine", { configurable: true, value });
        dispatchEvent(new Event(value ? "online" : "offline"));
      }, isOnline);
    let asked = 0;
    await page.route(/\/assets\/edit-.*\.js$/, async (route) => {
      asked += 1;
      if (asked > 1) return route.continue();
      await setOnline(true);
      return route.abort();
    });
    await setOnline(false);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByRole("form", { name: "Edit the post" }).waitFor();
    expect([asked, await page.evaluate(() => "isSamePage" in globalThis)]).toEqual([2, true]);
  });
});
