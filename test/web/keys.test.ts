/** The pages by keys alone. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { noChromium, openBrowser, signIn, visit } from "../support/browser.js";
import { answered, focusedIn } from "./in-page.js";

describe.skipIf(noChromium !== null)(`by keys alone, users can${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  beforeAll(async () => {
    test = await startBoard();
    for (let index = 1; index <= 6; index += 1) await test.make.post(`harbour number_${index}`);
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());
  const begin = () => visit(browser, test.url);
  const pathOf = (page: Page) => new URL(page.url()).pathname;
  /** URL of the picture of a post, as its page shows it. */
  const fileOf = async (id: number) =>
    `${test.url}${new URL((await test.anonymous.get(`/posts/${id}.json`)).json.large_file_url, test.url).pathname}`;
  const posts = (page: Page) => page.getByRole("link", { name: /^Post \d+:/ });

  it("search, and accept a suggestion", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await posts(page).first().waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => focusedIn(page)).toBe("Search posts by tags");
    await page.keyboard.type("harb");
    await page.getByRole("option", { name: /harbour/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.type("-number_1");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/posts?tags=harbour+-number_1");
    await expect.poll(() => posts(page).count()).toBe(5);
  });

  it("accept a meta-tag, and at once one of its values", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await posts(page).first().waitFor();
    const field = page.getByRole("combobox", { name: "Search posts by tags" });
    await field.pressSequentially("number_1 -rati");
    for (const [option, text] of [
      ["rating:", "number_1 -rating:"],
      ["rating:questionable", "number_1 -rating:questionable "],
    ] as const) {
      const chosen = page.getByRole("option", { name: option, exact: true });
      await chosen.waitFor();
      while ((await chosen.getAttribute("aria-selected")) !== "true") await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await expect.poll(() => field.inputValue()).toBe(text);
    }
  });

  it("read an alias before its tag, even if the alias is written from right to left", async () => {
    const { id: creatorId } = await test.make.user("Member", "samir");
    await test.board.database.tagAlias.create({
      data: { antecedentName: "ميناء", consequentName: "harbour", status: "active", creatorId },
    });
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await posts(page).first().waitFor();
    await page.getByRole("combobox", { name: "Search posts by tags" }).pressSequentially("مين");
    const option = page.getByRole("option", { name: /harbour/ });
    expect(await option.innerText()).toMatch(/^ميناء → harbour/);
    const [alias = 0, tag = 0] = await Promise.all(
      ["ميناء", "harbour"].map(async (text) => (await option.getByText(text, { exact: true }).boundingBox())?.x),
    );
    expect(alias).toBeLessThan(tag);
  });

  it("leave a field by Shift Tab while a suggestion is selected", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await posts(page).first().waitFor();
    const field = page.getByRole("combobox", { name: "Search posts by tags" });
    await field.pressSequentially("harb");
    await page.getByRole("option", { name: /harbour/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+Tab");
    await expect.poll(() => page.locator(":focus").innerText()).toBe("Graphbooru");
    expect(await field.inputValue()).toBe("harb");
  });

  it("edit selected posts by Enter, which closes the suggestions over the other buttons", async () => {
    const editor = await test.make.user("Builder", "entera");
    await using visitor = await begin();
    await signIn(visitor, editor);
    const { page } = visitor;
    await page.goto("/posts?tags=number_5");
    await page.getByRole("button", { name: "Select", exact: true }).click();
    await page.getByRole("checkbox").click();
    await page.getByLabel("Tags to add, or to remove with -").pressSequentially("harb");
    await page.getByRole("option", { name: /harbour/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("1 post edited.").waitFor();
    expect(await page.getByRole("option", { name: /harbour/ }).count()).toBe(0);
  });

  it("write with an input method, which receives all keys until the word is complete", async () => {
    await using visitor = await begin();
    const { page, context } = visitor;
    await page.goto("/");
    await posts(page).first().waitFor();
    const field = page.getByRole("combobox", { name: "Search posts by tags" });
    await field.focus();
    const method = await context.newCDPSession(page);
    await method.send("Input.imeSetComposition", { text: "harb", selectionStart: 4, selectionEnd: 4 });
    await page.getByRole("option", { name: /harbour/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Escape");
    await page.getByRole("option", { name: /harbour/ }).waitFor();
    expect(await field.getAttribute("aria-activedescendant")).toBeNull();
    await method.send("Input.insertText", { text: "harb" });
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => field.getAttribute("aria-activedescendant")).toMatch(/-0$/);
  });

  it("end a word with an input method in Safari, where only a key's code says that it is the method's", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await posts(page).first().waitFor();
    const field = page.getByRole("combobox", { name: "Search posts by tags" });
    await field.pressSequentially("harb");
    await page.getByRole("option", { name: /harbour/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => field.getAttribute("aria-activedescendant")).toMatch(/-0$/);
    const isTaken = await field.evaluate((element) => {
      const key = { key: "Enter", keyCode: 229, bubbles: true, cancelable: true };
      return !element.dispatchEvent(new KeyboardEvent("keydown", key));
    });
    expect([isTaken, await field.inputValue()]).toEqual([false, "harb"]);
  });

  it("open a post, and return to its tile", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await posts(page).first().waitFor();
    for (const [index, key] of ["j", "j", "j", "k"].entries()) {
      const before = await focusedIn(page);
      await page.keyboard.press(key);
      await expect.poll(async () => (await focusedIn(page)) !== before || index === 0).toBe(true);
    }
    const name = await focusedIn(page);
    expect(name).toMatch(/number 5/);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "All posts" }).waitFor();
    await page.goBack(); // the browser's own key, which it does not take from a program
    await posts(page).first().waitFor();
    await expect.poll(() => focusedIn(page)).toBe(name);
  });

  it("close the list of shortcuts by going back", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await posts(page).first().click();
    await page.getByRole("link", { name: "All posts" }).waitFor();
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await keys.waitFor();
    await page.goBack();
    await posts(page).first().waitFor();
    expect(await keys.isVisible()).toBe(false);
  });

  it("extend a selection by Shift and an arrow key, on the same post", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/posts/3?q=harbour+order:id");
    await page.getByRole("link", { name: "Next post" }).waitFor();
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => pathOf(page)).toBe("/posts/2");
  });

  it("list the shortcuts of a page, and go to others by g and a letter", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.clock.setFixedTime(new Date()); // the letter follows within a second, however slow the machine
    await page.goto("/posts/1");
    await page.getByRole("button", { name: /^Favorite/ }).waitFor();
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    for (const each of ["Search", "Favorite", "Next post", "slideshow", "Account"])
      await keys.getByRole("definition").filter({ hasText: each }).first().waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => keys.isVisible()).toBe(false);
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await expect.poll(() => pathOf(page)).toBe("/posts");
  });

  it("see different random posts each time, also of a search", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/posts?tags=harbour");
    await posts(page).first().waitFor();
    for (let time = 0; time < 3; time += 1) {
      const found = answered(page, "Gallery");
      await page.keyboard.press("r");
      await found;
      expect(new URL(page.url()).searchParams.get("tags")).toBe("harbour order:random");
    }
  });

  it("skip to the content without changing the fragment of the URL", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/recover#a-token");
    const token = page.getByRole("textbox", { name: "Token" });
    await token.waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(() => page.locator(":focus").textContent()).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(":focus").getAttribute("id")).toBe("main");
    await page.keyboard.press("Tab");
    await expect.poll(() => token.evaluate((each) => each === document.activeElement)).toBe(true);
    expect([new URL(page.url()).hash, await token.inputValue()]).toEqual(["#a-token", "a-token"]);
  });

  it("continue from the button that they pressed, while it is disabled, or from what replaces it", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    const user = await test.make.user("Member", "kiri");
    await signIn(visitor, user);
    const focused = page.locator(":focus");
    const press = (name: string) => page.getByRole("button", { name, exact: true }).first().press("Enter");

    await page.goto("/posts/1");
    await press("Hide posts with number 1");
    await page.getByText("Posts with number 1 are hidden.").waitFor();
    await expect.poll(() => focused.getAttribute("title")).toBe("Hide posts with number 1");
    await page.getByLabel("Your comment").fill("a harbour");
    await press("Comment");
    await page.getByText("Comment posted.").waitFor();
    await expect.poll(() => focused.textContent()).toBe("Comment");
    await page.keyboard.press("Enter"); // it has no text now, and is not sent
    await page.getByRole("heading", { name: "Comments (1)" }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);

    await page.goto("/posts?tags=number_2");
    await press("Select");
    await page.getByRole("checkbox", { name: /^Post 2:/ }).press("Space");
    await page.getByLabel("Tags to add, or to remove with -").fill("quay");
    await press("Edit 1 post");
    await page.getByText("1 post edited.").waitFor();
    await expect.poll(() => focused.textContent()).toBe("Edit 0 posts");

    await page.goto("/account");
    await press("Show the key");
    await expect.poll(() => focused.textContent()).toBe(user.apiKey);

    await page.goto("/posts?tags=number_3");
    await posts(page).first().waitFor();
    await page.route("**/graphql", (route) => route.abort());
    await page.keyboard.press("/");
    await page.keyboard.type("number_4");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await page.unroute("**/graphql");
    await press("Try again");
    await posts(page).first().waitFor();
    await expect.poll(() => focused.getAttribute("id")).toBe("main");

    await page.goto("/upload");
    for (const name of ["one", "two"]) {
      await page.getByLabel("File URL").fill(`http://127.0.0.1:9/${name}.jpg`);
      await page.keyboard.press("Enter");
    }
    await page.getByLabel("Safe").check();
    await press("Post 2 files");
    await expect.poll(() => page.getByRole("button", { name: "Try again" }).count()).toBe(2);
    await expect.poll(() => focused.textContent()).toBe("Post 2 files");
    await press("Try again");
    await expect.poll(() => focused.getAttribute("aria-label")).toBe("http://127.0.0.1:9/one.jpg");
    await press("Remove http://127.0.0.1:9/one.jpg");
    await expect.poll(() => focused.getAttribute("aria-label")).toBe("Remove http://127.0.0.1:9/two.jpg");
    await page.getByRole("button", { name: "Remove http://127.0.0.1:9/one.jpg" }).waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove http://127.0.0.1:9/two.jpg" }).waitFor({ state: "detached" });
    expect(await focused.getAttribute("type")).toBe("file");
  });

  it("start a slideshow, which ends when something is written", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.clock.install();
    await page.goto("/posts/3?q=harbour+order:id");
    await page.getByRole("link", { name: "Next post" }).waitFor();
    await page.keyboard.press("s");
    await page.getByRole("button", { name: "Stop the slideshow" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("hi");
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return page.getByRole("button", { name: "Start the slideshow" }).count();
      })
      .toBe(1);
    await page.clock.runFor(20_000);
    expect(pathOf(page)).toBe("/posts/3");
    expect(await page.getByRole("combobox", { name: "Search posts by tags" }).inputValue()).toBe("hi");
  });

  it("start a slideshow, which waits for the picture, and while its tab is hidden", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.clock.install();
    let send: (() => Promise<void>) | undefined;
    await page.route(await fileOf(3), (route) => void (send = () => route.continue()));
    await page.goto("/posts/3?q=harbour+order:id", { waitUntil: "commit" });
    await page.getByRole("link", { name: "Next post" }).waitFor();
    await page.keyboard.press("s");
    await page.getByRole("button", { name: "Stop the slideshow" }).waitFor();
    await page.clock.runFor(20_000);
    expect(pathOf(page)).toBe("/posts/3");

    const hide = (isHidden: boolean) =>
      page.evaluate((value) => Object.defineProperty(document, "hidden", { configurable: true, value }), isHidden);
    await hide(true);
    await expect.poll(() => send).toBeDefined();
    await send?.();
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>(".Picture-frame img")?.complete);
    await page.clock.runFor(20_000);
    expect(pathOf(page)).toBe("/posts/3");
    await hide(false);
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return pathOf(page);
      })
      .toBe("/posts/4");
  });

  it("start a slideshow, and stop it", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.clock.install();
    await page.goto("/posts/3?q=harbour+order:id");
    await page.getByRole("link", { name: "Next post" }).waitFor();
    await page.keyboard.press("s");
    await page.getByRole("button", { name: "Stop the slideshow" }).waitFor();
    for (const id of [4, 5]) {
      await expect
        .poll(async () => {
          await page.clock.runFor(1_000);
          return pathOf(page);
        })
        .toBe(`/posts/${id}`);
    }
    await page.locator('a[aria-label="Post 5"][aria-current]').waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Start the slideshow" }).waitFor();
    await page.clock.runFor(20_000);
    expect(pathOf(page)).toBe("/posts/5");
  });
});
