/** Failures between a browser and its board: they are reported, reads are retried, and drafts are kept. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { noChromium, openBrowser, signIn, visit } from "../support/browser.js";
import type { TestPost, TestUser } from "../support/factory.js";

describe.skipIf(noChromium !== null)(`failures${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  let user: TestUser;
  let post: TestPost;
  beforeAll(async () => {
    test = await startBoard({ LOGIN_ATTEMPTS_PER_HOUR: "2" });
    post = await test.make.post("harbour boat");
    user = await test.make.user("Member", "alma");
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const isQuestion = (body: string | null): boolean => (body ?? "").includes('"Suggest"');

  it("a comment that can't be sent is kept across reloads until it is sent", async () => {
    await using visitor = await visit(browser, test.url);
    const { page, context } = visitor;
    await signIn(visitor, user);
    await page.goto(`/posts/${post.id}`);
    await page.getByLabel("Your comment").fill("What a harbour");
    await context.setOffline(true);
    await page.getByText("There is no connection.").waitFor();
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByText("The board cannot be reached.").waitFor();
    await context.setOffline(false);
    await page.reload();
    await expect.poll(() => page.getByLabel("Your comment").inputValue()).toBe("What a harbour");
    await expect.poll(() => page.getByText("There is no connection.").count()).toBe(0);
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByRole("heading", { name: "Comments (1)" }).waitFor();
    await expect.poll(() => page.getByLabel("Your comment").inputValue()).toBe("");
    await page.reload();
    await expect.poll(() => page.getByLabel("Your comment").inputValue()).toBe("");
  });

  it("a browser that refuses a channel between tabs, as one that stores nothing does, shows the pages all the same", async () => {
    await using visitor = await visit(browser, test.url);
    const { page, faults } = visitor;
    await page.addInitScript(() => {
      globalThis.BroadcastChannel = function refuse() {
        throw new DOMException("refused", "SecurityError");
      } as unknown as typeof BroadcastChannel;
    });
    await page.goto("/");
    await page.getByRole("link", { name: `Post ${post.id}:` }).click();
    await page.getByRole("heading", { name: "About" }).waitFor();
    expect(faults).toEqual([]);
  });

  it("a script that can't be loaded reloads the page once, and is then tried again until it is there", async () => {
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await signIn(visitor, user);
    let [failures, isAway] = [0, true];
    await page.route("**/assets/comment-forms-*.js", (route) => {
      if (!isAway) return route.continue();
      failures += 1;
      return route.abort();
    });
    let loads = 0;
    page.on("load", () => void (loads += 1));
    await page.goto(`/posts/${post.id}`);
    await expect.poll(() => failures).toBeGreaterThan(2);
    expect(loads).toBe(2);
    isAway = false;
    await page.getByLabel("Your comment").waitFor();
    expect(loads).toBe(2);
  });

  it("a script that fails since another page is opened, as in Firefox and Safari, does not reload this one", async () => {
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await page.goto("/");
    let fail = (): void => undefined;
    const isLeft = new Promise<void>((resolve) => (fail = resolve));
    await page.route("**/assets/login-*.js", async (route) => {
      await isLeft;
      await route.abort();
    });
    await page.route("**/posts/1", async (route) => {
      const failed = page.waitForEvent("requestfailed");
      fail();
      await failed;
      await route.continue();
    });
    const asked = page.waitForRequest("**/assets/login-*.js");
    await page.getByRole("link", { name: "Sign in" }).click();
    await asked;
    await page.evaluate(() => location.assign("/posts/1"));
    await page.waitForURL("**/posts/1");
  });

  it("a post that could not be loaded is loaded when the connection is back", async () => {
    await using visitor = await visit(browser, test.url);
    const { page, context } = visitor;
    await page.goto("/posts/999999"); // loads the script of posts
    await page.getByRole("alert").getByRole("link", { name: "All posts" }).click();
    const link = page.getByRole("link", { name: `Post ${post.id}:` });
    await link.waitFor();
    await context.setOffline(true);
    await page.getByText("There is no connection.").waitFor();
    await link.click();
    await page.getByRole("alert").getByText("The board cannot be reached.").waitFor();
    await context.setOffline(false);
    await page.getByRole("heading", { name: "About" }).waitFor();
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });

  it("a connection that is back as soon as the failure is shown is used at once", async () => {
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await page.goto("/");
    const link = page.getByRole("link", { name: `Post ${post.id}:` });
    await link.waitFor();
    let sent = 0;
    await page.route("**/graphql", (route) => ((sent += 1) === 1 ? route.abort() : route.continue()));
    await page.evaluate(() => {
      dispatchEvent(new Event("offline"));
      const watcher = new MutationObserver(() => {
        if (!document.querySelector('[role="alert"]')) return;
        watcher.disconnect();
        dispatchEvent(new Event("online"));
      });
      watcher.observe(document.body, { childList: true, subtree: true });
    });
    await link.click();
    await page.getByRole("heading", { name: "About" }).waitFor();
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });

  it("a read without an answer is retried once", async () => {
    await test.make.post("anywhere");
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    let asked = 0;
    await page.route("**/graphql", (route) => {
      if (!isQuestion(route.request().postData())) return route.continue();
      asked += 1;
      return asked > 1 ? route.continue() : route.abort();
    });
    await page.goto("/posts?tags=harbour");
    await page.getByRole("combobox").fill("anywhe"); // a tag that the page does not have
    await page.getByRole("option", { name: /^anywhere/ }).waitFor();
    expect(asked).toBe(2);
  });

  it("404: links to all posts, and offers no retry", async () => {
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    for (const path of ["/nowhere", "/posts/999999"]) {
      await page.goto(path);
      await page.getByRole("alert").getByRole("heading", { name: "Not found" }).waitFor();
      expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    }
    await page.getByRole("alert").getByRole("link", { name: "All posts" }).click();
    await page.getByRole("heading", { name: "Posts" }).waitFor({ state: "attached" });
  });

  it("404: a post that a link names, but does not exist, is not found in the title either", async () => {
    await user.client.post("/comments.json", { comment: { post_id: post.id, body: "See post #999999" } });
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await page.goto(`/posts/${post.id}`);
    await page.getByRole("link", { name: "post #999999" }).click();
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await expect.poll(() => page.title()).toBe("Not found · Graphbooru");
  });

  it("a truncated response is an error", async () => {
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await signIn(visitor, user);
    await page.goto(`/posts/${post.id}`);
    await page.getByLabel("Your comment").fill("Half of it");
    await page.route("**/graphql", (route) =>
      route.fulfill({ contentType: "application/json", body: '{"data":{"createComment":' }),
    );
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByText("The board cannot be reached.").waitFor();
    expect(await page.getByLabel("Your comment").inputValue()).toBe("Half of it");
  });

  it("503: a read is retried once", async () => {
    await test.make.post("elsewhere");
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    const asked: string[] = [];
    await page.route("**/graphql", (route) => {
      if (!isQuestion(route.request().postData())) return route.continue();
      asked.push(route.request().postData() ?? "");
      if (asked.length > 1) return route.continue();
      return route.fulfill({ status: 503, headers: { "retry-after": "1" }, body: "" });
    });
    await page.goto("/posts?tags=harbour");
    await page.getByRole("combobox").fill("elsewh"); // a tag that the page does not have
    await page.getByRole("option", { name: /^elsewhere/ }).waitFor();
    expect(asked).toEqual([asked[0], asked[0]]);
  });

  it("503: a write is not retried", async () => {
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await signIn(visitor, user);
    await page.goto(`/posts/${post.id}`);
    let sent = 0;
    const reason = "the server cannot handle the request now; try again later";
    await page.route("**/graphql", (route) => {
      sent += 1;
      const errors = [{ message: reason, extensions: { code: "UNAVAILABLE", status: 503, reason, retryAfter: 1 } }];
      return route.fulfill({ status: 503, contentType: "application/json", body: JSON.stringify({ errors }) });
    });
    await page.getByLabel("Your comment").fill("Once");
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByText("The server cannot handle the request now; try again later.").waitFor();
    expect(sent).toBe(1);
  });

  it("an expired session: signing in again leads back to the draft", async () => {
    await using visitor = await visit(browser, test.url);
    const { page, context } = visitor;
    await signIn(visitor, user);
    await page.goto(`/posts/${post.id}`);
    await page.getByLabel("Your comment").fill("Written before");
    await context.clearCookies();
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByText("Sign in to go on where you were. Anything that you have written is still there.").waitFor();
    await page.getByRole("navigation", { name: "Account" }).getByRole("link", { name: "Sign in" }).waitFor();
    await page.getByLabel("Name").fill(user.name);
    await page.getByLabel("Password").fill(user.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`**/posts/${post.id}`);
    await expect.poll(() => page.getByLabel("Your comment").inputValue()).toBe("Written before");
  });

  it("an expired session: the texts of an edited comment, of notes and of a flag are kept until they are sent", async () => {
    const { id } = await test.make.post("pier", { file: await test.make.picture(900, 600) });
    const body = "as it was";
    await user.client.post("/comments.json", { comment: { post_id: id, body } });
    await user.client.post("/notes.json", { note: { post_id: id, x: 1, y: 1, width: 90, height: 60, body } });
    await using visitor = await visit(browser, test.url);
    const { page, context } = visitor;
    const click = (name: string) => page.getByRole("button", { name, exact: true }).click();
    const forms = [
      ["Edit the comment", "Save", () => click("Edit the comment")],
      ["Text of the note", "Save", () => click("Note").then(() => click("Edit text"))],
      [
        "Text of the note",
        "Save",
        () => click("Add a note").then(() => page.getByRole("button", { name: /^Draw a note/ }).press("Enter")),
      ],
      ["Flag the post", "Flag", () => click("Flag")],
    ] as const;
    await signIn(visitor, user);
    for (const [index, [name, send, open]] of forms.entries()) {
      const form = page.getByRole("form", { name });
      await page.goto(`/posts/${id}`);
      await open();
      await form.getByRole("textbox").fill(`written before ${index}`);
      await context.clearCookies();
      await form.getByRole("button", { name: send }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await signIn(visitor, user);
      await page.goto(`/posts/${id}`);
      await open();
      await expect.poll(() => form.getByRole("textbox").inputValue()).toBe(`written before ${index}`);
      await form.getByRole("button", { name: send }).click();
      await form.waitFor({ state: "detached" });
    }
    const list = async (path: string, field: string) =>
      ((await test.anonymous.get(path)).json as unknown as Record<string, string>[]).map((each) => each[field]);
    expect(await list(`/comments.json?search[post_id]=${id}`, "body")).toEqual(["written before 0"]);
    expect(await list(`/notes.json?search[post_id]=${id}`, "body")).toEqual(["written before 2", "written before 1"]);
    expect(await list(`/post_flags.json?search[post_id]=${id}`, "reason")).toEqual(["written before 3"]);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).toBe("{}");
  });

  it("an expired session: changed settings, and the tags for several posts, are kept until they are saved", async () => {
    const { name, password } = await test.make.user("Member");
    await using visitor = await visit(browser, test.url);
    const { page, context } = visitor;
    const settings = page.getByRole("form", { name: "Settings" });
    const many = page.getByRole("form", { name: "Edit the selected posts" });
    const select = async () => {
      await page.getByRole("button", { name: "Select", exact: true }).click();
      await page.getByRole("checkbox", { name: `Post ${post.id}:` }).click();
    };
    await signIn(visitor, { name, password });
    for (const again of [false, true]) {
      await page.goto("/account");
      if (!again) await settings.getByLabel("Blacklist").fill("written before");
      await expect.poll(() => settings.getByLabel("Blacklist").inputValue()).toBe("written before");
      const isPrivate = settings.getByLabel("Hide my favorites from others");
      if (!again) await isPrivate.check();
      expect(await isPrivate.isChecked()).toBe(true);
      if (!again) await context.clearCookies();
      await settings.getByRole("button", { name: "Save" }).click();
      await (
        again ? page.getByText("Your settings are saved.") : page.getByRole("heading", { name: "Sign in" })
      ).waitFor();
      if (!again) await signIn(visitor, { name, password });
    }
    for (const again of [false, true]) {
      await page.goto("/posts");
      await select();
      if (!again) await many.getByRole("combobox").fill("written_before ");
      await expect.poll(() => many.getByRole("combobox").inputValue()).toBe("written_before ");
      if (!again) await context.clearCookies();
      await many.getByRole("button", { name: "Edit 1 post" }).click();
      await (again ? page.getByText("1 post edited.") : page.getByRole("heading", { name: "Sign in" })).waitFor();
      if (!again) await signIn(visitor, { name, password });
    }
    expect((await test.anonymous.get(`/posts/${post.id}.json`)).json.tag_string).toMatch(/\bwritten_before\b/);
    await page.reload();
    await select();
    expect(await many.getByRole("combobox").inputValue()).toBe("");
    await page.goto("/account");
    await expect.poll(() => settings.getByLabel("Blacklist").inputValue()).toBe("written before");
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => !key.includes("entry")))).toEqual([]);
  });

  const failToSignIn = async (page: Page): Promise<void> => {
    await page.goto("/login");
    for (let times = 0; times < 3; times += 1) {
      await page.getByLabel("Name").fill("nobody_of_this_name");
      await page.getByLabel("Password").fill(`wrong password ${times}`);
      await page.getByRole("button", { name: "Sign in" }).click();
      await expect.poll(() => page.getByRole("button", { name: "Sign in" }).isEnabled()).toBe(true);
    }
    await expect
      .poll(() => page.getByRole("alert").innerText())
      .toMatch(/^Too many failed logins; try again later\. Try again in \d+ minutes\.$/);
  };

  it("421: says how long to wait", async () => {
    await using visitor = await visit(browser, test.url);
    await failToSignIn(visitor.page);
  });

  it("421: the wait goes on in the background and while the computer sleeps, when timers are late", async () => {
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await page.clock.install();
    await failToSignIn(page);
    await page.clock.fastForward("01:00:00");
    await expect.poll(() => page.getByRole("alert").innerText()).toBe("Too many failed logins; try again later.");
  });

  it("421: screen readers announce the wait with the refusal, and not again with each second", async () => {
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await failToSignIn(page);
    // changes within a timer, unlike those in the rest of an alert, are not announced
    const timer = page.getByRole("alert").getByRole("timer");
    expect(await timer.innerText()).toMatch(/Try again in \d+ minutes\.$/);
  });

  it("421: says so beside a text too, and in messages", async () => {
    await using limited = await startBoard({ COMMENTS_PER_HOUR: "1", VOTES_PER_HOUR: "5" });
    const { id } = await limited.make.post("harbour");
    await using visitor = await visit(browser, limited.url);
    const { page } = visitor;
    await signIn(visitor, await limited.make.user("Member", "orla"));
    await page.goto(`/posts/${id}`);
    const write = async (text: string) => {
      await page.getByLabel("Your comment").fill(text);
      await page.getByRole("button", { name: "Comment", exact: true }).click();
    };
    await write("one");
    await expect.poll(() => page.getByLabel("Your comment").inputValue()).toBe("");
    await write("two");
    await expect
      .poll(() => page.getByRole("alert").innerText())
      .toMatch(/^Hourly limit of 1 comment exceeded\. Try again in \d+ \w+\.$/);
    for (const name of ["Vote up", "Vote down"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await expect
        .poll(() => page.getByRole("button", { name: "Vote up", exact: true }).getAttribute("aria-pressed"))
        .toBe("true");
    }
    await page
      .getByRole("status")
      .getByText(/^Hourly limit of 1 vote exceeded\. Try again in \d+ \w+\.$/)
      .waitFor();
  });
});
