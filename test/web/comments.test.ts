/** Links to comments, and comments that are older than those that a post's page begins with. */
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/backup.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { DESKTOP, expectAccessible, noChromium, openBrowser, PHONE, signIn, visit } from "../support/browser.js";
import type { TestUser } from "../support/factory.js";
import { answered, held } from "./in-page.js";

/** More than come with a post. */
const MANY = 55;

describe.skipIf(noChromium !== null)(`comments${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  let user: TestUser;
  let post: number;
  /** oldest first */
  const ids: number[] = [];
  beforeAll(async () => {
    test = await startBoard({ COMMENTS_PER_HOUR: "1000" });
    user = await test.make.user("Member", "mira");
    post = (await test.make.post("harbour", { file: await test.make.picture(900, 600) })).id;
    for (let number = 1; number <= MANY; number += 1) {
      const { json } = await user.client.post("/comments.json", {
        comment: { post_id: post, body: `remark ${number}` },
      });
      ids.push(json.id as number);
    }
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const isNamed = (comment: Locator) =>
    comment.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return element === document.activeElement && top >= 0 && bottom <= innerHeight;
    });

  it.each([
    ["a desktop", DESKTOP],
    ["a phone", PHONE],
  ])("that a link names are brought into view and marked, on %s", async (_name, options) => {
    await using visitor = await visit(browser, test.url, options);
    const { page, faults } = visitor;
    await page.goto(`/comments/${ids.at(-9)}`);
    const comment = page.getByRole("listitem").filter({ hasText: `remark ${MANY - 8}` });
    await comment.waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe(`/posts/${post}#comment-${ids.at(-9)}`);
    await expect.poll(() => isNamed(comment)).toBe(true);
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  it("suggest titles for their links while being written", async () => {
    await user.client.post("/wiki_pages.json", { wiki_page: { title: "old_lighthouse", body: "It is old." } });
    await using visitor = await visit(browser, test.url);
    await signIn(visitor, user);
    const { page, faults } = visitor;
    await page.goto(`/posts/${post}`);
    const field = page.getByRole("textbox", { name: "Your comment" });
    await field.pressSequentially("Seen from the [[Old li");
    await page.getByRole("option", { name: "old lighthouse" }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => field.inputValue()).toBe("Seen from the [[old lighthouse]]");
    await page.keyboard.type(", and liked");
    expect(await page.getByRole("option", { name: "old lighthouse" }).count()).toBe(0);
    await page.keyboard.press("Control+Enter");
    const written = page.getByRole("listitem").filter({ hasText: "Seen from the" });
    await written.getByRole("link", { name: "old lighthouse", exact: true }).waitFor();
    expect(await written.innerText()).toContain("Seen from the old lighthouse, and liked");
    expect(faults).toEqual([]);
  });

  it("are written after signing in, on the post in the same search", async () => {
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await page.goto(`/posts/${post}?q=harbour`);
    await page
      .getByRole("region", { name: /omments/ })
      .getByRole("link", { name: "Sign in" })
      .click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(new URL(page.url()).searchParams.get("next")).toBe(`/posts/${post}?q=harbour`);
  });

  it("each have a permalink", async () => {
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await page.goto(`/posts/${post}`);
    const comment = page.getByRole("listitem").filter({ hasText: `remark ${MANY}` });
    await comment.getByRole("link", { name: /ago|just now/ }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe(`#comment-${ids.at(-1)}`);
    await expect.poll(() => isNamed(comment)).toBe(true);
  });

  it("that are older are shown on request, in order", async () => {
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await page.goto(`/posts/${post}`);
    await page.getByText(`remark ${MANY}`, { exact: true }).waitFor();
    expect(await page.getByText("remark 5", { exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Show older comments" }).click();
    await page.getByText("remark 5", { exact: true }).waitFor();
    const shown = await page.getByText(/^remark \d+$/).allInnerTexts();
    expect(shown).toEqual(Array.from({ length: MANY }, (_, index) => `remark ${index + 1}`));
  });

  it("that are older stay when another one is written", async () => {
    const { id } = await test.make.post("long");
    await query(
      test.board.databaseUrl,
      `INSERT INTO comments (post_id, creator_id, updater_id, body, updated_at)
        SELECT ${id}, ${user.id}, ${user.id}, 'word ' || n, now() FROM generate_series(1, 120) AS n`,
    );
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await signIn(visitor, user);
    await page.goto(`/posts/${id}`);
    for (const text of ["word 40", "word 1"]) {
      await page.getByRole("button", { name: "Show older comments" }).click();
      await page.getByText(text, { exact: true }).waitFor();
    }
    await user.client.post("/comments.json", { comment: { post_id: id, body: "word 121" } });
    await page.getByText("word 121", { exact: true }).waitFor();
    await expect.poll(() => page.getByText(/^word \d+$/).count()).toBe(121);
  });

  it("have no button for older ones if all come with the post", async () => {
    const { id } = await test.make.post("fifty");
    await query(
      test.board.databaseUrl,
      `INSERT INTO comments (post_id, creator_id, updater_id, body, updated_at)
        SELECT ${id}, ${user.id}, ${user.id}, 'one of fifty', now() FROM generate_series(1, 50)`,
    );
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await page.goto(`/posts/${id}`);
    await page.getByRole("heading", { name: "Comments (50)" }).waitFor();
    expect(await page.getByText("one of fifty", { exact: true }).count()).toBe(50);
    expect(await page.getByRole("button", { name: "Show older comments" }).count()).toBe(0);
  });

  it("that are older have the focus once they are shown, instead of the button", async () => {
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await page.goto(`/posts/${post}`);
    await page.getByRole("button", { name: "Show older comments" }).focus();
    const [oldest = ""] = await page.getByText(/^remark \d+$/).allInnerTexts();
    await page.keyboard.press("Enter");
    const nearest = `remark ${Number(oldest.split(" ")[1]) - 1}`;
    await expect.poll(() => page.locator(":focus").getByText(nearest, { exact: true }).count()).toBe(1);
  });

  it("that are older are found by their link", async () => {
    await using visitor = await visit(browser, test.url);
    await visitor.page.goto(`/comments/${ids[0]}`);
    const comment = visitor.page.getByRole("listitem").filter({ hasText: /remark 1$/ });
    await expect.poll(() => comment.evaluateAll((found) => found[0] === document.activeElement)).toBe(true);
    await expect.poll(() => isNamed(comment)).toBe(true);
  });

  it("are collapsed below the score of the viewer's settings, and can be opened", async () => {
    const { id: other } = await test.make.post("hills");
    const write = async (body: string, score: number): Promise<number> => {
      const { json } = await user.client.post("/comments.json", { comment: { post_id: other, body } });
      await test.board.database.comment.update({ where: { id: json.id as number }, data: { score } });
      return json.id as number;
    };
    const low = await write("a low remark", -3);
    await write("a fair remark", -2);
    await write("a pinned remark", -9);
    await test.board.database.comment.updateMany({ where: { body: "a pinned remark" }, data: { isSticky: true } });
    await user.client.put(`/users/${user.id}.json`, { user: { comment_threshold: -2 } });
    await using visitor = await visit(browser, test.url);
    const { page, faults } = visitor;
    await page.goto(`/posts/${other}`);
    await page.getByText("a low remark").waitFor(); // to visitors
    await signIn(visitor, user);
    await page.reload();
    await page.getByText("a fair remark").waitFor();
    await page.getByText("a pinned remark").waitFor();
    expect(await page.getByText("a low remark").count()).toBe(0);
    const show = page.getByRole("button", { name: "Show the comment", expanded: false });
    expect(await show.count()).toBe(1);
    await expectAccessible(page);
    await show.click();
    await page.getByText("a low remark").waitFor();
    await page.getByRole("button", { name: "Hide the comment", expanded: true }).click();
    expect(await page.getByText("a low remark").count()).toBe(0);
    await page.goto(`/comments/${low}`);
    await page.getByText("a low remark").waitFor(); // since the link names it
    expect(faults).toEqual([]);
  });

  it("are edited and deleted by keys alone: the form takes the focus, and gives it back", async () => {
    const { id: other } = await test.make.post("hills");
    await user.client.post("/comments.json", { comment: { post_id: other, body: "a remark" } });
    await using visitor = await visit(browser, test.url);
    await signIn(visitor, user);
    const { page, faults } = visitor;
    await page.goto(`/posts/${other}`);
    const edit = page.getByRole("button", { name: "Edit the comment" });
    const isFocused = (element: Locator) => element.evaluate((each) => each === document.activeElement);
    await edit.focus();
    for (const leave of ["Cancel", "Save"]) {
      await page.keyboard.press("Enter");
      const form = page.getByRole("form", { name: "Edit the comment" });
      await expect.poll(() => isFocused(form.getByRole("textbox"))).toBe(true);
      await page.keyboard.type(" fine"); // no shortcuts
      await form.getByRole("button", { name: leave }).focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => isFocused(edit)).toBe(true);
    }
    await page.getByText("a remark fine").waitFor();
    await page.getByRole("button", { name: "Delete the comment" }).focus();
    await page.keyboard.press("Enter");
    const comment = page.getByRole("listitem").filter({ hasText: "Deleted" });
    await comment.waitFor();
    expect(await isFocused(comment)).toBe(true);
    expect(faults).toEqual([]);
  });

  it("stay open for editing when Edit is pressed again", async () => {
    const { id: other } = await test.make.post("hills");
    await user.client.post("/comments.json", { comment: { post_id: other, body: "a remark" } });
    await using visitor = await visit(browser, test.url);
    await signIn(visitor, user);
    const { page } = visitor;
    await page.goto(`/posts/${other}`);
    const edit = page.getByRole("button", { name: "Edit the comment" });
    await edit.click();
    const field = page.getByRole("textbox", { name: "The comment" });
    await field.fill("a longer remark");
    await edit.press("Enter");
    await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true);
    expect(await field.inputValue()).toBe("a longer remark");
    await expectAccessible(page);
  });

  it("keep what is typed while an edit is being saved", async () => {
    const { id: other } = await test.make.post("hills");
    await user.client.post("/comments.json", { comment: { post_id: other, body: "a remark" } });
    await using visitor = await visit(browser, test.url);
    await signIn(visitor, user);
    const { page } = visitor;
    await page.goto(`/posts/${other}`);
    await page.getByRole("button", { name: "Edit the comment" }).click();
    const field = page.getByRole("textbox", { name: "The comment" });
    const resume = await held(page, "SaveComment");
    await field.fill("one");
    await page.keyboard.press("Control+Enter");
    await field.pressSequentially(", two");
    const saved = answered(page, "SaveComment");
    resume();
    await saved;
    expect(await field.inputValue()).toBe("one, two");
    await page.keyboard.press("Control+Enter");
    await page.getByText("one, two", { exact: true }).waitFor();
    await field.waitFor({ state: "detached" });
  });

  it("leave the focus in another field when an edit is saved", async () => {
    const { id: other } = await test.make.post("hills");
    await user.client.post("/comments.json", { comment: { post_id: other, body: "a remark" } });
    await using visitor = await visit(browser, test.url);
    await signIn(visitor, user);
    const { page } = visitor;
    await page.goto(`/posts/${other}`);
    await page.getByRole("button", { name: "Edit the comment" }).click();
    const form = page.getByRole("form", { name: "Edit the comment" });
    await form.getByRole("textbox").fill("a better remark");
    const resume = await held(page, "SaveComment");
    await form.getByRole("button", { name: "Save" }).click();
    const field = page.getByRole("textbox", { name: "Your comment" });
    await field.fill("a"); // and goes on
    resume();
    await form.waitFor({ state: "detached" });
    await page.keyboard.type("fter that");
    expect(await field.inputValue()).toBe("after that");
  });

  it("show what others have changed since the draft of an edit began, which saving replaces", async () => {
    const { id: other } = await test.make.post("hills");
    const { json: comment } = await user.client.post("/comments.json", { comment: { post_id: other, body: "old" } });
    const moderator = await test.make.user("Moderator", "comments_moderator");
    await using visitor = await visit(browser, test.url);
    await signIn(visitor, user);
    const { page } = visitor;
    const field = page.getByRole("textbox", { name: "The comment" });
    const theirs = page.getByRole("status", { name: "Changed by others" });
    const open = async () => {
      await page.goto(`/posts/${other}`);
      await page.getByRole("button", { name: "Edit the comment" }).click();
      await field.waitFor();
    };
    await open();
    await field.fill("mine");
    await open();
    expect([await field.inputValue(), await theirs.count()]).toEqual(["mine", 0]);
    expect((await moderator.client.put(`/comments/${comment.id}.json`, { comment: { body: "theirs" } })).status).toBe(
      200,
    );
    await open();
    expect(await theirs.innerText()).toMatch(/^Others changed the comment.*\s+theirs$/);
    await expectAccessible(page);
    await page.keyboard.press("Control+Enter");
    await field.waitFor({ state: "detached" });
    expect((await test.anonymous.get(`/comments/${comment.id}.json`)).json.body).toBe("mine");
  });

  it("keep what is typed while one is being sent", async () => {
    const { id: other } = await test.make.post("hills");
    await using visitor = await visit(browser, test.url);
    await signIn(visitor, user);
    const { page } = visitor;
    await page.goto(`/posts/${other}`);
    const resume = await held(page, "AddComment");
    const field = page.getByRole("textbox", { name: "Your comment" });
    await field.fill("one");
    await page.keyboard.press("Control+Enter");
    await field.pressSequentially(", two");
    resume();
    await page.getByText("one", { exact: true }).waitFor();
    await page.getByText("Comment posted.").waitFor();
    expect(await field.inputValue()).toBe("one, two");
  });

  it("can be edited further while the preview is loading", async () => {
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await signIn(visitor, user);
    await page.goto(`/posts/${post}`);
    const field = page.getByRole("textbox", { name: "Your comment" });
    await field.fill("One thing");
    const resume = await held(page, "Preview");
    await page.getByRole("button", { name: "Preview" }).click();
    await field.fill("One thing and another");
    const answer = answered(page, "Preview");
    resume();
    await answer;
    expect(await field.inputValue()).toBe("One thing and another");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.locator(".Field-preview").getByText("One thing and another").waitFor();
  });
});
