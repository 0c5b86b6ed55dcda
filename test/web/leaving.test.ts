/** Writes that still reach the board although the user leaves the page at once. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { noChromium, openBrowser, signIn, visit, type Visitor } from "../support/browser.js";
import type { TestUser } from "../support/factory.js";
import { holdTable, PATIENCE } from "../support/held-table.js";

describe.skipIf(noChromium !== null)(`leaving a page at once${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  let user: TestUser;
  beforeAll(async () => {
    test = await startBoard({ ...PATIENCE, MAX_REQUESTS_PER_ADDRESS: "1" });
    user = await test.make.user("Member", "mira");
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  async function begin(): Promise<Visitor & { id: number }> {
    const { id } = await test.make.post("harbour", { file: await test.make.picture(900, 600) });
    const note = { post_id: id, x: 450, y: 300, width: 90, height: 60, body: "a boat" };
    expect((await user.client.post("/notes.json", { note })).status).toBe(200);
    const visitor = await visit(browser, test.url);
    await signIn(visitor, user);
    await visitor.page.goto(`/posts/${id}`);
    await visitor.page.getByRole("button", { name: "Vote up" }).waitFor();
    return { ...visitor, id };
  }
  const scoreOf = async (id: number) => (await test.anonymous.get(`/posts/${id}.json`)).json.score;

  it("keeps a vote that the board had not started to process", async () => {
    await using visitor = await begin();
    const { page, id } = visitor;
    {
      // the address has one turn, which another request has until the table is free
      await using held = await holdTable(test.board.databaseUrl, "tags");
      const asked = test.anonymous.get("/tags.json");
      await expect.poll(() => held.waiting()).toBe(1);
      const sent = page.waitForRequest((request) => (request.postData() ?? "").includes('"Vote"'));
      await page.getByRole("button", { name: "Vote up" }).click();
      await sent;
      await page.goto("about:blank");
      void asked;
    }
    await expect.poll(() => scoreOf(id)).toBe(1);
  });

  it("saves a note that was being moved by keys", async () => {
    await using visitor = await begin();
    const { page, id } = visitor;
    const note = page.getByRole("button", { name: "Note", exact: true });
    await note.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => note.getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.press("ArrowRight");
    await page.goto("about:blank");
    const moved = async () => (await test.anonymous.get(`/notes.json?search[post_id]=${id}`)).json as unknown;
    await expect.poll(moved).toMatchObject([{ x: 459, y: 300 }]);
  });

  it("still shows the error of a large text that is refused", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.getByLabel("Your comment").fill("word ".repeat(14_000));
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByText(/too long/).waitFor();
  });
});
