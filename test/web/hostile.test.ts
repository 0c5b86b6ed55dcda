/** Hostile texts on every page that shows them: none of them runs, and no policy is violated. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { noChromium, openBrowser, signIn, visit } from "../support/browser.js";
import type { TestUser } from "../support/factory.js";

/** Each would call `harm` if it ran. */
const ATTACKS = [
  "<script>harm()</script>",
  '<img src="x" onerror="harm()">',
  '"><svg onload="harm()">',
  "</script><script>harm()</script>",
  "[url=javascript:harm()]x[/url]",
  '"x":[javascript:harm()]',
  '"x":[https://example.com/" onmouseover="harm()]',
  "[[<img/src/onerror=harm()>]]",
  "{{<script>harm()</script>}}",
  "&lt;script&gt;harm()&lt;/script&gt;",
];
/** What can be the name of a tag. */
const TAGS = ["<script>harm()</script>", '"><svg/onload="harm()">', "</title><script>harm()</script>"];

describe.skipIf(noChromium !== null)(`hostile texts${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  let user: TestUser;
  let post: number;
  beforeAll(async () => {
    test = await startBoard();
    user = await test.make.user("Member", "mira");
    const uploader = await test.make.user("Contributor");
    ({ id: post } = await test.make.post(
      `artist:${TAGS[0]} ${TAGS.join(" ")}`,
      { file: await test.make.picture(900, 600) },
      uploader,
    ));
    const body = ATTACKS.join("\n\n");
    await user.client.put(`/posts/${post}.json`, { post: { source: "javascript:harm()//<script>harm()</script>" } });
    await user.client.put(`/posts/${post}.json`, { post: { source: 'https://example.com/"><script>harm()</script>' } });
    await user.client.post("/comments.json", { comment: { post_id: post, body } });
    await user.client.post("/notes.json", { note: { post_id: post, x: 9, y: 9, width: 90, height: 90, body } });
    await user.client.post("/pools.json", { pool: { name: ATTACKS[0] ?? "", description: body } });
    await user.client.post("/wiki_pages.json", { wiki_page: { title: "harm", body } });
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it("never run: in the gallery, on the post, in histories, in previews and suggestions", async () => {
    await using visitor = await visit(browser, test.url);
    const { page, faults } = visitor;
    const harm: string[] = [];
    await page.exposeFunction("harm", () => void harm.push(page.url()));
    await signIn(visitor, user);
    await page.goto("/");
    await page.getByRole("link", { name: /^Post \d+:/ }).hover();
    await page.goto(`/posts/${post}?q=${encodeURIComponent(TAGS[1] ?? "")}`);
    const comment = page.locator("li.Comment");
    await comment.waitFor();
    for (const link of await comment.getByRole("link").all()) await link.hover();
    expect(
      await comment.locator("script, img, svg:not([aria-hidden]), [onerror], [onload], [onmouseover]").count(),
    ).toBe(0);
    expect(await comment.locator('a[href^="javascript:" i]').count()).toBe(0);
    await page.getByRole("button", { name: "Note", exact: true }).click();
    expect(await page.getByRole("tooltip").locator("script, img, [onerror]").count()).toBe(0);
    await page.getByRole("button", { name: "Edit text" }).click();
    const form = page.getByRole("form", { name: "Text of the note" });
    await form.getByRole("button", { name: "Preview" }).click();
    await form.locator(".Prose a").first().waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Edit", exact: true }).first().click();
    await page.getByRole("textbox", { name: "Tags" }).pressSequentially(" <script>harm(1)</script> <scr");
    await page.getByRole("status", { name: "What this edit does" }).getByText("new tag").first().waitFor();
    for (const kind of ["post", "note", "pool", "wiki_page"]) {
      await page.goto(`/${kind}_versions`);
      await page.getByText("Version 1").first().waitFor();
    }
    await page.goto(`/posts?tags=${encodeURIComponent(TAGS[2] ?? "")}`);
    await page.getByRole("link", { name: /^Post \d+:/ }).waitFor();
    expect(harm).toEqual([]);
    expect(faults).toEqual([]);
  });
});
