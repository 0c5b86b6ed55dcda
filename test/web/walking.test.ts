/** Moving between posts by arrow keys and touch, in a search or a pool; and pictures wider than their frame. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { DESKTOP, noChromium, openBrowser, PHONE, signIn, visit, type Visitor } from "../support/browser.js";
import type { TestPost, TestUser } from "../support/factory.js";

describe.skipIf(noChromium !== null)(`moving between posts${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  let user: TestUser;
  /** oldest first; in the pool stand the third, first and second */
  const posts: TestPost[] = [];
  let pool: number;
  beforeAll(async () => {
    test = await startBoard();
    user = await test.make.user("Contributor", "lumen");
    for (let index = 0; index < 4; index += 1)
      posts.push(await test.make.post("harbour", { file: await test.make.picture(1600, 1000) }, user));
    const order = [2, 0, 1].map((index) => posts[index]?.id ?? 0);
    const { json } = await user.client.post("/pools.json", {
      pool: { name: "harbour_days", category: "series", description: "of some days", post_ids: order.join(" ") },
    });
    if (typeof json.id !== "number") throw new Error(`no pool: ${JSON.stringify(json)}`);
    pool = json.id;
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const idOf = (index: number): number => posts[index]?.id ?? 0;
  async function begin(path: string, options = DESKTOP) {
    const visitor = await visit(browser, test.url, options);
    await visitor.page.goto(path);
    await visitor.page.getByRole("img", { name: /harbour/ }).waitFor();
    return visitor;
  }
  const pathIn = ({ page }: Visitor) => new URL(page.url()).pathname;

  it("follows the pool that the post was opened from", async () => {
    await using visitor = await begin(`/posts/${idOf(0)}`);
    const { page } = visitor;
    await page.getByRole("link", { name: "Read from here" }).click();
    const strip = page.getByRole("navigation", { name: "Posts beside this one" });
    await strip.getByRole("link", { name: "harbour days" }).waitFor();
    await strip.getByRole("link", { name: "Next post" }).waitFor();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => pathIn(visitor)).toBe(`/posts/${idOf(1)}`);
    await expect
      .poll(() => page.getByRole("link", { name: `Post ${idOf(1)}` }).getAttribute("aria-current"))
      .toBe("page");
    expect(await strip.getByRole("link", { name: "Next post" }).count()).toBe(0);
    await page.keyboard.press("ArrowLeft");
    await expect
      .poll(() => page.getByRole("link", { name: `Post ${idOf(0)}` }).getAttribute("aria-current"))
      .toBe("page");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => pathIn(visitor)).toBe(`/posts/${idOf(2)}`);
    expect(new URL(page.url()).searchParams.get("q")).toBe(`ordpool:${pool}`);
  });

  it("follows a search by score", async () => {
    const voters = [await test.make.user(), await test.make.user()];
    const votes = [[0, 3], [0]]; // whom each votes for
    for (const [index, voter] of voters.entries())
      for (const each of votes[index] ?? [])
        await voter.client.post(`/posts/${idOf(each)}/votes.json`, { score: "up" });
    await using visitor = await begin(`/posts/${idOf(0)}?q=harbour+order:score`);
    const { page } = visitor;
    await page.getByRole("link", { name: "Next post" }).waitFor();
    for (const [key, index] of [
      ["ArrowRight", 3],
      ["ArrowRight", 2],
      ["ArrowLeft", 3],
      ["ArrowLeft", 0],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(`a[aria-label="Post ${idOf(index)}"][aria-current]`).waitFor();
      expect(pathIn(visitor)).toBe(`/posts/${idOf(index)}`);
    }
  });

  it("by arrow keys scrolls a picture that is wider than its frame", async () => {
    await using visitor = await begin(`/posts/${idOf(1)}?q=harbour`, { viewport: { width: 800, height: 600 } });
    const { page } = visitor;
    await page.keyboard.press("z");
    await page.keyboard.press("z");
    const left = () => page.locator(".Picture-scroll").evaluate((each) => each.scrollLeft);
    await page.keyboard.press("ArrowRight");
    await expect.poll(left).toBeGreaterThan(100);
    expect(pathIn(visitor)).toBe(`/posts/${idOf(1)}`);
    await page.keyboard.press("d");
    await expect.poll(() => pathIn(visitor)).toBe(`/posts/${idOf(0)}`);
  });

  it("shows the first and the last post of a search completely in the strip, on a narrow phone", async () => {
    for (const index of [3, 0]) {
      const narrow = { ...PHONE, viewport: { width: 360, height: 780 } };
      await using visitor = await begin(`/posts/${idOf(index)}?q=harbour`, narrow);
      const own = visitor.page.locator(`.Strip a[aria-label="Post ${idOf(index)}"][aria-current]`);
      await own.waitFor();
      const excess = () =>
        own.evaluate((link) => {
          const frames = link.closest("ol")?.getBoundingClientRect();
          const { left, right } = link.getBoundingClientRect();
          return frames && Math.max(frames.left - left, right - frames.right);
        });
      await expect.poll(excess).toBeLessThan(1);
    }
  });

  it("preloads the next pictures", async () => {
    await using visitor = await begin(`/posts/${idOf(3)}?q=harbour`);
    const { page } = visitor;
    const loaded = () => page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    for (const index of [2, 1]) {
      const { json } = await test.anonymous.get(`/posts/${idOf(index)}.json`);
      await expect.poll(loaded).toContain(json.large_file_url);
    }
    await page.route("**/graphql", (route) => route.abort()); // nothing has to be asked for the next post
    await page.keyboard.press("ArrowRight");
    await expect
      .poll(() => page.getByRole("link", { name: `Post ${idOf(2)}` }).getAttribute("aria-current"))
      .toBe("page");
    await page.getByRole("img", { name: /harbour/ }).waitFor();
  });

  it("by touch follows the finger, and moves on after a long swipe", async () => {
    await using visitor = await begin(`/posts/${idOf(2)}?q=harbour`, PHONE);
    const { page, context } = visitor;
    const touch = await context.newCDPSession(page);
    const picture = page.locator(".Picture-scroll");
    const box = await picture.boundingBox();
    const y = (box?.y ?? 0) + 100;
    const send = (type: "touchStart" | "touchMove" | "touchEnd", x?: number) =>
      touch.send("Input.dispatchTouchEvent", { type, touchPoints: x === undefined ? [] : [{ x, y }] });
    const shift = () => picture.evaluate((each) => Math.round(new DOMMatrix(getComputedStyle(each).transform).e));
    await send("touchStart", 300);
    await send("touchMove", 270);
    await send("touchMove", 250);
    await expect.poll(shift).toBe(-50);
    await page.keyboard.press("z"); // it is rendered anew, as when a larger picture has arrived
    await expect.poll(() => page.getByLabel("Size").inputValue()).toBe("width");
    expect(await shift()).toBe(-50);
    await page.waitForTimeout(300); // slowly: it is not meant
    await send("touchMove", 251);
    await send("touchEnd");
    await expect.poll(shift).toBe(0);
    expect(pathIn(visitor)).toBe(`/posts/${idOf(2)}`);
    await send("touchStart", 300);
    for (const x of [270, 200, 100]) await send("touchMove", x);
    await send("touchEnd");
    await expect.poll(() => pathIn(visitor)).toBe(`/posts/${idOf(1)}`);
    await page.locator(`a[aria-label="Post ${idOf(1)}"][aria-current]`).waitFor();
    await send("touchStart", 100);
    for (const x of [130, 200, 300]) await send("touchMove", x);
    await send("touchEnd");
    await expect.poll(() => pathIn(visitor)).toBe(`/posts/${idOf(2)}`);
  });

  it("by touch is disabled while the page is zoomed", async () => {
    await using visitor = await begin(`/posts/${idOf(2)}?q=harbour`, PHONE);
    const { page, context } = visitor;
    const cdp = await context.newCDPSession(page);
    const picture = page.locator(".Picture-scroll");
    const box = await picture.boundingBox();
    const middle = (box?.y ?? 0) + (box?.height ?? 0) / 2;
    const swipe = async (y: number) => {
      for (const [type, x] of [
        ["touchStart", 380],
        ["touchMove", 350],
        ["touchMove", 250],
        ["touchMove", 60],
      ] as const)
        await cdp.send("Input.dispatchTouchEvent", { type, touchPoints: [{ x, y }] });
      await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    };
    const zoom = async (scale: number) => {
      await cdp.send("Emulation.setPageScaleFactor", { pageScaleFactor: scale });
      await expect.poll(() => page.evaluate(() => visualViewport?.scale)).toBeCloseTo(scale, 1);
    };
    await zoom(2);
    const began = page.evaluate(
      () => new Promise<boolean>((done) => addEventListener("pointerdown", () => done(true), { once: true })),
    );
    await swipe(middle * 2);
    expect(await began).toBe(true);
    await zoom(1);
    expect(pathIn(visitor)).toBe(`/posts/${idOf(2)}`);
    await swipe(middle);
    await expect.poll(() => pathIn(visitor)).toBe(`/posts/${idOf(1)}`);
  });

  it("by touch does not start while scrolling down", async () => {
    await using visitor = await begin(`/posts/${idOf(2)}?q=harbour`, PHONE);
    const { page, context } = visitor;
    const touch = await context.newCDPSession(page);
    const at = (x: number, y: number) => [{ x, y }];
    const box = await page.locator(".Picture-scroll").boundingBox();
    const y = (box?.y ?? 0) + 150;
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(300, y) });
    for (const down of [20, 60, 120])
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(300 - down, y - down * 1.5) });
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
    expect(pathIn(visitor)).toBe(`/posts/${idOf(2)}`);
  });

  it("flags a post by keys alone: Escape keeps the draft, Cancel forgets it, Ctrl Enter sends it", async () => {
    const member = await test.make.user("Member", "kira");
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await signIn(visitor, member);
    await page.goto(`/posts/${(await test.make.post("another")).id}`);
    const form = page.getByRole("form", { name: "Flag the post" });
    const reason = form.getByRole("textbox", { name: "Reason" });
    const open = async () => {
      await page.getByRole("button", { name: "Flag", exact: true }).first().press("Enter");
      await reason.waitFor();
    };
    await open();
    await reason.fill("blur");
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    await open();
    expect(await reason.inputValue()).toBe("blur");
    await form.getByRole("button", { name: "Cancel" }).press("Enter");
    await form.waitFor({ state: "detached" });
    await open();
    expect(await reason.inputValue()).toBe("");
    await reason.fill("blurred");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("definition").filter({ hasText: "Flagged" }).getByText("blurred").waitFor();
  });

  it("says that the viewer flagged a post before, whose flag was resolved, instead of asking for a reason", async () => {
    const member = await test.make.user("Member", "nora");
    const { id } = await test.make.post("another");
    await member.client.post("/post_flags.json", { post_flag: { post_id: id, reason: "blurred" } });
    const { client } = await test.make.user("Moderator");
    await client.graphql("mutation($id: Int!) { approvePost(input: { id: $id }) { post { id } } }", { id });
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await signIn(visitor, member);
    await page.goto(`/posts/${id}`);
    await page.getByRole("button", { name: "Flag", exact: true }).press("Enter");
    await page.getByRole("alert").filter({ hasText: "You have flagged this post before." }).waitFor();
    expect(await page.getByRole("form", { name: "Flag the post" }).count()).toBe(0);
  });

  it("flags a post, and appeals a flagged one; the reason is shown", async () => {
    const member = await test.make.user("Member", "mira");
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await signIn(visitor, member);
    await page.goto(`/posts/${idOf(3)}`);
    await page.getByRole("button", { name: "Flag" }).waitFor();
    expect(await page.getByRole("button", { name: "Appeal" }).count()).toBe(0);
    await page.getByRole("button", { name: "Flag" }).click();
    const form = page.getByRole("form", { name: "Flag the post" });
    await expect.poll(() => form.getByRole("textbox").evaluate((each) => each === document.activeElement)).toBe(true);
    await page.keyboard.type("blurred");
    await form.getByRole("button", { name: "Flag" }).click();
    await page.getByRole("definition").filter({ hasText: "Flagged" }).getByText("blurred").waitFor();
    expect((await test.anonymous.get(`/posts/${idOf(3)}.json`)).json.is_flagged).toBe(true);
    await expect.poll(() => page.getByRole("button", { name: "Flag" }).count()).toBe(0);
    await page.getByRole("button", { name: "Appeal" }).click();
    const appeal = page.getByRole("form", { name: "Appeal the post" });
    await appeal.getByRole("textbox", { name: "Reason" }).fill("sharp enough");
    await appeal.getByRole("button", { name: "Appeal" }).click();
    await appeal.waitFor({ state: "detached" });
    const report = page.getByRole("region", { name: "Report" });
    expect(await report.evaluate((each) => each === document.activeElement)).toBe(true);
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload();
      await page.getByRole("button", { name: "Appeal" }).click();
      await report.getByText("You have appealed this post before.").waitFor();
    }
    expect(await appeal.count()).toBe(0);
    await page.goto("/login");
    await visitor.context.clearCookies();
    await page.goto(`/posts/${idOf(3)}`);
    await page.getByRole("heading", { name: "About" }).waitFor();
    expect(await page.getByRole("button", { name: "Flag" }).count()).toBe(0);
  });
});
