/** Accessibility of every page: axe in each theme and width, large text, reduced motion, forced colours, touch targets. */
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PageName, routes } from "../../web/routes.js";
import { startBoard, type TestBoard } from "../support/board.js";
import {
  expectAccessible,
  noChromium,
  openBrowser,
  openBrowserWith,
  PHONE,
  signIn,
  visit,
  type Visitor,
} from "../support/browser.js";
import type { TestUser } from "../support/factory.js";

const WIDTHS = [412, 900, 1440];

/** Where each page is, and what is there once it has come; `{post}` stands for a post's number. */
const PAGES: Readonly<Record<PageName, readonly [path: string, heading: string | RegExp]>> = {
  gallery: ["/", "Posts"],
  post: ["/posts/{post}?q=series", /by mira b/],
  post_versions: ["/post_versions", "Edits of posts"],
  note_versions: ["/note_versions", "Edits of notes"],
  pool_versions: ["/pool_versions", "Edits of pools"],
  wiki_page_versions: ["/wiki_page_versions", "Edits of wiki pages"],
  artist_versions: ["/artist_versions", "Edits of artists"],
  artist_commentary_versions: ["/artist_commentary_versions", "Edits of commentaries"],
  favorite_group_versions: ["/favorite_group_versions", "Edits of favorite groups"],
  login: ["/login", "Sign in"],
  signup: ["/signup", "Sign up"],
  recover: ["/recover", "New password"],
  account: ["/account", "alma"],
  upload: ["/upload", "Upload"],
};
const OTHERS: readonly (readonly [path: string, heading: string | RegExp])[] = [
  ["/posts?tags=harbr+boat", "Nothing found"],
  [`/posts?tags=harbr+${"w".repeat(165)}`, "Nothing found"],
  [`/upload?url=https://example.com/${"w".repeat(165)}`, "Upload"],
  ["/nowhere", "Not found"],
];

/** Their component is that of the edits of posts; `histories.test.ts` looks at each of them with what it shows. */
const LIKE_OTHERS = /^(note|pool|wiki_page|artist|artist_commentary|favorite_group)_versions$/;

