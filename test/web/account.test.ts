/** Signing up, in and out, and the user's own account, as people use them. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import {
  expectAccessible,
  noChromium,
  noFullChromium,
  openBrowser,
  openFullBrowser,
  PHONE,
  visit,
  type Visitor,
} from "../support/browser.js";
import { answered } from "./in-page.js";

describe.skipIf(noChromium !== null)(`an account${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  beforeAll(async () => {
    test = await startBoard();
    await test.make.post("harbour");
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());
  const begin = () => visit(browser, test.url);

  async function signUp({ page }: Visitor, name: string, password: string): Promise<void> {
    await page.goto("/signup");
    await signUpWith(page, name, password);
  }
  async function signUpWith(page: Page, name: string, password: string): Promise<void> {
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign up" }).click();
  }
  async function signIn({ page }: Visitor, name: string, password: string): Promise<void> {
    await page.goto("/login");
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  }

  it("is created; errors are shown beside their fields", async () => {
    await using visitor = await begin();
    const { page, faults } = visitor;
    await signUp(visitor, "alma", "short");
    await expect.poll(() => page.getByLabel("Password").getAttribute("aria-invalid")).toBe("true");
    await page.getByText("Password is too short (at least 8 characters).").waitFor();
    await page.getByLabel("Password").fill("a long enough password");
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByRole("link", { name: "alma", exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
    expect(faults).toEqual([]);
  });

  it("is named by the pages to sign in and up, to those who are signed in only", async () => {
    const user = await test.make.user("Member", "ylva");
    await using visitor = await begin();
    const { page } = visitor;
    const paths = ["/login", "/signup"];
    const sheets = async () => {
      const texts: string[] = [];
      for (const path of paths) {
        await page.goto(path);
        await page.getByLabel("Name").waitFor();
        texts.push(await page.locator("main").innerText());
      }
      return texts;
    };
    expect((await sheets()).filter((text) => text.includes("You are signed in"))).toEqual([]);
    await signIn(visitor, user.name, user.password);
    await page.getByRole("link", { name: "ylva", exact: true }).waitFor();
    for (const text of await sheets()) expect(text).toContain("You are signed in as ylva.");
  });

  it("has several errors at once each described by its field, of which the first is focused", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/signup");
    await signUpWith(page, "al:ma", "short");
    const described = (label: string) =>
      page.getByLabel(label).evaluate((field) => {
        const ids = (field.getAttribute("aria-describedby") ?? "").split(" ");
        return ids.map((id) => document.getElementById(id)?.textContent).join(" | ");
      });
    await expect
      .poll(() => described("Name"))
      .toBe(
        "Name is invalid. | 2 to 100 characters of one alphabet: no spaces or : , * ~, no _ or - at the beginning, no _ at the end.",
      );
    expect(await described("Password")).toBe("Password is too short (at least 8 characters). | 8 characters or more.");
    expect(await described("E-mail")).toBe("Optional.");
    await expect.poll(() => page.getByLabel("Name").evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await page.getByRole("alert").count()).toBe(0);
    await expectAccessible(page);
  });

  it("is signed in to by name and password, which leads back to the previous page; wrong ones are refused", async () => {
    const user = await test.make.user("Member", "bela");
    await using visitor = await begin();
    const { page } = visitor;
    await signIn(visitor, user.name, "not the password");
    await expect.poll(() => page.getByRole("alert").innerText()).toBe("The name or the password is wrong.");
    await page.goto("/login?next=/posts%3Ftags%3Dharbour");
    await page.getByLabel("Name").fill(user.name);
    await page.getByLabel("Password").fill(user.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/posts?tags=harbour");
    await page.getByRole("link", { name: "bela", exact: true }).waitFor();
  });

  it("is neither created nor signed in to by a browser that refuses cookies, which is said", async () => {
    await test.make.user("Member", "crumb");
    await using visitor = await begin();
    const { page } = visitor;
    // as in Chromium, where `navigator.cookieEnabled` stays true
    await page.addInitScript(() =>
      Object.defineProperty(Document.prototype, "cookie", { get: () => "", set: () => {} }),
    );
    const refused = page.getByRole("alert").filter({ hasText: "refuses the board's cookies" });
    await signIn(visitor, "crumb", "a long enough password");
    await refused.waitFor();
    await signUp(visitor, "crumbs", "a long enough password");
    await refused.waitFor();
    expect(await test.board.database.user.count({ where: { name: "crumbs" } })).toBe(0);
  });

  it("is signed in to from an address that has no requests of visitors left", async () => {
    await using limited = await startBoard({ LIMIT_ANONYMOUS: "1" });
    const user = await limited.make.user("Member", "otto");
    await using visitor = await visit(browser, limited.url);
    const { page } = visitor;
    await page.goto("/");
    await page.goto("/posts?tags=harbour");
    await page.getByText("Hourly limit of 1 request exceeded.").waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Name").fill(user.name);
    await page.getByLabel("Password").fill(user.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "otto", exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe("?tags=harbour");
  });

  it("is signed in to by the link of the header, which leads back to the page that it was followed on", async () => {
    const user = await test.make.user("Member", "hedda");
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await page.getByRole("combobox", { name: "Search posts by tags" }).fill("harbour");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/posts?tags=harbour");
    const link = page.getByRole("banner").getByRole("link", { name: "Sign in" });
    await link.click();
    await page.getByLabel("Name").waitFor();
    await link.click(); // once more, on the sign-in page
    await page.getByLabel("Name").fill(user.name);
    await page.getByLabel("Password").fill(user.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/posts?tags=harbour");
  });

  it("is signed in to by the link of the header on a sign-in page that leads back to another page, and leads back there", async () => {
    const user = await test.make.user("Member", "hedwig");
    await using visitor = await begin();
    const { page } = visitor;
    for (const [path, field] of [
      ["login", "Sign in"],
      ["signup", "Sign up"],
    ]) {
      await page.goto(`/${path}?next=%2Fposts%3Ftags%3Dharbour`);
      await page.getByRole("button", { name: field }).waitFor();
      await page.getByRole("banner").getByRole("link", { name: "Sign in" }).click();
      await page.getByRole("button", { name: "Sign in" }).waitFor();
      expect(new URL(page.url()).search).toBe("?next=%2Fposts%3Ftags%3Dharbour");
    }
    await page.getByLabel("Name").fill(user.name);
    await page.getByLabel("Password").fill(user.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/posts?tags=harbour");
  });

  it("is signed in to from a permalink of a comment, and leads back to it", async () => {
    await using closed = await startBoard({ REQUIRE_LOGIN: "true" });
    for (const [name, board] of [
      ["hjordis", test],
      ["idunn", closed],
    ] as const) {
      const user = await board.make.user("Member", name);
      const post = await board.make.post("harbour");
      const { json } = await user.client.post("/comments.json", {
        comment: { post_id: post.id, body: "Good morning" },
      });
      await using visitor = await visit(browser, board.url);
      const { page } = visitor;
      await page.goto(`/posts/${post.id}#comment-${json.id}`);
      if (board === test) await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
      await page.getByLabel("Name").fill(user.name);
      await page.getByLabel("Password").fill(user.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("link", { name, exact: true }).first().waitFor();
      expect(page.url()).toBe(`${board.url}/posts/${post.id}#comment-${json.id}`);
      await page.locator(`#comment-${json.id}.is-named`).waitFor();
    }
  });

  it("gets a new password by a recovery token, which works once", async () => {
    const user = await test.make.user("Member", "fern");
    const { token } = await test.board.accountAdmin.makeRecovery(user.name);
    await using visitor = await begin();
    const { page, faults } = visitor;
    await page.goto("/login");
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByRole("heading", { name: "New password" }).waitFor();
    const set = async (secret: string, password: string) => {
      await page.getByLabel("Token").fill(secret);
      await page.getByLabel("New password", { exact: true }).fill(password);
      await page.getByRole("button", { name: "Set the password" }).click();
    };
    await set("no token", "one of my own words");
    await page
      .getByRole("alert")
      .getByText(/recovery token is wrong/)
      .waitFor();
    await set(token, "one of my own words");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByRole("status").getByText("The password of fern was set").waitFor();
    await signIn(visitor, user.name, "one of my own words");
    await page.getByRole("link", { name: "fern", exact: true }).waitFor();
    await page.goto(`/recover#${token}`);
    expect(await page.getByLabel("Token").inputValue()).toBe(token);
    await page.getByLabel("New password", { exact: true }).fill("and another of them");
    await page.getByRole("button", { name: "Set the password" }).click();
    await page
      .getByRole("alert")
      .getByText(/recovery token is wrong/)
      .waitFor();
    expect(faults).toEqual([]);
  });

  it("is not redirected to another site after signing in", async () => {
    const user = await test.make.user("Member", "cleo");
    await using visitor = await begin();
    const { page, faults } = visitor;
    for (const next of ["https://example.com/", "//example.com/", "/\\example.com", "/\t/example.com"]) {
      await page.goto(`/login?next=${encodeURIComponent(next)}`);
      await page.getByLabel("Name").fill(user.name);
      await page.getByLabel("Password").fill(user.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("link", { name: "cleo", exact: true }).waitFor();
      expect(page.url()).toBe(`${test.url}/`);
      await visitor.context.clearCookies();
    }
    expect(faults).toEqual([]);
  });

  it("shows the API key, saves settings and changes the password", async () => {
    const user = await test.make.user("Member", "dora");
    await using visitor = await begin();
    const { page } = visitor;
    await signIn(visitor, user.name, user.password);
    await page.getByRole("link", { name: "dora", exact: true }).click();
    await page.getByRole("button", { name: "Show the key" }).click();
    await page.getByText(user.apiKey).waitFor();

    const settings = page.getByRole("form", { name: "Settings" });
    await page.getByLabel("Blacklist").fill("spider");
    await page.getByLabel("Time zone").fill("Mars");
    await settings.getByRole("button", { name: "Save" }).click();
    await settings.getByText("Time zone is invalid.").waitFor();
    const threshold = page.getByLabel("Collapse comments below this score");
    await threshold.fill("1e99");
    await page.getByLabel("Time zone").fill("UTC");
    await settings.getByRole("button", { name: "Save" }).click();
    await settings.getByText("Collapse comments below this score must be between -100 and 5.").waitFor();
    expect(await threshold.getAttribute("aria-invalid")).toBe("true");
    await threshold.fill("-3");
    await settings.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your settings are saved.").waitFor();
    expect((await user.client.get("/profile.json")).json.blacklisted_tags).toBe("spider");

    await page.getByLabel("Current password").fill(user.password);
    await page.getByLabel("New password").fill("another long password");
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByRole("status").getByText("Your password is changed.").waitFor();
    expect((await user.client.get("/profile.json")).status).toBe(403);
    await expect.poll(() => page.getByText(user.apiKey).count()).toBe(0); // it has been replaced
    expect(await page.getByLabel("Current password").inputValue()).toBe("");
    await using elsewhere = await begin();
    await signIn(elsewhere, user.name, "another long password");
    await elsewhere.page.getByRole("link", { name: "dora", exact: true }).waitFor();
  });

  it("says at its field that the current password is wrong, for a new one and for a new key", async () => {
    const user = await test.make.user("Member", "liv");
    await using visitor = await begin();
    const { page } = visitor;
    await signIn(visitor, user.name, user.password);
    await page.getByRole("link", { name: "liv", exact: true }).click();
    const current = page.getByLabel("Current password");
    await current.fill("not the password");
    await page.getByLabel("New password").fill("another long password");
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByText("Current password is wrong.").waitFor();
    await expect.poll(() => current.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByText("Replace the key").click();
    await page.getByRole("form", { name: "Replace the key" }).getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Replace", exact: true }).click();
    await page.getByRole("form", { name: "Replace the key" }).getByText("Password is wrong.").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("saves only the settings that were changed, so that those of another tab are kept", async () => {
    const user = await test.make.user("Member", "mona");
    await using visitor = await begin();
    const { page } = visitor;
    await signIn(visitor, user.name, user.password);
    await page.getByRole("link", { name: "mona", exact: true }).click();
    const settings = page.getByRole("form", { name: "Settings" });
    const save = async (label: string, text: string) => {
      await settings.getByLabel(label).fill(text);
      const saved = answered(page, "SaveSettings");
      await settings.getByRole("button", { name: "Save" }).click();
      await saved;
    };
    await save("Blacklist", "spider");
    await user.client.put(`/users/${user.id}.json`, { user: { blacklisted_tags: "spider\nsnake" } });
    await save("Frequent tags", "harbour");
    await expect.poll(() => settings.getByLabel("Blacklist").inputValue()).toBe("spider\nsnake");
    await save("Frequent tags", "harbour"); // nothing is changed
    expect(await page.getByRole("alert").count()).toBe(0);
    await save("Frequent tags", "harbour boat");
    await save("Collapse comments below this score", "-5");
    expect((await user.client.get("/profile.json")).json).toMatchObject({
      blacklisted_tags: "spider\nsnake",
      favorite_tags: "harbour boat",
      comment_threshold: -5,
    });
    const threshold = settings.getByRole("spinbutton", { name: "Collapse comments below this score" });
    await threshold.fill(""); // is not 0
    await settings.getByRole("button", { name: "Save" }).click();
    expect(await threshold.evaluate((field: HTMLInputElement) => field.validity.valueMissing)).toBe(true);
    expect((await user.client.get("/profile.json")).json.comment_threshold).toBe(-5);
  });

  it("with a time zone that the browser does not know shows times in UTC and says so; other settings are saved", async () => {
    const user = await test.make.user("Member", "zara");
    await test.board.database.user.update({ where: { id: user.id }, data: { timeZone: "Mars/Olympus" } });
    await using visitor = await visit(browser, test.url, { timezoneId: "America/Lima" });
    const { page, faults } = visitor;
    await signIn(visitor, user.name, user.password);
    await page.getByRole("link", { name: "zara", exact: true }).click();
    await page.getByText("This browser does not know Mars/Olympus, and shows times in UTC.").waitFor();
    expect(await page.locator(".Account-facts time").first().innerText()).toMatch(/ UTC$/);
    await page.getByLabel("Frequent tags").fill("harbour");
    await page.getByRole("form", { name: "Settings" }).getByRole("button", { name: "Save" }).click();
    await page.getByText("Your settings are saved.").waitFor();
    expect(faults).toEqual([]);
  });

  it("that is signed up to has the time zone of the browser", async () => {
    await using visitor = await visit(browser, test.url, { timezoneId: "America/Lima" });
    await signUp(visitor, "zona", "a long password");
    await visitor.page.getByRole("link", { name: "zona", exact: true }).waitFor();
    const { timeZone } = await test.board.database.user.findFirstOrThrow({ where: { name: "zona" } });
    expect(timeZone).toBe("America/Lima");
    expect(visitor.faults).toEqual([]);
  });

  it("shows times in its time zone", async () => {
    const user = await test.make.user("Member", "nora");
    const post = await test.make.post("harbour");
    await user.client.post("/comments.json", { comment: { post_id: post.id, body: "Good morning" } });
    await using visitor = await visit(browser, test.url, { timezoneId: "America/Lima" });
    const { page } = visitor;
    await signIn(visitor, user.name, user.password);
    await page.getByRole("link", { name: "nora", exact: true }).click();
    const settings = page.getByRole("form", { name: "Settings" });
    await settings.getByText("The zone of this browser is America/Lima.").waitFor();
    await page.getByText(/ joined .* UTC$/).waitFor();
    await settings.getByLabel("Time zone").fill("Asia/Kolkata");
    await settings.getByRole("button", { name: "Save" }).click();
    await page.getByText(/ joined .*, \d\d:\d\d GMT\+5:30$/).waitFor();
    await page.goto(`/posts/${post.id}`);
    await page.getByText("Good morning").waitFor();
    await expect.poll(() => page.getByTitle(/GMT\+5:30$/).count()).toBe(2); // of the post and of its comment
    await page.goto(`/post_versions?search[post_id]=${post.id}`);
    await page.getByTitle(/GMT\+5:30$/).waitFor();
  });

  it("says that tag scripts are not saved by a browser that stores nothing", async () => {
    const user = await test.make.user("Member", "fullo");
    await using visitor = await begin();
    const { page } = visitor;
    await signIn(visitor, user.name, user.password);
    await page.getByRole("link", { name: user.name }).waitFor();
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await page.goto("/account");
    await page.getByLabel("Scripts of the keys 1 to 9").fill("boat");
    await page.getByRole("form", { name: "Tag scripts" }).getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("This browser stores nothing, or is full.").waitFor();
  });

  it("shows its permissions; a new API key invalidates the old one", async () => {
    const user = await test.make.user("Member", "hilda");
    await using visitor = await begin();
    const { page } = visitor;
    await signIn(visitor, user.name, user.password);
    await page.getByRole("link", { name: "hilda", exact: true }).click();
    const abilities = page.getByRole("region", { name: "Permissions" });
    await expect.poll(() => abilities.getByRole("list").count()).toBe(2);
    const [may, mayNot] = await abilities.getByRole("list").allTextContents();
    expect(may).toContain("Upload");
    expect(mayNot).toContain("Approve and delete posts");
    await abilities.getByText("What has no button on these pages needs a program with your API key.").waitFor();
    expect(mayNot).toContain("Upload without waiting for approval");
    expect(await page.getByRole("link", { name: "0 favorites" }).getAttribute("href")).toBe("/posts?tags=fav%3Ahilda");

    await page.getByText("Replace the key").click();
    await page.getByRole("form", { name: "Replace the key" }).getByLabel("Password").fill(user.password);
    await page.getByRole("button", { name: "Replace", exact: true }).click();
    await page.getByText("The API key was changed.").waitFor();
    await expect.poll(() => page.getByText(user.apiKey).count()).toBe(0);
    const password = page.getByRole("form", { name: "Replace the key" }).getByLabel("Password");
    expect(await password.inputValue()).toBe("");
    expect((await user.client.get("/profile.json")).status).toBe(403);
  });

  it("is required with REQUIRE_LOGIN, on every page", async () => {
    await using closed = await startBoard({ REQUIRE_LOGIN: "true" });
    const user = await closed.make.user("Member", "ines");
    const post = await closed.make.post("harbour");
    await using visitor = await visit(browser, closed.url);
    const { page, faults } = visitor;
    await page.goto(`/posts/${post.id}`);
    await page.getByLabel("Name").waitFor();
    expect(await page.getByRole("search").count()).toBe(0);
    await page.getByLabel("Name").fill(user.name);
    await page.getByLabel("Password").fill(user.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("img", { name: /harbour/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/posts/${post.id}`);
    expect(await page.getByRole("search").count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it("whose session has ended where login is required is signed in to again from any page, and back there", async () => {
    await using closed = await startBoard({ REQUIRE_LOGIN: "true" });
    const user = await closed.make.user("Member", "sunniva");
    const post = await closed.make.post("harbour");
    await using visitor = await visit(browser, closed.url);
    const { page } = visitor;
    await signIn(visitor, user.name, user.password);
    await page.getByRole("link", { name: "sunniva", exact: true }).waitFor();
    await visitor.context.clearCookies();
    await page.getByRole("link", { name: /^Post/ }).click();
    await page.getByRole("alert").getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Name").fill(user.name);
    await page.getByLabel("Password").fill(user.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("img", { name: /harbour/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/posts/${post.id}`);
  });

  it("is no longer shown once its session was ended elsewhere: on its page at once, on others after a minute", async () => {
    const user = await test.make.user("Member", "runa");
    const post = await test.make.post("harbour");
    for (const [path, time] of [
      ["/account", 0],
      [`/posts/${post.id}`, 61_000],
    ] as const) {
      await using visitor = await begin();
      const { page } = visitor;
      await signIn(visitor, user.name, user.password);
      const own = page.getByRole("banner").getByRole("link", { name: "runa", exact: true });
      await own.waitFor();
      const now = Date.now();
      await page.clock.setFixedTime(now);
      await page.goto("/posts?tags=harbour");
      await own.waitFor();
      await visitor.context.clearCookies();
      await page.clock.setFixedTime(now + time);
      await page.locator(`a[href^="${path}"]`).first().click();
      await page.waitForURL(`**${path}*`);
      await page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor();
      expect(await own.count()).toBe(0);
      expect(await page.getByRole("banner").getByRole("link", { name: "Upload" }).count()).toBe(0);
    }
  });

  it("is signed out in every tab at once", async () => {
    const user = await test.make.user("Member", "edda");
    await using visitor = await begin();
    const { page, context } = visitor;
    await signIn(visitor, user.name, user.password);
    await page.getByRole("link", { name: "edda", exact: true }).waitFor();
    const other = await context.newPage();
    await other.goto("/");
    await other.getByRole("link", { name: "edda", exact: true }).waitFor();
    await page.goto("/account");
    await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    await other.getByRole("link", { name: "Sign in" }).waitFor();
  });

  it("leaves no drafts and searches in the browser after signing out", async () => {
    const user = await test.make.user("Member", "jana");
    const post = await test.make.post("harbour");
    await using visitor = await begin();
    const { page } = visitor;
    await signIn(visitor, user.name, user.password);
    await page.getByRole("link", { name: "jana", exact: true }).waitFor();
    await page.goto(`/posts/${post.id}`);
    await page.getByLabel("Your comment").fill("Not for others");
    await page.getByRole("combobox", { name: "Search posts by tags" }).fill("secret_search");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/posts?tags=secret_search");
    const kept = () => page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    await expect.poll(kept).toMatch(/Not for others.*secret_search|secret_search.*Not for others/);
    await page.goto("/posts?tags=harbour");
    await page
      .getByRole("link", { name: /^Post \d+:/ })
      .first()
      .click();
    await page.goto("/account");
    await expect.poll(kept).toMatch(/\btop\b/); // where the pages were scrolled to
    await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    await expect.poll(kept).toBe("[{},{}]");
  });

  it("has drafts, searches and tag scripts of its own in a browser whose last user did not sign out", async () => {
    const first = await test.make.user("Member", "ottilie");
    const second = await test.make.user("Member", "pauline");
    const post = await test.make.post("harbour");
    await using visitor = await begin();
    const { page, context } = visitor;
    const scripts = page.getByRole("form", { name: "Tag scripts" });
    const written = async () => {
      await page.goto(`/posts/${post.id}`);
      const comment = await page.getByLabel("Your comment").inputValue();
      await page.goto("/account");
      return [comment, await scripts.getByRole("textbox").inputValue()];
    };
    await signIn(visitor, first.name, first.password);
    await page.getByRole("link", { name: "ottilie", exact: true }).waitFor();
    await page.goto(`/posts/${post.id}`);
    await page.getByLabel("Your comment").fill("Not for others");
    await page.goto("/account");
    await scripts.getByRole("textbox").fill("secret_tag");
    await scripts.getByRole("button", { name: "Save" }).click();
    await expect.poll(written).toEqual(["Not for others", "secret_tag"]);
    await context.clearCookies(); // its session has ended
    await signIn(visitor, second.name, second.password);
    await page.getByRole("link", { name: "pauline", exact: true }).waitFor();
    expect(await written()).toEqual(["", ""]);
  });

  it.skipIf(noFullChromium !== null)("is not shown by the browser's back button after signing out", async () => {
    const user = await test.make.user("Member", "kora");
    await using full = await openFullBrowser();
    await using visitor = await visit(full, test.url);
    const { page } = visitor;
    await signIn(visitor, user.name, user.password);
    await page.getByRole("link", { name: "kora", exact: true }).waitFor();
    await page.goto("/account");
    await page.getByRole("button", { name: "Show the key" }).click();
    await page.getByText(user.apiKey).waitFor();
    await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    await page.evaluate(() => history.back());
    await page.getByRole("heading", { name: "Account" }).waitFor();
    await page.getByText("Sign in to see your account.").waitFor();
    expect(await page.locator("body").textContent()).not.toMatch(`kora|${user.apiKey}`);
  });

  it.skipIf(noFullChromium !== null)("is shown by the browser's back button after signing in", async () => {
    const user = await test.make.user("Member", "ronja");
    await using full = await openFullBrowser();
    await using visitor = await visit(full, test.url);
    const { page } = visitor;
    await page.goto("/posts?tags=harbour");
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Name").fill(user.name);
    await page.getByLabel("Password").fill(user.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    const own = page.getByRole("link", { name: "ronja", exact: true });
    await own.waitFor();
    for (const path of ["/login", "/posts"]) {
      await page.evaluate(() => history.back());
      await expect.poll(() => new URL(page.url()).pathname).toBe(path);
      await own.waitFor();
    }
  });

  it("stays signed in while the board can't be reached, and says so", async () => {
    const user = await test.make.user("Member", "lena");
    await using visitor = await begin();
    const { page, context } = visitor;
    await signIn(visitor, user.name, user.password);
    await page.getByRole("link", { name: "lena", exact: true }).click();
    await page.getByRole("heading", { name: "Sessions" }).waitFor();
    await context.setOffline(true);
    await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
    await page.getByRole("status").getByText("The board cannot be reached.").waitFor();
    await page.getByRole("heading", { name: "Sessions" }).waitFor();
  });

  it("ends other browsers' sessions", async () => {
    const user = await test.make.user("Member", "fina");
    await using one = await begin();
    await using two = await begin();
    for (const each of [one, two]) {
      await signIn(each, user.name, user.password);
      await each.page.getByRole("link", { name: "fina", exact: true }).waitFor();
    }
    await one.page.goto("/account");
    const sessions = one.page.getByRole("region", { name: "Sessions" });
    await expect.poll(() => sessions.getByText("Chrome on Linux").count()).toBe(2);
    expect(await sessions.getByText("Chrome on Linux").first().getAttribute("title")).toContain("HeadlessChrome/");
    const named = sessions.getByRole("button", { name: /^Chrome on Linux.* Sign out$/ });
    expect(await named.evaluateAll((buttons) => buttons.map(({ textContent }) => textContent))).toEqual(["Sign out"]);
    await one.page.getByRole("button", { name: "Sign out everywhere else" }).press("Enter");
    await expect.poll(() => one.page.getByRole("button", { name: "Sign out everywhere else" }).count()).toBe(0);
    expect(await sessions.evaluate((region) => region === document.activeElement)).toBe(true);
    await two.page.reload();
    await two.page.getByRole("link", { name: "Sign in" }).waitFor();
  });

  it.each(["'astrid", String.raw`"ylva\"`])(
    "whose name begins with a quote is led to its own posts: %s",
    async (name) => {
      const user = await test.make.user("Contributor", name);
      const { id } = await test.make.post("harbour", {}, user);
      await user.client.post("/favorites.json", { post_id: id });
      await using visitor = await begin();
      const { page } = visitor;
      await signIn(visitor, user.name, user.password);
      await page.waitForURL(`${test.url}/`);
      for (const [path, link] of [
        [`/posts/${id}`, name],
        ["/account", "1 upload"],
        ["/account", "1 favorite"],
      ] as const) {
        await page.goto(path);
        await page.getByRole("main").getByRole("link", { name: link, exact: true }).first().click();
        await page.getByRole("link", { name: new RegExp(`^Post ${id}:`) }).waitFor();
      }
    },
  );

  it("of the longest name is no wider than a phone, wherever the name is shown", async () => {
    const user = await test.make.user("Contributor", "W".repeat(100));
    const post = await test.make.post("harbour", {}, user);
    await user.client.post("/comments.json", { comment: { post_id: post.id, body: "Mine" } });
    await using visitor = await visit(browser, test.url, PHONE);
    const { page } = visitor;
    await signIn(visitor, user.name, user.password);
    await page.waitForURL(`${test.url}/`);
    for (const path of [
      "/",
      "/account",
      "/upload",
      `/posts/${post.id}`,
      "/post_versions",
      `/posts?tags=user:${user.name}`,
    ]) {
      await page.goto(path);
      await page.getByRole("navigation").getByRole("link", { name: user.name }).waitFor();
      await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
      const excess = await page.locator("html").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      expect([path, excess]).toEqual([path, 0]);
    }
  });

  it("fits a phone, and is accessible, light and dark", async () => {
    const user = await test.make.user("Member", "gina");
    await using visitor = await visit(browser, test.url, PHONE);
    const { page } = visitor;
    for (const path of ["/login", "/signup"]) {
      await page.goto(path);
      await page.getByLabel("Name").waitFor();
      await expectAccessible(page);
    }
    await signIn(visitor, user.name, user.password);
    await page.getByRole("link", { name: "gina", exact: true }).waitFor();
    await page.goto("/account");
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  });
});
