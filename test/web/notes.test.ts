/** Notes on a picture: drawn, moved, resized, written, deleted and undone, by mouse, keys and touch. */
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { DESKTOP, expectAccessible, noChromium, openBrowser, PHONE, signIn, visit } from "../support/browser.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { answered, held } from "./in-page.js";

const [WIDTH, HEIGHT] = [900, 600];

describe.skipIf(noChromium !== null)(`notes${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  let user: TestUser;
  let uploader: TestUser;
  beforeAll(async () => {
    test = await startBoard();
    user = await test.make.user("Member", "mira");
    uploader = await test.make.user("Contributor", "lumen");
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const picture = async (): Promise<TestPost> =>
    test.make.post("harbour", { file: await test.make.picture(WIDTH, HEIGHT) }, uploader);
  const noted = async (body = "a boat") => {
    const post = await picture();
    const note = { post_id: post.id, x: 450, y: 300, width: 90, height: 60, body };
    const { json } = await user.client.post("/notes.json", { note });
    return { post, id: json.id as number };
  };
  /** Somebody who looks at a post. */
  async function begin(post: TestPost, options = DESKTOP, who: TestUser | null = user) {
    const visitor = await visit(browser, test.url, options);
    if (who) await signIn(visitor, who);
    await visitor.page.goto(`/posts/${post.id}`);
    await visitor.page.getByRole("img", { name: "harbour" }).waitFor();
    return visitor;
  }
  /** What the board has of the notes of a post. */
  const kept = async (post: TestPost) => {
    const { json } = await test.anonymous.get(`/notes.json?search[post_id]=${post.id}&search[is_active]=true`);
    return (json as unknown as Record<string, unknown>[]).map(({ x, y, width, height, body }) => [
      x,
      y,
      width,
      height,
      body,
    ]);
  };
  /** A point of a picture, as fractions of it. */
  const pointOn = async (whole: Locator, x: number, y: number): Promise<[number, number]> => {
    const box = await whole.boundingBox();
    if (!box) throw new Error("no picture");
    return [box.x + x * box.width, box.y + y * box.height];
  };

  it("are drawn with the mouse, written with a preview, and saved in pixels of the original picture", async () => {
    const post = await picture();
    await using visitor = await begin(post);
    const { page, faults } = visitor;
    const whole = page.getByRole("img", { name: "harbour" });
    await page.getByRole("button", { name: "Add a note" }).click();
    await page.getByRole("button", { name: /^Draw a note/ }).waitFor();
    await page.mouse.move(...(await pointOn(whole, 0.1, 0.2)));
    await page.mouse.down();
    await page.mouse.move(...(await pointOn(whole, 0.3, 0.3)), { steps: 4 });
    await page.mouse.move(...(await pointOn(whole, 0.5, 0.4)), { steps: 4 });
    await page.mouse.up();
    const form = page.getByRole("form", { name: "Text of the note" });
    await form.getByRole("textbox", { name: "Text of the note" }).fill("a [b]boat[/b] <script>alert(1)</script>");
    await form.getByRole("button", { name: "Preview" }).click();
    const preview = form.locator(".Prose");
    await preview.locator("strong").waitFor();
    const previewed = await preview.innerHTML();
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Note", exact: true }).waitFor();
    await expect.poll(() => page.getByRole("tooltip").locator(".Prose").innerHTML()).toBe(previewed);
    const [[x, y, width, height, body] = []] = await kept(post);
    const near = (value: unknown, wanted: number) => Math.abs(Number(value) - wanted) <= 2;
    expect([near(x, 90), near(y, 120), near(width, 360), near(height, 120)]).toEqual([true, true, true, true]);
    expect(body).toBe("a [b]boat[/b] <script>alert(1)</script>");
    expect(faults).toEqual([]);
  });

  it("are not moved by Alt and an arrow key, by which browsers go back", async () => {
    const { post } = await noted();
    await using visitor = await begin(post);
    const { page } = visitor;
    const note = page.getByRole("button", { name: "Note", exact: true });
    await note.click();
    await expect.poll(() => note.getAttribute("aria-pressed")).toBe("true");
    const left = () => note.evaluate(({ parentElement }) => parentElement?.style.getPropertyValue("--x"));
    for (const keys of ["Alt+ArrowLeft", "Control+ArrowLeft", "Meta+ArrowLeft"]) await page.keyboard.press(keys);
    expect(await left()).toBe("0.5");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(left).toBe("0.49");
  });

  it("are moved and resized by keys only while they are selected", async () => {
    const { post } = await noted();
    await using visitor = await begin(post);
    const { page } = visitor;
    const note = page.getByRole("button", { name: "Note", exact: true });
    await note.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => note.getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => kept(post)).toEqual([[468, 294, 90, 60, "a boat"]]);
    let release: () => void = () => undefined;
    const isPressed = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/graphql", async (route) => {
      if (!route.request().postData()?.includes('"SaveNote"')) return route.continue();
      const response = await route.fetch();
      await isPressed;
      return route.fulfill({ response });
    });
    await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(() => kept(post)).toEqual([[468, 294, 99, 60, "a boat"]]);
    await page.keyboard.press("Shift+ArrowDown"); // before the response to the last save
    let saves = 0;
    page.on("requestfinished", (request) => void (saves += request.postData()?.includes('"SaveNote"') ? 1 : 0));
    release();
    await expect.poll(() => kept(post)).toEqual([[468, 294, 99, 66, "a boat"]]);
    await expect.poll(() => saves).toBe(2);
    expect(new URL(page.url()).pathname).toBe(`/posts/${post.id}`);
    await page.unroute("**/graphql");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => kept(post)).toEqual([[468, 294, 99, 60, "a boat"]]);
  });

  it("are moved and resized with the mouse, within the picture", async () => {
    const { post } = await noted();
    await using visitor = await begin(post);
    const { page } = visitor;
    const whole = page.getByRole("img", { name: "harbour" });
    await page.getByRole("button", { name: "Note", exact: true }).waitFor();
    await page.mouse.move(...(await pointOn(whole, 0.55, 0.55)));
    await page.mouse.down();
    await page.mouse.move(...(await pointOn(whole, 0.25, 0.25)), { steps: 4 });
    await page.mouse.up();
    const near = async (wanted: number[]) =>
      (await kept(post))[0]?.slice(0, 4).every((value, index) => Math.abs(Number(value) - (wanted[index] ?? 0)) <= 2);
    await expect.poll(() => near([180, 120, 90, 60])).toBe(true);
    // its lower right corner, further than the picture goes
    await page.mouse.move(...(await pointOn(whole, 0.3, 0.3)));
    await page.mouse.down();
    await page.mouse.move(...(await pointOn(whole, 0.9, 1.05)), { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => near([180, 120, 630, 480])).toBe(true);
  });

  it("are edited, deleted and restored by keys alone", async () => {
    const { post } = await noted("old");
    await using visitor = await begin(post);
    const { page } = visitor;
    const note = page.getByRole("button", { name: "Note", exact: true });
    await note.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect
      .poll(() =>
        page.getByRole("textbox", { name: "Text of the note" }).evaluate((each) => each === document.activeElement),
      )
      .toBe(true);
    await page.keyboard.type("newer, ");
    await page.keyboard.press("Control+Enter");
    await expect.poll(async () => (await kept(post))[0]?.[4]).toMatch(/newer/);
    await expect.poll(() => note.evaluate((each) => each === document.activeElement)).toBe(true);
    const deleted = answered(page, "DeleteNote");
    await page.keyboard.press("Delete");
    await expect.poll(() => kept(post)).toEqual([]);
    await deleted;
    await note.waitFor({ state: "detached" });
    await page.getByRole("status").getByText("Deleted.").waitFor();
    const undo = page.getByRole("button", { name: "Undo" });
    expect(await undo.evaluate((each) => each.parentElement === document.activeElement)).toBe(true);
    await page.keyboard.press("u");
    await expect.poll(async () => (await kept(post)).length).toBe(1);
    await note.waitFor();
    await page.keyboard.press("u");
    await expect.poll(async () => (await kept(post))[0]?.[4]).toBe("old");
  });

  it("can undo an edit later if that failed without a connection", async () => {
    const { post } = await noted("old");
    await using visitor = await begin(post);
    const { page, context } = visitor;
    const note = page.getByRole("button", { name: "Note", exact: true });
    await note.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Delete");
    const undo = page.getByRole("button", { name: "Undo" });
    await undo.waitFor();
    await context.setOffline(true);
    await undo.click();
    await page.getByText("The board cannot be reached.").waitFor();
    await context.setOffline(false);
    await undo.click();
    await expect.poll(async () => (await kept(post))[0]?.[4]).toBe("old");
  });

  it("are added in the middle by keys", async () => {
    const post = await picture();
    await using visitor = await begin(post);
    const { page } = visitor;
    await page.keyboard.press("n");
    await page.getByRole("button", { name: /^Draw a note/ }).waitFor();
    await page.keyboard.press("Enter");
    await page
      .locator("textarea:focus")
      .and(page.getByRole("textbox", { name: "Text of the note" }))
      .waitFor();
    await page.keyboard.type("here");
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => kept(post)).toEqual([[360, 264, 180, 72, "here"]]);
    const note = page.getByRole("button", { name: "Note", exact: true });
    await expect.poll(() => note.evaluate((each) => each === document.activeElement)).toBe(true);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(async () => (await kept(post))[0]?.[0]).toBeLessThan(360);
  });

  it("are drawn and moved by touch; a finger on an unselected note scrolls the page", async () => {
    const post = await picture();
    await using visitor = await begin(post, PHONE);
    const { page, context } = visitor;
    const touch = await context.newCDPSession(page);
    const whole = page.getByRole("img", { name: "harbour" });
    const swipe = async (from: [number, number], to: [number, number]) => {
      const at = ([x, y]: [number, number]) => [{ x, y }];
      await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(from) });
      for (const share of [0.3, 0.6, 1]) {
        const point: [number, number] = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
        await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(point) });
      }
      // a finger that is lifted while it moves would begin a fling, which the next tap only stops
      await page.waitForTimeout(150);
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(to) });
      await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    };
    const tap = async (on: Locator) => {
      await on.waitFor();
      const [x, y] = await pointOn(on, 0.5, 0.5);
      // both at once: a finger that stays for long does not tap
      await Promise.all([
        touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] }),
        touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] }),
      ]);
    };
    await tap(page.getByRole("button", { name: "Add a note" }));
    await page.getByRole("button", { name: /^Draw a note/ }).waitFor();
    await swipe(await pointOn(whole, 0.2, 0.2), await pointOn(whole, 0.4, 0.6));
    await page.getByRole("textbox", { name: "Text of the note" }).fill("by finger");
    await tap(page.getByRole("button", { name: "Save" }));
    const near = async (wanted: number[]) =>
      (await kept(post))[0]?.slice(0, 4).every((value, index) => Math.abs(Number(value) - (wanted[index] ?? 0)) <= 6);
    await expect.poll(() => near([180, 120, 180, 240])).toBe(true);
    await expect
      .poll(() => page.getByRole("button", { name: "Note", exact: true }).getAttribute("aria-pressed"))
      .toBe("true");
    await swipe(await pointOn(whole, 0.3, 0.4), await pointOn(whole, 0.5, 0.4));
    await expect.poll(() => near([360, 120, 180, 240])).toBe(true);
    await tap(page.getByRole("heading", { name: /omments/ }));
    await expect
      .poll(() => page.getByRole("button", { name: "Note", exact: true }).getAttribute("aria-pressed"))
      .toBe("false");
    await swipe(await pointOn(whole, 0.5, 0.5), await pointOn(whole, 0.5, -0.2));
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
    expect(await near([360, 120, 180, 240])).toBe(true);
  });

  it("can be read by everybody, and edited only with the right", async () => {
    const { post } = await noted("[b]look[/b]");
    await using stranger = await begin(post, DESKTOP, null);
    const note = stranger.page.getByRole("button", { name: "Note", exact: true });
    await note.click();
    await stranger.page.getByRole("tooltip").locator("strong", { hasText: "look" }).waitFor();
    expect(await stranger.page.getByRole("button", { name: "Edit text" }).count()).toBe(0);
    expect(await stranger.page.getByRole("button", { name: "Add a note" }).count()).toBe(0);
    await stranger.page.keyboard.press("Escape");
    await expect.poll(() => stranger.page.getByRole("tooltip").isVisible()).toBe(false);

    const builder = await test.make.user("Builder");
    await builder.client.put(`/posts/${post.id}.json`, { post: { is_note_locked: true } });
    await using member = await begin(post);
    expect(await member.page.getByRole("button", { name: "Add a note" }).count()).toBe(0);
    await member.page.getByRole("button", { name: "Note", exact: true }).click();
    await member.page.getByRole("tooltip").waitFor();
    expect(await member.page.getByRole("button", { name: "Delete" }).count()).toBe(0);
  });

  it("keep what is typed while a new one is added, and save it as an edit of it", async () => {
    const post = await picture();
    await using visitor = await begin(post);
    const { page } = visitor;
    await page.keyboard.press("n");
    await page.getByRole("button", { name: /^Draw a note/ }).waitFor();
    await page.keyboard.press("Enter");
    const field = page.getByRole("textbox", { name: "Text of the note" });
    await field.fill("one");
    const resume = await held(page, "AddNote");
    const added = answered(page, "AddNote");
    await page.keyboard.press("Control+Enter");
    await field.pressSequentially(", two");
    resume();
    await added;
    expect(await field.inputValue()).toBe("one, two");
    await page.keyboard.press("Control+Enter");
    await field.waitFor({ state: "detached" });
    expect((await kept(post)).map(([, , , , body]) => body)).toEqual(["one, two"]);
  });

  it("suggest titles for links in their text, none of them cut off", async () => {
    for (const title of ["pier", "pilot", "pines"])
      await user.client.post("/wiki_pages.json", { wiki_page: { title, body: "It is old." } });
    const { post } = await noted();
    await using visitor = await begin(post);
    const { page } = visitor;
    await page.getByRole("button", { name: "Note", exact: true }).focus();
    for (const key of ["Enter", "Tab", "Enter"]) await page.keyboard.press(key);
    const form = page.getByRole("form", { name: "Text of the note" });
    await form.getByRole("textbox").fill("");
    await form.getByRole("textbox").pressSequentially("by the [[pi");
    const last = form.getByRole("option").nth(2);
    await last.waitFor();
    const bottom = (each: Locator) => each.evaluate((element) => element.getBoundingClientRect().bottom);
    const box = page.locator(":popover-open").filter({ has: form });
    await expect.poll(async () => (await bottom(last)) <= (await bottom(box))).toBe(true);
  });

  it("keep their text as a draft when their form is closed by Escape", async () => {
    const post = await picture();
    await using visitor = await begin(post);
    const { page } = visitor;
    const open = async () => {
      await page.keyboard.press("n");
      await page.getByRole("button", { name: /^Draw a note/ }).waitFor();
      await page.keyboard.press("Enter");
    };
    const field = page.getByRole("textbox", { name: "Text of the note" });
    await open();
    await field.fill("a long text");
    await field.press("Escape");
    await field.waitFor({ state: "detached" });
    await open();
    await expect.poll(() => field.inputValue()).toBe("a long text");
  });

  it("show the board's error, and keep the text", async () => {
    const post = await picture();
    await using visitor = await begin(post);
    const { page } = visitor;
    await page.keyboard.press("n");
    await page.getByRole("button", { name: /^Draw a note/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Text of the note" }).fill("x".repeat(5_001));
    await page.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(() => page.getByRole("alert").innerText())
      .toBe("Text of the note is too long (at most 5000 characters).");
    expect((await page.getByRole("textbox", { name: "Text of the note" }).inputValue()).length).toBe(5_001);
    expect(await kept(post)).toEqual([]);
  });

  /** A note whose text is written, on a page that follows what others do. */
  async function written(body: string) {
    const { post, id } = await noted(body);
    const visitor = await begin(post);
    const { page } = visitor;
    await page.getByRole("button", { name: "Note", exact: true }).click();
    await page.getByRole("button", { name: "Edit text" }).click();
    return { post, id, visitor, field: page.getByRole("textbox", { name: "Text of the note" }) };
  }

  it("show what others have changed since the text was opened, which saving replaces", async () => {
    const { post, id, visitor, field } = await written("old");
    await using _ = visitor;
    const theirs = visitor.page.getByRole("status", { name: "Changed by others" });
    await field.fill("mine");
    await expect
      .poll(
        async () => {
          await uploader.client.put(`/notes/${id}.json`, { note: { body: `theirs ${Math.random()}` } });
          return theirs.isVisible();
        },
        { interval: 500 }, // the page follows some time after it was opened
      )
      .toBe(true);
    expect(await theirs.innerText()).toMatch(/^Others changed the note.*\s+theirs 0/);
    expect(await field.inputValue()).toBe("mine");
    const saved = answered(visitor.page, "SaveNote");
    await visitor.page.getByRole("button", { name: "Save" }).click();
    await saved;
    expect((await kept(post)).map(([, , , , body]) => body)).toEqual(["mine"]);
  });

  it("show what others have changed since a draft was begun, when it is opened again", async () => {
    const { post, id, visitor, field } = await written("old");
    await using _ = visitor;
    const { page } = visitor;
    const theirs = page.getByRole("status", { name: "Changed by others" });
    const open = async () => {
      await page.goto(`/posts/${post.id}`);
      await page.getByRole("button", { name: "Note", exact: true }).click();
      await page.getByRole("button", { name: "Edit text" }).click();
      await expect.poll(() => field.inputValue()).toBe("mine");
    };
    await field.fill("mine");
    await open();
    expect(await theirs.count()).toBe(0);
    await uploader.client.put(`/notes/${id}.json`, { note: { body: "theirs" } });
    await open();
    expect(await theirs.innerText()).toMatch(/^Others changed the note.*\s+theirs$/);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Edit text" }).click();
    await expect.poll(() => field.inputValue()).toBe("theirs");
    expect(await theirs.count()).toBe(0);
  });

  it.each([
    ["at once", false],
    ["when they are saved", true],
  ])("that others deleted meanwhile say so %s, and keep the text for when they are restored", async (_, isSaved) => {
    const { post, id, visitor, field } = await written("old");
    await using _visitor = visitor;
    const { page } = visitor;
    await field.fill("a long text");
    const { json: versions } = await uploader.client.get(`/note_versions.json?search[note_id]=${id}`);
    const [version] = versions as unknown as [{ id: number }];
    await uploader.client.delete(`/notes/${id}.json`);
    let times = 0;
    const change = () => uploader.client.put(`/notes/${id}.json`, { note: { body: `old ${(times += 1)}` } });
    await expect
      .poll(
        async () => {
          await (isSaved ? page.keyboard.press("Control+Enter") : change());
          return field.isVisible();
        },
        { interval: 500 }, // the page follows some time after it was opened
      )
      .toBe(false);
    await page.getByRole("status").getByText("The note was deleted meanwhile. Your text is kept").waitFor();
    await uploader.client.put(`/notes/${id}/revert.json`, { version_id: version.id });
    await page.goto(`/posts/${post.id}`);
    await page.getByRole("button", { name: "Note", exact: true }).click();
    await page.getByRole("button", { name: "Edit text" }).click();
    await expect.poll(() => field.inputValue()).toBe("a long text");
  });

  it("that others have deleted can't be moved, and show a message", async () => {
    const { post, id } = await noted();
    await using visitor = await begin(post);
    const { page } = visitor;
    const note = page.getByRole("button", { name: "Note", exact: true });
    await note.click();
    await uploader.client.delete(`/notes/${id}.json`);
    await page.keyboard.press("ArrowRight");
    await page.getByRole("status").getByText("The note was deleted meanwhile.").waitFor();
    await note.waitFor({ state: "detached" });
  });

  it("are accessible while they are edited, light and dark, on a desktop and a phone", async () => {
    const { post } = await noted();
    for (const options of [PHONE, DESKTOP]) {
      await using visitor = await begin(post, options);
      const { page } = visitor;
      await page.getByRole("button", { name: "Note", exact: true }).click();
      await page.getByRole("button", { name: "Edit text" }).waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Edit text" }).click();
      await page.getByRole("textbox", { name: "Text of the note" }).waitFor();
      await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
  });
});