describe.skipIf(noChromium !== null)(`accessibility${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  let user: TestUser;
  let post = 0;
  beforeAll(async () => {
    test = await startBoard();
    user = await test.make.user("Member", "alma");
    const uploader = await test.make.user("Contributor", "lumen");
    for (let index = 0; index < 14; index += 1) {
      const file = await test.make.picture(index % 3 === 0 ? 500 : 300, 300);
      const tags = `series harbour artist:mira_b character:hero_${index} copyright:game meta:sketch number_${index}`;
      post = (await test.make.post(tags, { file, rating: index % 2 ? "e" : "s" }, uploader)).id;
    }
    await user.client.post("/comments.json", { comment: { post_id: post, body: "[b]Fine[/b] boats" } });
    await user.client.post("/notes.json", {
      note: { post_id: post, x: 9, y: 9, width: 90, height: 60, body: "a boat" },
    });
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  async function begin(options: BrowserContextOptions, program = browser) {
    const visitor = await visit(program, test.url, options);
    await signIn(visitor, user);
    return visitor;
  }
  const all = () => [...Object.entries(PAGES).flatMap(([page, at]) => (LIKE_OTHERS.test(page) ? [] : [at])), ...OTHERS];
  async function open(page: Page, [path, heading]: readonly [string, string | RegExp]): Promise<void> {
    await page.goto(path.replace("{post}", String(post)));
    await page.getByRole("heading", { name: heading }).first().waitFor({ state: "attached" });
  }
  const excess = (page: Page) =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return Math.max(0, scrollWidth - clientWidth);
    });

  /** Texts whose lines overlap, or that reach into what is beside them or beside what contains them. */
  const crowded = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll("main *")]
        .filter((element) => [...element.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE))
        .filter((element) => {
          const { lineHeight, fontSize, overflow, position } = getComputedStyle(element);
          const isOver = overflow === "visible" && element.scrollWidth > element.clientWidth && element.clientWidth > 1;
          const rightOf = (each: Element) => Math.floor(each.getBoundingClientRect().right);
          const outer = element.parentElement as Element;
          const isBeyond =
            position === "static" &&
            getComputedStyle(outer).overflow === "visible" &&
            rightOf(element) > rightOf(outer);
          return Number.parseFloat(lineHeight) < Number.parseFloat(fontSize) || isOver || isBeyond;
        })
        .map((element) => element.outerHTML.slice(0, 90)),
    );

  /** How many elements move. */
  const moving = (page: Page) =>
    page.evaluate(
      () =>
        [...document.querySelectorAll("*")].filter((element) => {
          const { transitionDuration, animationDuration, animationName } = getComputedStyle(element);
          const isLong = (text: string) => text.split(",").some((one) => Number.parseFloat(one) > 0);
          return isLong(transitionDuration) || (animationName !== "none" && isLong(animationDuration));
        }).length,
    );

  it("every page is in the list", () => {
    expect(new Set(routes.map(({ page }) => page))).toEqual(new Set(Object.keys(PAGES)));
  });

  describe("every page", () => {
    let visitor: Visitor;
    beforeAll(async () => {
      visitor = await begin({ reducedMotion: "reduce" });
    });
    afterAll(() => visitor[Symbol.asyncDispose]());

    it.each(all().map(([path, heading]) => ({ name: path.slice(0, 60), path, heading })))(
      "$name: axe finds nothing at any width in either theme, nor in forced colours; it is no wider than the window, and nothing moves",
      async ({ path, heading }) => {
        const { page, faults } = visitor;
        await page.setViewportSize({ width: 1280, height: 720 });
        await open(page, [path, heading]);
        expect(await moving(page)).toBe(0);
        await page.emulateMedia({ forcedColors: "active" });
        await expectAccessible(page, ["light"]); // forced colours take the place of both themes
        await page.emulateMedia({ forcedColors: null });
        // no script looks at the width when a page is opened, so it is opened once for all of them
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          expect([width, await excess(page)]).toEqual([width, 0]);
          await expectAccessible(page);
        }
        expect(faults.splice(0)).toEqual([]);
      },
    );
  });

  it("axe finds nothing on posts that show why they were flagged or deleted", async () => {
    const moderator = await test.make.user("Moderator");
    const [flagged, deleted] = [await test.make.post("harbour"), await test.make.post("harbour")];
    await user.client.post("/post_flags.json", { post_flag: { post_id: flagged.id, reason: "A worse copy." } });
    const remove = 'mutation ($id: Int!) { deletePost(input: { id: $id, reason: "No harbour." }) { post { id } } }';
    await moderator.client.graphql(remove, { id: deleted.id });
    for (const options of [PHONE, { viewport: { width: 1440, height: 900 } }]) {
      await using visitor = await begin(options);
      for (const [id, reason] of [
        [flagged.id, "A worse copy."],
        [deleted.id, "No harbour."],
      ] as const) {
        await visitor.page.goto(`/posts/${id}`);
        await visitor.page.getByText(reason).waitFor();
        expect(await excess(visitor.page)).toBe(0);
        await expectAccessible(visitor.page);
      }
      expect(visitor.faults).toEqual([]);
    }
  });

  it("axe finds nothing while posts are selected, tags are suggested, or a dialog or drawer is open", async () => {
    await using visitor = await begin({ ...PHONE });
    const { page } = visitor;
    await open(page, PAGES.gallery);
    await page.getByRole("button", { name: "Tags", exact: true }).click();
    await page.getByRole("complementary", { name: "Tags of this page" }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("combobox", { name: "Search posts by tags" }).pressSequentially("har");
    await page.getByRole("option", { name: /harbour/ }).waitFor();
    await expectAccessible(page);
    await open(page, PAGES.gallery);
    await page.getByRole("button", { name: "Select", exact: true }).click();
    await page.getByRole("checkbox").first().click();
    expect(await excess(page)).toBe(0);
    await expectAccessible(page);
    await open(page, PAGES.post);
    await page.getByRole("button", { name: "Tags", exact: true }).click();
    await page.getByRole("region", { name: "Tags" }).getByRole("link", { name: "harbour", exact: true }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await expectAccessible(page);
  });

  it("pages are usable with text at twice its size, on a screen of 320 pixels", async () => {
    const large = await openBrowserWith("--blink-settings=defaultFontSize=32");
    try {
      await using visitor = await begin({ viewport: { width: 320, height: 800 } }, large);
      for (const each of all()) {
        await open(visitor.page, each);
        await visitor.page.waitForLoadState("networkidle"); // forms come later
        expect([each[0], await excess(visitor.page), await crowded(visitor.page)]).toEqual([each[0], 0, []]);
      }
    } finally {
      await large.close();
    }
  });

  it("tags and facts beside pictures break only between words, with text at twice its size too", async () => {
    const large = await openBrowserWith("--blink-settings=defaultFontSize=32");
    try {
      await using visitor = await begin({ viewport: { width: 1280, height: 800 } }, large);
      const { page } = visitor;
      for (const each of [PAGES.gallery, PAGES.post]) {
        await open(page, each);
        await page.getByRole("link", { name: "harbour", exact: true }).waitFor();
        await page.evaluate(() => {
          const style = new CSSStyleSheet();
          style.replaceSync("* { overflow-wrap: normal !important; }");
          document.adoptedStyleSheets = [style];
        });
        expect([each[0], await excess(page), await crowded(page)]).toEqual([each[0], 0, []]);
      }
    } finally {
      await large.close();
    }
  });

  it("what opens on a page is within a window of 320 pixels, also with text at twice its size", async () => {
    const large = await openBrowserWith("--blink-settings=defaultFontSize=32");
    try {
      await using visitor = await begin({ viewport: { width: 320, height: 800 } }, large);
      const { page } = visitor;
      const beyond = (elements: string) =>
        page
          .locator(elements)
          .evaluateAll((found) =>
            found
              .filter(
                (each) =>
                  each.scrollWidth > each.clientWidth ||
                  each.getBoundingClientRect().right > document.documentElement.clientWidth,
              )
              .map((each) => each.outerHTML.slice(0, 90)),
          );
      await open(page, PAGES.gallery);
      await page.getByText("View", { exact: true }).click();
      const options = await beyond(".ViewOptions-list");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Select", exact: true }).click();
      await page.getByRole("button", { name: "Done" }).waitFor();
      const bar = await beyond(".SelectBar, .SelectBar button");
      await open(page, PAGES.post);
      await page.getByRole("button", { name: "Note", exact: true }).click();
      await page.getByRole("button", { name: "Edit text" }).click();
      await page.getByRole("textbox", { name: "Text of the note" }).waitFor();
      expect({ options, bar, note: await beyond(".Beside:popover-open") }).toEqual({ options: [], bar: [], note: [] });
    } finally {
      await large.close();
    }
  });

  it("targets on a phone are at least 44 pixels, except links within texts, and no page is wider than it", async () => {
    await using visitor = await begin({ ...PHONE });
    for (const each of all()) {
      await open(visitor.page, each);
      expect([each[0], await excess(visitor.page)]).toEqual([each[0], 0]);
      const small = await visitor.page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>("a[href], button, summary, select, input, textarea")]
          .filter((element) => element.checkVisibility({ visibilityProperty: true }))
          .filter((element) => getComputedStyle(element).display !== "inline")
          .filter((element) => !element.matches(".Skip, .Note *, .Note"))
          .map((element) => ({ element, target: element.closest("label") ?? element }))
          .map(({ element, target }) => ({ element, box: target.getBoundingClientRect() }))
          .filter(({ box }) => box.height > 0 && (box.height < 43.5 || box.width < 43.5))
          .map(
            ({ element, box }) =>
              `${element.outerHTML.slice(0, 90)} ${Math.round(box.width)}×${Math.round(box.height)}`,
          ),
      );
      expect([each[0], small]).toEqual([each[0], []]);
    }
  });

  it("focus and selection are visible in forced colours", async () => {
    await using visitor = await begin({ forcedColors: "active" });
    const { page } = visitor;
    await open(page, PAGES.gallery);
    await page.keyboard.press("j");
    const outline = () =>
      page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement as Element);
        return `${outlineStyle} ${outlineWidth}`;
      });
    await expect.poll(outline).toBe("solid 3px");
  });

  it("the selected suggestion and pressed buttons are distinguishable in forced colours", async () => {
    await using visitor = await begin({ forcedColors: "active" });
    const { page } = visitor;
    await open(page, PAGES.post);
    const lookOf = (element: Locator) =>
      element.evaluate((each) => {
        const { borderWidth, outlineStyle } = getComputedStyle(each);
        return [borderWidth, outlineStyle];
      });
    const notes = page.getByRole("button", { name: "Notes", exact: true });
    const pressed = await lookOf(notes);
    await notes.click();
    expect(await lookOf(notes)).not.toEqual(pressed);
    await page.getByRole("combobox", { name: "Search posts by tags" }).fill("har");
    const option = page.getByRole("option", { name: /^harbour/ });
    const before = await lookOf(option);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => option.getAttribute("aria-selected")).toBe("true");
    expect(await lookOf(option)).not.toEqual(before);
  });

  it("notes let the picture through in forced colours, also where those of buttons are opaque", async () => {
    await using visitor = await begin({ forcedColors: "active" });
    const { page } = visitor;
    await open(page, PAGES.post);
    const note = page.getByRole("button", { name: "Note", exact: true });
    expect(await note.evaluate((each) => getComputedStyle(each).backgroundColor)).toBe("rgba(255, 209, 102, 0.25)");
  });

  it("notes let the picture through on paper, where Chromium makes backgrounds white that it may adjust", async () => {
    await using visitor = await begin({});
    const { page } = visitor;
    await open(page, PAGES.post);
    const note = page.getByRole("button", { name: "Note", exact: true });
    expect(await note.evaluate((each) => getComputedStyle(each).getPropertyValue("print-color-adjust"))).toBe("exact");
  });

  it("a page is printed with its tags, and in dark ink whatever the theme", async () => {
    await using visitor = await begin({ colorScheme: "dark", viewport: { width: 1280, height: 800 } });
    const { page } = visitor;
    await open(page, PAGES.post);
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 718, height: 1_047 }); // A4 without margins
    await expect.poll(() => page.getByRole("region", { name: "Tags" }).isVisible()).toBe(true);
    expect(await page.getByRole("button", { name: "Tags", exact: true }).isVisible()).toBe(false);
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(31, 28, 36)");
  });

  it("the focus moves to the content and to the posts by the skip links, and when another page is opened", async () => {
    await using visitor = await begin({ viewport: { width: 1280, height: 800 } });
    const { page } = visitor;
    await open(page, PAGES.gallery);
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await page.keyboard.press("Tab");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe("main");
    await page.keyboard.press("Tab"); // over the tags
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe("posts");
    await page
      .getByRole("link", { name: /^Post \d+:/ })
      .first()
      .click();
    await page.getByRole("link", { name: "All posts" }).waitFor();
    await expect.poll(focused).toBe("main");
  });
});
