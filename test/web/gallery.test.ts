/** The gallery as people use it: viewing, searching, paging, leaving and returning. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { expectAccessible, noChromium, openBrowser, PHONE, signIn, visit, type Visitor } from "../support/browser.js";
import { answered, focusedIn, held, scrollDown } from "./in-page.js";

const POSTS = 90;

describe.skipIf(noChromium !== null)(`the gallery${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  beforeAll(async () => {
    test = await startBoard({ MAX_PAGE: "2" });
    const uploader = await test.make.user("Contributor", "mira");
    for (let index = 1; index <= POSTS; index += 1) {
      const kind = index % 3 === 0 ? "harbour" : "hills";
      await test.make.post(`${kind} general_${index} artist:mira_b`, {}, uploader);
    }
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());
  const begin = (...options: Parameters<typeof visit> extends [unknown, unknown, ...infer Rest] ? Rest : never) =>
    visit(browser, test.url, ...options);
  const tiles = ({ page }: Visitor) => page.getByRole("link", { name: /^Post \d+:/ });
  /** Scrolls down until the query of the URL is that of a page. */
  const scrollUntil = (page: Page, query: string) =>
    expect
      .poll(async () => {
        await scrollDown(page, 300);
        return new URL(page.url()).search;
      })
      .toBe(query);
  const field = ({ page }: Visitor) => page.getByRole("combobox", { name: "Search posts by tags" });

  it("shows the newest posts with their pictures, without requests to other hosts", async () => {
    await using visitor = await begin();
    const { page, faults } = visitor;
    await page.goto("/");
    await expect.poll(() => tiles(visitor).count()).toBe(40);
    await page.getByText("90 posts", { exact: true }).waitFor();
    const first = tiles(visitor).first().locator("img");
    expect(await first.evaluate((picture: HTMLImageElement) => picture.decode().then(() => picture.complete))).toBe(
      true,
    );
    await expect.poll(() => page.title()).toBe("Graphbooru");
    const tags = page.getByRole("complementary", { name: "Tags of this page" }).getByRole("listitem");
    await tags.filter({ hasText: "harbour" }).filter({ hasText: "30" }).waitFor();
    expect(faults).toEqual([]);
  });

  it("loads the pictures of the first view before its script has run", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    const pictures = new Set<string>();
    page.on("request", (request) => request.url().includes("/data/") && pictures.add(request.url()));
    await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
    await page.goto("/");
    await expect.poll(() => pictures.size).toBe(24);
  });

  it("keeps what is typed into the search field before its script has run", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    let resume = (): void => undefined;
    const isTyped = new Promise<void>((resolve) => (resume = resolve));
    await page.route("**/assets/entry-*.js", async (route) => {
      await isTyped;
      await route.continue();
    });
    await page.goto("/posts?tags=harbour", { waitUntil: "commit" });
    await page.getByRole("textbox", { name: "Search posts by tags" }).fill("harbour -hil");
    resume();
    await page.getByRole("option", { name: /^hills/ }).waitFor();
    await page.keyboard.type("ls");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/posts?tags=harbour+-hills");
  });

  it("shows pictures and links without JavaScript", async () => {
    await using visitor = await begin({ viewport: { width: 1280, height: 800 }, javaScriptEnabled: false });
    const { page, faults } = visitor;
    await page.goto("/posts?tags=harbour");
    const pictures = page.getByRole("link").filter({ has: page.getByRole("img", { name: /harbour/ }) });
    await expect.poll(() => pictures.count()).toBe(30);
    expect(await page.getByRole("main").getAttribute("aria-busy")).toBeNull();
    expect((await pictures.first().boundingBox())?.y).toBeLessThan(200);
    await pictures.first().click();
    await page.waitForURL("**/posts/*");
    await page.getByRole("link", { name: "harbour", exact: true }).click();
    await page.waitForURL("**/posts?tags=harbour");
    await page.goto("/posts?tags=nothing_of_that_name");
    const nothing = page.getByRole("paragraph").filter({ hasText: "Nothing found." });
    await nothing.waitFor();
    expect(faults).toEqual([]);
  });

  it("is rendered from the response in its HTML, without another request", async () => {
    await using visitor = await begin();
    const asked: string[] = [];
    visitor.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await visitor.page.goto("/posts?tags=harbour");
    await expect.poll(() => tiles(visitor).count()).toBe(30);
    expect(asked).not.toContain("/graphql");
  });

  it("suggests tags while typing, and searches by keys", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await tiles(visitor).first().waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => focusedIn(page)).toBe("Search posts by tags");
    await page.keyboard.type("har");
    await page.getByRole("option", { name: /harbour/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => field(visitor).inputValue()).toBe("harbour ");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/posts?tags=harbour");
    await expect.poll(() => page.title()).toBe("harbour · Graphbooru");
    await expect.poll(() => tiles(visitor).count()).toBe(30);
  });

  it("keeps the selected suggestion when the suggestions are updated", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await field(visitor).pressSequentially("ha");
    await page.getByRole("option", { name: /harbour/ }).waitFor();
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/graphql", async (route) => {
      await released;
      await route.continue();
    });
    const asked = page.waitForRequest((request) => (request.postData() ?? "").includes('"query":"har"'));
    await field(visitor).pressSequentially("r");
    await asked;
    await page.keyboard.press("ArrowDown");
    const answer = answered(page, "Suggest");
    release();
    await answer;
    await page.keyboard.press("Enter");
    await expect.poll(() => field(visitor).inputValue()).toBe("harbour ");
  });

  it("asks again for suggestions that are older than a minute", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    let asked = 0;
    page.on("request", (request) => (asked += (request.postData() ?? "").includes('"query":"har"') ? 1 : 0));
    const type = async () => {
      await field(visitor).fill("");
      await field(visitor).pressSequentially("har", { delay: 100 });
      await page.getByRole("option", { name: /harbour/ }).waitFor();
    };
    const now = Date.now();
    await page.clock.setFixedTime(now);
    await type();
    await expect.poll(() => asked).toBe(1);
    await field(visitor).pressSequentially("b", { delay: 100 });
    await type();
    expect(asked).toBe(1);
    await page.clock.setFixedTime(now + 61_000);
    await type();
    await expect.poll(() => asked).toBe(2);
  });

  it("shows the selected suggestion in a window that is too low for all of them", async () => {
    await using visitor = await begin({ viewport: { width: 1280, height: 320 } });
    const { page } = visitor;
    await page.goto("/");
    await tiles(visitor).first().waitFor();
    await field(visitor).pressSequentially("general_1");
    const list = page.getByRole("listbox");
    await expect.poll(() => list.getByRole("option").count()).toBe(10);
    await page.keyboard.press("ArrowUp");
    const beyond = () =>
      list.getByRole("option", { selected: true }).evaluate((option) => {
        const bottoms = [option, option.closest("ul") as Element].map((each) => each.getBoundingClientRect().bottom);
        return (bottoms[0] ?? 0) > (bottoms[1] ?? 0);
      });
    await expect.poll(beyond).toBe(false);
  });

  it("suggests after a minus, and the values of meta-tags", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await field(visitor).pressSequentially("hills -h");
    await page.getByRole("option", { name: /^harbour/ }).click();
    await expect.poll(() => field(visitor).inputValue()).toBe("hills -harbour ");
    await field(visitor).pressSequentially("rating:");
    await page
      .getByRole("option", { name: /^rating:s/ })
      .first()
      .waitFor();
  });

  it("loads further pages while scrolling, and updates the URL", async () => {
    await using visitor = await begin();
    const { page, faults } = visitor;
    await page.goto("/");
    await expect.poll(() => tiles(visitor).count()).toBe(40);
    await scrollUntil(page, "?page=2");
    await page.getByRole("region", { name: "Page 2" }).waitFor();
    await page.reload();
    await page
      .getByRole("region", { name: "Page 2" })
      .getByRole("link", { name: /^Post / })
      .first()
      .waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe("?page=2");
    expect(faults).toEqual([]);
  });

  it("leaves the URL alone once another page is opened, however late it sees which of its pages is in view", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.addInitScript(() => {
      const late: (() => void)[] = [];
      const schedule = globalThis.setTimeout.bind(globalThis);
      Object.assign(globalThis, {
        runLate: () => late.map((run) => run()).length,
        // that of the gallery, which waits until nobody scrolls
        setTimeout: (run: () => void, milliseconds?: number) =>
          milliseconds === 120 ? late.push(run) : schedule(run, milliseconds),
      });
    });
    await page.goto("/posts?tags=harbour");
    await tiles(visitor).first().waitFor();
    await page.getByRole("banner").getByRole("link", { name: "Sign in" }).click();
    await page.waitForURL("**/login*");
    await expect
      .poll(() => page.evaluate(() => (globalThis as unknown as { runLate: () => number }).runLate()))
      .toBeGreaterThan(0);
    expect(new URL(page.url()).pathname).toBe("/login");
  });

  it("keeps its position after a reload, however late the pages before are loaded", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await scrollUntil(page, "?page=2");
    await page.getByRole("region", { name: "Page 2" }).waitFor();
    const place = () =>
      page.getByRole("region", { name: "Page 2" }).evaluate((region) => Math.round(region.getBoundingClientRect().top));
    const before = await place();
    let answer: () => void = () => undefined;
    const isLate = new Promise<void>((resolve) => (answer = resolve));
    await page.route("**/graphql", async (route) => {
      if (route.request().postData()?.includes('"page":"1"')) await isLate;
      await route.continue();
    });
    await page.reload();
    await page.getByRole("link", { name: "Post 50:" }).waitFor();
    await expect.poll(place).toBe(before);
    answer();
    await page.getByRole("link", { name: "Post 90:" }).waitFor();
    expect([await place(), new URL(page.url()).search]).toEqual([before, "?page=2"]);
  });

  it("continues by post ids after the last page number, and back", async () => {
    await using visitor = await begin();
    const { page, faults } = visitor;
    await page.goto("/posts?page=2");
    await scrollUntil(page, "?page=b11");
    await expect.poll(() => page.title()).toBe("Posts, before post 11 · Graphbooru");
    await page.goto("about:blank"); // the same address once more would be a reload
    await page.goto("/posts?page=b11");
    await expect.poll(() => tiles(visitor).count()).toBe(10);
    await page.getByRole("link", { name: "Page 1" }).click();
    await expect.poll(() => tiles(visitor).count()).toBe(40);
    await page.goto("/posts?page=b1");
    await page.getByRole("link", { name: "Go to the first page" }).waitFor();
    expect(faults).toEqual([]);
  });

  it("says that a list in another order ends at the last page number", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/posts?tags=order:score&page=2");
    await page.getByText("Lists in this order end here.").waitFor();
    await page.getByRole("link", { name: "Back to the first page" }).click();
    await page.waitForURL("**/posts?tags=order%3Ascore");
  });

  it("leads from a page over the last number to the last one", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    for (const path of ["/posts?tags=order%3Aid", "/post_versions?"]) {
      await page.goto(`${path}&page=3`);
      await page.getByRole("heading", { name: "There is no page 3" }).waitFor();
      await page.getByText("Pages have numbers up to 2.").waitFor();
      expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
      await page.getByRole("link", { name: "Page 2" }).click();
      await page.getByRole("heading", { name: /^(Posts: order:id|Edits of posts)$/ }).waitFor();
    }
  });

  it("is headed by the name and description of a pool whose posts it shows", async () => {
    const { client } = await test.make.user("Member", "poola");
    const pool = { name: "Days of summer", description: "All of [b]them[/b].", post_ids: "3 1 2" };
    const { json } = await client.post("/pools.json", { pool });
    await using visitor = await begin();
    const { page, faults } = visitor;
    await page.goto(`/pools/${json.id}`);
    await page.getByRole("heading", { level: 1, name: "Days of summer", exact: true }).waitFor();
    await page.getByText("All of them.").waitFor();
    await expect.poll(() => page.title()).toBe("Days of summer · Graphbooru");
    await expect.poll(() => tiles(visitor).count()).toBe(3);
    await expectAccessible(page);
    await page.getByRole("link", { name: "Edits of the pool" }).click();
    await page.getByRole("heading", { name: `History of pool ${json.id}` }).waitFor();
    await page.goto("/posts?tags=ordpool:999999");
    await page.getByRole("heading", { name: "Posts: ordpool:999999" }).waitFor({ state: "attached" });
    expect(faults).toEqual([]);
  });

  it("offers to leave out a word when nothing is found", async () => {
    await using visitor = await begin();
    await visitor.page.goto("/posts?tags=harbour+nowhere_at_all");
    await visitor.page.getByRole("link", { name: "Search without nowhere_at_all" }).click();
    await expect.poll(() => tiles(visitor).count()).toBe(30);
  });

  it("narrows a search with alternatives as a whole, by a tag, by another order, and when nothing is found", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    const searched = () => new URL(page.url()).searchParams.get("tags");
    await page.goto("/posts?tags=general_1+or+general_2");
    await page.getByRole("link", { name: "Exclude hills" }).click();
    await page.getByRole("heading", { name: "Nothing found" }).waitFor();
    expect(searched()).toBe("(general_1 or general_2) -hills");
    expect(await page.getByRole("link", { name: /^Search without/ }).allInnerTexts()).toEqual([
      "Search without (general_1 or general_2)",
      "Search without -hills",
    ]);
    await page.getByRole("link", { name: "Search without -hills" }).click();
    await expect.poll(() => tiles(visitor).count()).toBe(2);
    await page.keyboard.press("r");
    await expect.poll(searched).toBe("(general_1 or general_2) order:random");
    await expect.poll(() => tiles(visitor).count()).toBe(2);
  });

  it("names a tag without posts, and suggests a similar one", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/posts?tags=-nothing_such+harbuor");
    const about = page.getByRole("list", { name: "About this search" });
    await expect
      .poll(() => about.getByRole("listitem").allTextContents())
      .toEqual(["nothing_such: no post has this tag.", "harbuor: no post has this tag. Did you mean harbour?"]);
    await about.getByRole("link", { name: "harbour" }).click();
    await expect.poll(() => tiles(visitor).count()).toBe(30);
    expect(new URL(page.url()).searchParams.get("tags")).toBe("-nothing_such harbour");
    await page.goto("/posts?tags=(harbuor or (nothing_such harbuor))");
    await about.getByRole("link", { name: "harbour" }).click();
    const searched = () => new URL(page.url()).searchParams.get("tags");
    await expect.poll(searched).toBe("(harbour or (nothing_such harbour))");
    for (const value of ['"scroe"', "sc\\ re"]) {
      await page.goto(`/posts?tags=-nothing_such+(order:${value})`);
      await about.getByRole("link", { name: "order:score" }).click();
      await expect.poll(searched).toBe("-nothing_such (order:score)");
    }
    await page.goto("/posts?tags=score:1000000");
    await page.getByRole("status").getByText("No post matches this search.").waitFor();
  });

  it("corrects a word without completions, and suggests recent searches", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await field(visitor).pressSequentially("hrabour");
    await page.getByRole("option", { name: /harbour/ }).click();
    await expect.poll(() => field(visitor).inputValue()).toBe("harbour ");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/posts?tags=harbour");
    await page.goto("/");
    await field(visitor).pressSequentially("har");
    await expect
      .poll(() => page.getByRole("listbox").getByRole("option").allTextContents())
      .toEqual(["harbour30", "harbourrecent"]);
  });

  it("searches again by a recent search: it is in the field, which no longer has the focus", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await field(visitor).fill("harbour");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/posts?tags=harbour");
    await field(visitor).fill("");
    await page.getByRole("option", { name: "harbour" }).click();
    await expect.poll(() => field(visitor).inputValue()).toBe("harbour");
    await expect.poll(() => field(visitor).evaluate((each) => each === document.activeElement)).toBe(false);
  });

  it("returns to the tile that was opened, on any page", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    const second = page.getByRole("region", { name: "Page 2" });
    await scrollUntil(page, "?page=2");
    const tile = second.getByRole("link", { name: /^Post / }).nth(5);
    const name = await tile.getAttribute("aria-label");
    await tile.click();
    await page.getByRole("link", { name: "Next post" }).waitFor();
    await page.goBack();
    await expect.poll(() => focusedIn(page)).toBe(name);
    await expect.poll(() => tile.evaluate((each) => each.getBoundingClientRect().top)).toBeGreaterThan(0);
    await expect.poll(() => new URL(page.url()).search).toBe("?page=2");
  });

  it("returns to tiles that are not in the first view, also after a reload of the post", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    const tile = page
      .getByRole("region", { name: "Page 1" })
      .getByRole("link", { name: /^Post / })
      .nth(30);
    const name = await tile.getAttribute("aria-label");
    const open = async () => {
      await tile.click();
      await page.getByRole("link", { name: "Next post" }).waitFor();
    };
    const expectReturn = async () => {
      await page.goBack();
      await expect.poll(() => focusedIn(page)).toBe(name);
      const { y, height } = (await tile.boundingBox()) ?? { y: 0, height: 0 };
      expect([y > 0, y + height < (page.viewportSize()?.height ?? 0)]).toEqual([true, true]);
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
    };
    await open();
    await expectReturn();
    await open();
    await page.reload();
    await page.getByRole("link", { name: "Next post" }).waitFor();
    await expectReturn();
  });

  it("hides blacklisted posts, names the matching line, and shows them on request", async () => {
    const user = await test.make.user("Member", "nora");
    await user.client.put(`/users/${user.id}.json`, { user: { blacklisted_tags: "harbour general_90\ngeneral_87" } });
    await using visitor = await begin();
    const { page } = visitor;
    await signIn(visitor, user);
    await page.goto("/");
    const hidden = page.getByRole("button", { name: /is hidden by harbour general_90. Show it$/ });
    await hidden.waitFor();
    await expect.poll(() => tiles(visitor).count()).toBe(38);
    await expect.poll(() => page.getByRole("button", { name: /is hidden by general_87/ }).count()).toBe(1);
    await hidden.click();
    await expect.poll(() => tiles(visitor).count()).toBe(39);
    await page.getByRole("button", { name: "Show 1 hidden" }).click();
    await expect.poll(() => tiles(visitor).count()).toBe(40);
  });

  it("hides posts with a tag of the tag list", async () => {
    const user = await test.make.user("Member", "olga");
    await using visitor = await begin();
    const { page } = visitor;
    await signIn(visitor, user);
    await page.goto("/");
    await expect.poll(() => tiles(visitor).count()).toBe(40);
    await page.getByRole("button", { name: "Hide posts with harbour" }).click();
    await page.getByText("Posts with harbour are hidden.").waitFor();
    await expect.poll(() => tiles(visitor).count()).toBeLessThan(30);
    const { blacklisted_tags: lines } = (await user.client.get("/profile.json")).json;
    expect((lines as string).split("\n").at(-1)).toBe("harbour");
  });

  it("hides posts with two tags although the second is chosen before the first is saved", async () => {
    const user = await test.make.user("Member", "oda");
    await using visitor = await begin();
    const { page } = visitor;
    await signIn(visitor, user);
    await page.goto("/");
    await expect.poll(() => tiles(visitor).count()).toBe(40);
    const buttons = page.getByRole("button", { name: /^Hide posts with/ });
    const lines = async () => String((await user.client.get("/profile.json")).json.blacklisted_tags).split("\n");
    const before = await lines();
    const resume = await held(page, "SaveBlacklist");
    await buttons.nth(0).click();
    await buttons.nth(1).click();
    resume();
    await expect.poll(async () => (await lines()).length - before.length).toBe(2);
  });

  it("says on a phone that posts are hidden, above the drawer of tags", async () => {
    const user = await test.make.user("Member", "rosa");
    await using visitor = await begin(PHONE);
    const { page } = visitor;
    await signIn(visitor, user);
    await page.goto("/");
    await page.getByRole("button", { name: "Tags", exact: true }).click();
    await page.getByRole("button", { name: "Hide posts with harbour" }).click();
    const message = page.getByText("Posts with harbour are hidden.");
    await message.waitFor();
    expect(await message.evaluate((each) => each.matches(":popover-open"))).toBe(true);
    expect(await page.locator("#tags").evaluate((each) => each.matches(":popover-open"))).toBe(true);
  });

  it("edits several selected posts at once, and reports which were refused", async () => {
    const user = await test.make.user("Member", "petra");
    await using visitor = await begin();
    const { page, faults } = visitor;
    await signIn(visitor, user);
    await page.goto("/posts?tags=harbour");
    await page.getByRole("button", { name: "Select", exact: true }).click();
    const boxes = page.getByRole("checkbox", { name: /^Post \d+:/ });
    const chosen = [];
    for (const index of [0, 2, 3]) {
      await boxes.nth(index).click();
      chosen.push(Number(/\d+/.exec((await boxes.nth(index).getAttribute("aria-label")) ?? "")?.[0]));
    }
    await page.getByText("3 posts selected").waitFor();
    const form = page.getByRole("form", { name: "Edit the selected posts" });
    await form.getByRole("combobox").fill("chosen_one -general_90 ");
    await form.getByRole("button", { name: "Edit 3 posts" }).click();
    await page.getByText("3 posts edited.").waitFor();
    for (const id of chosen) {
      const { json } = await test.anonymous.get(`/posts/${id}.json`);
      expect(json.tag_string).toMatch(/\bchosen_one\b/);
      expect(json.tag_string).not.toMatch(/general_90/);
    }
    const [first = 0] = chosen;
    await test.board.database.post.update({ where: { id: first }, data: { isRatingLocked: true } });
    await form.getByRole("button", { name: "Select page" }).click();
    await page.getByText("30 posts selected").waitFor();
    await form.getByRole("combobox").fill("rating:q");
    await form.getByRole("button", { name: "Edit 30 posts" }).click();
    await page.getByText("29 posts edited.").waitFor();
    await expect
      .poll(() => form.getByRole("listitem").allTextContents())
      .toEqual([`Rating is locked. (post ${first})`]);
    await page.getByText("1 post selected").waitFor();
    await form.getByRole("combobox").fill("not_yet");
    await form.getByRole("button", { name: "Done" }).click();
    await expect.poll(() => tiles(visitor).count()).toBe(30);
    await page.getByRole("button", { name: "Select", exact: true }).click();
    await expect.poll(() => form.getByRole("combobox").inputValue()).toBe("not_yet");
    expect(faults).toEqual([]);
  });

  it("offers to select posts only where there are some", async () => {
    const user = await test.make.user("Member", "paula");
    await using visitor = await begin();
    const { page } = visitor;
    await signIn(visitor, user);
    const select = page.getByRole("button", { name: "Select", exact: true });
    await page.goto("/posts?tags=harbour");
    await select.waitFor();
    await page.goto("/posts?tags=harbour+-harbour");
    await page.getByRole("heading", { name: "Nothing found" }).waitFor();
    expect(await select.count()).toBe(0);
  });

  it("keeps posts selected that are chosen while others are edited", async () => {
    const user = await test.make.user("Member", "pavel");
    await using visitor = await begin();
    const { page } = visitor;
    await signIn(visitor, user);
    await page.goto("/posts?tags=hills");
    await page.getByRole("button", { name: "Select", exact: true }).click();
    const boxes = page.getByRole("checkbox", { name: /^Post \d+:/ });
    await boxes.nth(0).click();
    const form = page.getByRole("form", { name: "Edit the selected posts" });
    await form.getByRole("combobox").fill("edited_first ");
    const resume = await held(page, "EditMany");
    await form.getByRole("button", { name: "Edit 1 post" }).click();
    await boxes.nth(1).click();
    resume();
    await page.getByText("1 post edited.").waitFor();
    await page.getByText("1 post selected").waitFor();
    await expect.poll(() => boxes.nth(1).isChecked()).toBe(true);
    expect(await boxes.nth(0).isChecked()).toBe(false);
  });

  it("lets posts be selected by keys alone", async () => {
    const user = await test.make.user("Member", "quinn");
    await using visitor = await begin();
    const { page } = visitor;
    await signIn(visitor, user);
    await page.goto("/");
    await expect.poll(() => tiles(visitor).count()).toBe(40);
    const isOn = (index: number) =>
      expect
        .poll(() =>
          page
            .locator(".Tile-link")
            .nth(index)
            .evaluate((each) => each === document.activeElement),
        )
        .toBe(true);
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("1 post selected").waitFor();
    await isOn(0);
    await page.keyboard.press("j");
    await isOn(1);
    await page.keyboard.press("x");
    await page.getByText("2 posts selected").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => tiles(visitor).count()).toBe(40);
  });

  it("keeps the focus at a hidden tile that is shown, and at a selected one when selecting ends", async () => {
    const user = await test.make.user("Member", "tilda");
    await user.client.put(`/users/${user.id}.json`, { user: { blacklisted_tags: "general_70\ngeneral_69" } });
    await using visitor = await begin();
    const { page } = visitor;
    await signIn(visitor, user);
    await page.goto("/");
    const isIn = (selector: string) =>
      expect.poll(() => page.evaluate((each) => document.activeElement?.matches(each), selector)).toBe(true);
    await page.getByRole("button", { name: /is hidden by general_70/ }).press("Enter");
    await isIn('.Tile[data-id="70"] a');
    await page.getByRole("button", { name: "Show 1 hidden" }).press("Enter");
    await isIn("#posts");
    await page.locator('.Tile[data-id="70"] a').press("x");
    await isIn('.Tile[data-id="70"] button');
    await page.keyboard.press("Escape");
    await isIn('.Tile[data-id="70"] a');
    await page.keyboard.press("x");
    await page.getByRole("button", { name: "Done" }).press("Enter");
    await isIn("#posts");
  });

  it("closes its view options on a click outside of them, without another effect", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await page.getByText("View", { exact: true }).click();
    const last = page.getByLabel("Blurred");
    await last.click();
    await last.waitFor();
    const first = await tiles(visitor).first().boundingBox();
    await page.mouse.click((first?.x ?? 0) + 5, (first?.y ?? 0) + 5);
    await last.waitFor({ state: "hidden" });
    expect(new URL(page.url()).pathname).toBe("/");
  });

  it("closes its view options on Escape, and when the focus goes on to the posts below them", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/posts");
    const view = page.getByText("View", { exact: true });
    await view.press("Enter");
    const last = page.getByLabel("Blurred");
    await last.focus();
    await page.keyboard.press("Escape");
    await last.waitFor({ state: "hidden" });
    expect(await view.evaluate((each) => each === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await last.focus();
    await page.keyboard.press("Tab");
    await last.waitFor({ state: "hidden" });
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("Tile-link");
  });

  it("applies the chosen layout, also in the HTML of the next page", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await page.getByText("View", { exact: true }).click();
    await page.getByLabel("Pictures").selectOption({ label: "Square" });
    await page.getByLabel("Rows").selectOption({ label: "Small" });
    const next = async () => (await page.request.get("/", { headers: { accept: "text/html" } })).text();
    await expect.poll(next).toContain('data-rows="compact" data-tiles="square"');
    const excess = async () => {
      const box = await tiles(visitor).first().boundingBox();
      return Math.abs((box?.width ?? 0) - (box?.height ?? 9));
    };
    await expect.poll(excess).toBeLessThan(1);
  });

  it("applies the chosen colours at once, also to the bars of the browser", async () => {
    await using visitor = await begin({ ...PHONE, colorScheme: "light" });
    const { page } = visitor;
    await page.goto("/");
    await page.getByText("View", { exact: true }).click();
    await page.getByLabel("Colours").selectOption("dark");
    const colours = () =>
      page.locator("meta[name=theme-color]").evaluateAll((all) => all.map((each) => each.getAttribute("content")));
    await expect.poll(colours).toEqual(["rgb(20, 19, 24)", "rgb(20, 19, 24)"]);
    await page.reload();
    expect(await colours()).toEqual(["#141318"]);
  });

  it("blurs pictures of the chosen ratings, also on the next page", async () => {
    for (const rating of ["s", "q", "e"]) await test.make.post("rated", { rating });
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/posts?tags=rated");
    const blurred = () =>
      page
        .locator(".Tile img")
        .evaluateAll((all) => all.map((each) => (getComputedStyle(each).filter === "none" ? "clear" : "blurred")));
    await expect.poll(blurred).toEqual(["clear", "clear", "clear"]);
    await page.getByText("View", { exact: true }).click();
    await page.getByLabel("Blurred").selectOption({ label: "Explicit" });
    await expect.poll(blurred).toEqual(["blurred", "clear", "clear"]);
    await page.getByLabel("Blurred").selectOption({ label: "All but safe" });
    await expect.poll(blurred).toEqual(["blurred", "blurred", "clear"]);
    await page.goto("/posts?tags=rated+order:id");
    await expect.poll(blurred).toEqual(["clear", "blurred", "blurred"]);
  });

  it("blurs and hides posts everywhere: in the strip of a post, and in histories", async () => {
    const user = await test.make.user("Member", "pina");
    await user.client.put(`/users/${user.id}.json`, { user: { blacklisted_tags: "shown_nowhere" } });
    for (const [tags, rating] of [
      ["pictured", "s"],
      ["pictured", "e"],
      ["pictured shown_nowhere", "s"],
    ] as const)
      await test.make.post(tags, { rating });
    await using visitor = await begin();
    const { page, context } = visitor;
    await context.addCookies([{ name: "preferences", value: "auto.medium.shaped.explicit", url: test.url }]);
    await signIn(visitor, user);
    const looks = (of: string) =>
      page.locator(of).evaluateAll((all) =>
        all.map((each) => {
          const picture = each.querySelector("img");
          if (!picture) return "hidden";
          return getComputedStyle(picture).filter === "none" ? "clear" : "blurred";
        }),
      );
    await page.goto("/posts?tags=pictured");
    await page
      .getByRole("link", { name: /^Post .*pictured/ })
      .last()
      .click();
    await expect.poll(() => looks(".Strip-frame")).toEqual(["hidden", "blurred", "clear"]);
    await page.reload();
    await expect.poll(() => looks(".Strip-frame")).toEqual(["hidden", "blurred", "clear"]);
    await page.goto("/post_versions");
    await expect.poll(async () => (await looks(".Version")).slice(0, 3)).toEqual(["hidden", "blurred", "clear"]);
  });

  it("hides the pictures in the strip of a post as soon as a tag of theirs is hidden", async () => {
    const user = await test.make.user("Member", "polly");
    for (const tags of ["paired", "paired later_hidden", "paired later_hidden"]) await test.make.post(tags);
    await using visitor = await begin();
    const { page } = visitor;
    await signIn(visitor, user);
    const pictures = () =>
      page.locator(".Strip-frame").evaluateAll((all) => all.map((each) => each.querySelector("img") !== null));
    await page.goto("/posts?tags=paired");
    await page
      .getByRole("link", { name: /^Post .*paired/ })
      .first()
      .click();
    await expect.poll(pictures).toEqual([true, true, true]);
    await page.getByRole("button", { name: "Hide posts with later hidden" }).click();
    await expect.poll(pictures).toEqual([true, false, true]);
  });

  it("leaves no picture alone in its row, at any screen width", async () => {
    const uploader = await test.make.user("Contributor", "vera");
    const shapes = [
      [64, 64],
      [190, 64],
      [64, 96],
      [300, 60],
      [250, 50],
      [64, 64],
      [200, 50],
      [48, 90],
      [150, 100],
    ] as const;
    for (const [width, height] of shapes)
      await test.make.post("shapes", { file: await test.make.picture(width, height) }, uploader);
    await using visitor = await begin({ viewport: { width: 320, height: 900 } });
    await visitor.page.goto("/posts?tags=shapes");
    await expect.poll(() => tiles(visitor).count()).toBe(shapes.length);
    for (const width of [320, 340, 412, 440, 700, 900, 1000, 1280, 1600]) {
      await visitor.page.setViewportSize({ width, height: 900 }); // rows are laid out by styles alone
      const boxes = await tiles(visitor).evaluateAll((links) =>
        links.map((link) => {
          const { top, right, height } = link.getBoundingClientRect();
          return { top: Math.round(top), right, height: Math.round(height) };
        }),
      );
      const tops = [...new Set(boxes.map(({ top }) => top))];
      const rows = tops.map((top) => {
        const row = boxes.filter((box) => box.top === top);
        const heights = new Set(row.map(({ height }) => height)).size;
        return { tiles: row.length, right: Math.max(...row.map(({ right }) => right)), heights };
      });
      for (const [index, row] of rows.entries()) {
        expect([width, index, row.heights]).toEqual([width, index, 1]);
        if (index === rows.length - 1) continue;
        expect([width, index, row.tiles > 1]).toEqual([width, index, true]);
        expect([width, index, Math.round(row.right)]).toEqual([width, index, Math.round(rows[0]?.right ?? 0)]);
      }
    }
  });

  it("shows the board's error message", async () => {
    await using visitor = await begin();
    await visitor.page.goto(`/posts?tags=${Array.from({ length: 60 }, (_, index) => `tag${index}`).join("+")}`);
    expect(await visitor.page.getByRole("alert").textContent()).toMatch(/40/);
  });

  it("fits a phone, and is accessible on phone and desktop, light and dark", async () => {
    for (const options of [PHONE, { viewport: { width: 1280, height: 800 } }]) {
      await using visitor = await begin(options);
      const { page } = visitor;
      await page.goto("/");
      await expect.poll(() => tiles(visitor).count()).toBe(40);
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(excess).toBeLessThanOrEqual(0);
      await expectAccessible(page);
    }
  });

  it("has room for the names of tags beside its posts on a tablet, and a post beside its picture", async () => {
    const tablet = { ...PHONE, viewport: { width: 1024, height: 768 } };
    await using visitor = await visit(browser, test.url, tablet);
    const { page } = visitor;
    await signIn(visitor, await test.make.user("Member", "torva"));
    const { id } = await test.make.post("lighthouse_keeper");
    for (const path of ["/posts?tags=lighthouse_keeper", `/posts/${id}`]) {
      await page.goto(path);
      const name = page.getByRole("complementary").getByRole("link", { name: "lighthouse keeper", exact: true });
      await expect.poll(async () => [path, (await name.boundingBox())?.height]).toEqual([path, 44]);
    }
  });
});
