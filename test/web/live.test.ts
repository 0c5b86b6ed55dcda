/** Live updates of a page, and their cost while it is hidden. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { noChromium, openBrowser, signIn, visit } from "../support/browser.js";
import { CutProxy } from "../support/cut-proxy.js";
import type { TestUser } from "../support/factory.js";

describe.skipIf(noChromium !== null)(`a page, seen or hidden${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  let user: TestUser;
  beforeAll(async () => {
    test = await startBoard();
    user = await test.make.user("Member", "mira");
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  /** Says to the page that it is seen, or not, as the browser does when another tab is chosen. */
  const show = (page: Page, isSeen: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, !isSeen);

  it("closes its socket after a minute; when visible again, it loads what it missed and resubscribes", async () => {
    const { id } = await test.make.post("harbour");
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await signIn(visitor, user);
    let [opened, closed] = [0, 0];
    page.on("websocket", (socket) => {
      socket.on("framesent", ({ payload }) => void (opened += String(payload).includes("commentCreated") ? 1 : 0));
      socket.on("close", () => void (closed += 1));
    });
    await page.clock.install();
    await page.goto(`/posts/${id}`);
    await page.getByRole("heading", { name: "No comments yet" }).waitFor();
    const sockets = async (milliseconds: number) => {
      await page.clock.runFor(milliseconds);
      return [opened, closed];
    };
    await expect.poll(() => sockets(1_000)).toEqual([1, 0]);
    await show(page, false);
    expect(await sockets(30_000)).toEqual([1, 0]);
    await show(page, true);
    await show(page, false);
    expect(await sockets(30_000)).toEqual([1, 0]);
    await expect.poll(() => sockets(10_000)).toEqual([1, 1]);
    await user.client.post("/comments.json", { comment: { post_id: id, body: "missed" } });
    await show(page, true);
    await page.getByRole("heading", { name: "Comments (1)" }).waitFor();
    await expect.poll(() => sockets(1_000)).toEqual([2, 1]);
  });

  it("loads what happened before it subscribed, and while its socket was interrupted", async () => {
    const { id } = await test.make.post("hills");
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await signIn(visitor, user);
    let isOpen = true;
    const interrupts: (() => Promise<void>)[] = [];
    await page.routeWebSocket("**/graphql", async (socket) => {
      if (!isOpen) return socket.close({ code: 1001 });
      const board = socket.connectToServer();
      interrupts.push(async () => {
        await board.close({ code: 1000 });
        await socket.close({ code: 1001 });
      });
      return undefined;
    });
    await page.goto(`/posts/${id}`);
    await page.getByRole("heading", { name: "No comments yet" }).waitFor();
    const comment = (body: string) => user.client.post("/comments.json", { comment: { post_id: id, body } });
    await comment("early");
    await page.getByRole("heading", { name: "Comments (1)" }).waitFor();
    isOpen = false;
    await interrupts[0]?.();
    await comment("meanwhile");
    isOpen = true;
    await page.getByRole("heading", { name: "Comments (2)" }).waitFor();
  });

  it("continues live updates once the board accepts connections again", async () => {
    const { id } = await test.make.post("hills");
    await using proxy = await CutProxy.open(test.url);
    await using visitor = await visit(browser, new URL(proxy.url).origin);
    const { page } = visitor;
    await signIn(visitor, user);
    const begun = page.waitForEvent("websocket").then((socket) => socket.waitForEvent("framereceived"));
    await page.goto(`/posts/${id}`);
    await begun;
    const failed = page.waitForEvent("websocket").then((socket) => socket.waitForEvent("socketerror"));
    await proxy.cut();
    await failed;
    await proxy.open();
    await user.client.post("/comments.json", { comment: { post_id: id, body: "afterwards" } });
    await page.getByRole("heading", { name: "Comments (1)" }).waitFor();
  });

  it("updates the reasons when a flagged post is deleted", async () => {
    const { id } = await test.make.post("boat");
    const moderator = await test.make.user("Moderator");
    await user.client.post("/post_flags.json", { post_flag: { post_id: id, reason: "A worse copy." } });
    await using visitor = await visit(browser, test.url);
    await signIn(visitor, user);
    const { page } = visitor;
    await page.goto(`/posts/${id}`);
    await page.getByText("A worse copy.").waitFor();
    const remove = 'mutation ($id: Int!) { deletePost(input: { id: $id, reason: "No boat." }) { post { id } } }';
    await moderator.client.graphql(remove, { id });
    await page.getByText("Deleted", { exact: true }).waitFor();
    await page.getByText("No boat.").waitFor();
  });

  it("takes the picture of a post away when the post is banned, and shows it when it is unbanned", async () => {
    const { id } = await test.make.post("cliffs");
    const moderator = await test.make.user("Moderator");
    await using visitor = await visit(browser, test.url);
    await signIn(visitor, user);
    const { page } = visitor;
    await page.goto(`/posts/${id}`);
    const picture = page.getByRole("main").getByAltText("cliffs", { exact: false });
    await picture.first().waitFor();
    const send = (name: "banPost" | "unbanPost") =>
      moderator.client.graphql(`mutation ($id: Int!) { ${name}(input: { id: $id }) { post { id } } }`, { id });
    await send("banPost");
    await page.getByText("You can't see the file of this post.").waitFor();
    expect(await picture.count()).toBe(0);
    await send("unbanPost");
    await picture.first().waitFor();
  });

  it("shows that its post is gone once it is expunged", async () => {
    const { id } = await test.make.post("cliffs");
    const admin = await test.make.user("Admin");
    await using visitor = await visit(browser, test.url);
    await signIn(visitor, user);
    const { page } = visitor;
    const begun = page.waitForEvent("websocket").then((socket) => socket.waitForEvent("framereceived"));
    await page.goto(`/posts/${id}`);
    await begun;
    await admin.client.graphql(`mutation { expungePost(input: { id: ${id} }) { postId } }`);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
  });

  it("asks for its post once when it is visible again", async () => {
    const { id } = await test.make.post("hills");
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await signIn(visitor, user);
    await page.clock.install();
    await page.goto(`/posts/${id}`);
    await page.getByRole("heading", { name: "No comments yet" }).waitFor();
    await show(page, false);
    await page.clock.runFor(61_000);
    let asked = 0;
    page.on("request", (request) => {
      if (request.postData()?.includes('"operationName":"Post"')) asked += 1;
    });
    await user.client.post("/comments.json", { comment: { post_id: id, body: "missed" } });
    await show(page, true);
    await page.getByRole("heading", { name: "Comments (1)" }).waitFor();
    await page.clock.runFor(10_000);
    await show(page, false);
    await show(page, true);
    await page.clock.runFor(10_000);
    expect(asked).toBe(1);
  });

  it("keeps what it shows if the board can't be reached when it is visible again", async () => {
    const { id } = await test.make.post("hills");
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await signIn(visitor, user);
    await page.clock.install();
    await page.goto(`/posts/${id}`);
    await page.getByLabel("Your comment").fill("half a sentence");
    await show(page, false);
    await page.clock.runFor(61_000);
    let failed = 0;
    await page.route("**/graphql", (route) => {
      if (route.request().postData()?.includes('"operationName":"Post"')) failed += 1;
      return route.abort();
    });
    await show(page, true);
    const failures = () => page.clock.runFor(1_000).then(() => failed);
    await expect.poll(failures).toBe(2); // each read is tried twice
    await page.clock.runFor(1_000);
    expect(await page.getByText("The board cannot be reached.").count()).toBe(0);
    expect(await page.getByLabel("Your comment").inputValue()).toBe("half a sentence");
  });
});
