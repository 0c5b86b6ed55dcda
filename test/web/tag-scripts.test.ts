/** Tag scripts: one key changes the tags of a post, or of several. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { expectAccessible, noChromium, openBrowser, signIn, visit } from "../support/browser.js";
import type { TestUser } from "../support/factory.js";

describe.skipIf(noChromium !== null)(`tag scripts${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  let user: TestUser;
  beforeAll(async () => {
    test = await startBoard();
    user = await test.make.user("Contributor", "mira");
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  /** Signed in, with scripts that were written on the account's page. */
  async function begin(scripts: string) {
    const visitor = await visit(browser, test.url);
    const { page } = visitor;
    await signIn(visitor, user);
    await page.goto("/account");
    const form = page.getByRole("form", { name: "Tag scripts" });
    await form.getByLabel("Scripts of the keys 1 to 9").fill(scripts);
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your tag scripts are saved.").waitFor();
    return visitor;
  }
  /** without those that the board gives by itself */
  const tagsOf = async (id: number) =>
    ((await test.anonymous.get(`/posts/${id}.json`)).json.tag_string as string).replace(" lowres", "");

  it("edit the open post", async () => {
    const post = await test.make.post("harbour boat", {}, user);
    await using visitor = await begin("sunset -boat\nnight");
    const { page, faults } = visitor;
    await expectAccessible(page);
    await page.goto(`/posts/${post.id}`);
    await page.getByRole("button", { name: "Edit", exact: true }).waitFor();
    await page.keyboard.press("1");
    await page.getByText("sunset -boat: 1 post edited.").waitFor();
    await page.getByRole("link", { name: "sunset", exact: true }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: "boat", exact: true }).count()).toBe(0);
    expect(await tagsOf(post.id)).toBe("harbour sunset");
    await page.keyboard.press("3");
    await page.getByText("Key 3 has no tag script.").waitFor();
    expect(await tagsOf(post.id)).toBe("harbour sunset");
    expect(faults).toEqual([]);
  });

  it("edit the post of the focused tile, or the selected posts", async () => {
    const ids: number[] = [];
    for (let index = 0; index < 3; index += 1) ids.push((await test.make.post("lake", {}, user)).id);
    await using visitor = await begin("\nnight");
    const { page, faults } = visitor;
    await page.goto("/posts?tags=lake");
    await page.getByRole("link", { name: `Post ${ids[2]}: lake` }).focus();
    await page.keyboard.press("2");
    await page.getByText("night: 1 post edited.").waitFor();
    await page.getByRole("link", { name: /^Post \d+: lake.* night/ }).waitFor();
    await page.getByRole("button", { name: "Select", exact: true }).click();
    for (const id of ids.slice(0, 2)) await page.getByRole("checkbox", { name: `Post ${id}: lake` }).click();
    await page.keyboard.press("2");
    await page.getByText("night: 2 posts edited.").waitFor();
    for (const id of ids) expect(await tagsOf(id)).toBe("lake night");
    expect(faults).toEqual([]);
  });

  it("don't edit the previous post while the next one is loading", async () => {
    const ids: number[] = [];
    for (let index = 0; index < 2; index += 1) ids.push((await test.make.post("canal", {}, user)).id);
    await using visitor = await begin("night");
    const { page } = visitor;
    await page.goto(`/posts/${ids[1]}?q=canal`);
    await page.getByRole("button", { name: "Edit", exact: true }).waitFor();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.postData() ?? ""));
    await page.evaluate(async () => {
      const press = (key: string) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      press("ArrowRight");
      await new Promise((resolve) => setTimeout(resolve)); // its picture is shown, and of the rest still the previous post's
      press("1");
    });
    await page.locator(`a[aria-label="Post ${ids[0]}"][aria-current]`).waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).waitFor();
    expect(asked.filter((each) => each.includes("EditMany"))).toEqual([]);
    await page.keyboard.press("1");
    await page.getByText("night: 1 post edited.").waitFor();
    expect([await tagsOf(ids[0] ?? 0), await tagsOf(ids[1] ?? 0)]).toEqual(["canal night", "canal"]);
  });

  it("report what was refused, and are not available to visitors", async () => {
    const post = await test.make.post("river", {}, user);
    await using visitor = await begin("parent:99999999");
    const { page } = visitor;
    await page.goto(`/posts/${post.id}`);
    await page.getByRole("button", { name: "Edit", exact: true }).waitFor();
    await page.keyboard.press("1");
    await page.getByText(/^parent:99999999: 0 posts edited\. ./).waitFor();
    await using stranger = await visit(browser, test.url);
    await stranger.page.goto(`/posts/${post.id}`);
    await stranger.page.getByRole("link", { name: "river", exact: true }).waitFor();
    for (const [{ page: shown }, count] of [
      [visitor, 1],
      [stranger, 0],
    ] as const) {
      await shown.keyboard.press("?");
      await shown.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      expect(await shown.getByText("Run a tag script").count()).toBe(count);
    }
  });
});
