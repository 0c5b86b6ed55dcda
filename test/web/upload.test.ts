/** Uploading as people do it: dropped, pasted, chosen and by URL, many at once, and with a draft that is kept. */
import { rm } from "node:fs/promises";
import type { Browser, FileChooser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import {
  DESKTOP,
  expectAccessible,
  noChromium,
  openBrowser,
  PHONE,
  signIn,
  visit,
  type Visitor,
} from "../support/browser.js";
import type { TestUser } from "../support/factory.js";
import { Folder } from "../support/folder.js";
import { jpeg, webp } from "../support/pictures.js";
import { answered, focusedIn, held } from "./in-page.js";
import { serving, type Site, startSite } from "../support/site.js";

interface Named {
  name: string;
  content: Buffer;
  type?: string;
}

describe.skipIf(noChromium !== null)(`uploading${noChromium ? ` (${noChromium})` : ""}`, () => {
  let site: Site;
  let test: TestBoard;
  let browser: Browser;
  let user: TestUser;
  let serial = 77_000;
  beforeAll(async () => {
    site = await startSite();
    test = await startBoard({ SOURCE_ALLOW_HOSTS: site.host, MAX_UPLOAD_BYTES: "3000000" });
    user = await test.make.user("Contributor", "mira");
    await test.make.post("harbour artist:mira_b");
    browser = await openBrowser();
  });
  afterAll(async () => {
    await test[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  async function begin(who: TestUser | null = user, device: object = DESKTOP, url = test.url): Promise<Visitor> {
    const visitor = await visit(browser, url, device);
    const { page } = visitor;
    if (!who) return visitor;
    await signIn(visitor, who);
    await page.goto("/upload");
    await page.getByRole("heading", { name: "Upload" }).waitFor();
    return visitor;
  }
  const picture = (name: string, size = 300): Promise<Named> =>
    jpeg({ width: size, height: size, seed: (serial += 1) }).then((content) => ({ name, content }));

  /** Drops or pastes files, as the browser does it. */
  const bring = (page: Page, kind: "drop" | "paste", files: readonly Named[]) =>
    page.evaluate(
      ([event, list]) => {
        const data = new DataTransfer();
        for (const { name, text, type } of list) {
          const content = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
          data.items.add(new File([content], name, { type }));
        }
        const init = { bubbles: true, cancelable: true };
        document.body.dispatchEvent(
          event === "drop"
            ? new DragEvent("drop", { ...init, dataTransfer: data })
            : new ClipboardEvent("paste", { ...init, clipboardData: data }),
        );
      },
      [
        kind,
        files.map(({ name, content, type = "image/jpeg" }) => ({ name, text: content.toString("base64"), type })),
      ] as const,
    );
  const row = (page: Page, name: string) => page.getByRole("listitem", { name, exact: true });
  const post = (page: Page) => page.getByRole("button", { name: /^Post/ }).click();
  const rated = (page: Page, rating: string) => page.getByRole("radio", { name: rating }).check();
  const postOf = async (page: Page, name: string): Promise<Record<string, unknown>> => {
    const link = row(page, name).getByRole("link", { name: /^post \d+$/ });
    return (await test.anonymous.get(`${(await link.getAttribute("href")) ?? ""}.json`)).json;
  };

  it("accepts five dropped files, one of them a duplicate, with progress, two at a time; and a sixth that is pasted", async () => {
    await using visitor = await begin();
    const { page, faults } = visitor;
    const known = await picture("known.jpg");
    const { id } = await test.make.post("harbour", { file: new Blob([new Uint8Array(known.content)]) });
    const files = await Promise.all(["a.jpg", "b.jpg", "c.jpg", "d.jpg"].map((name) => picture(name)));
    // large enough to be seen on its way
    files[0] = { name: "a.jpg", content: Buffer.concat([files[0]?.content ?? Buffer.of(), Buffer.alloc(400_000)]) };
    await bring(page, "drop", [...files, known]);
    await expect.poll(() => page.getByRole("listitem").count()).toBe(5);
    const thumbnail = row(page, "b.jpg").locator("img");
    expect(await thumbnail.evaluate((each: HTMLImageElement) => each.decode().then(() => each.naturalWidth))).toBe(300);
    expect(await thumbnail.getAttribute("src")).toMatch(/^blob:/);
    // the duplicate is known before anything is sent
    const link = row(page, "known.jpg").getByRole("link", { name: `post ${id}` });
    await link.waitFor();
    expect(await link.getAttribute("href")).toBe(`/posts/${id}`);

    await page.getByRole("textbox", { name: "Tags for all" }).fill("upload_test hills");
    await page.getByRole("textbox", { name: "Tags of b.jpg" }).fill("boat");
    await row(page, "c.jpg").getByLabel("Rating of c.jpg").selectOption("Explicit");
    await row(page, "d.jpg").getByLabel("Parent of d.jpg").fill(String(id));
    await row(page, "d.jpg").getByLabel("Source of d.jpg").fill("a drawer");
    await rated(page, "Questionable");
    const cdp = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 150_000 };
    await cdp.send("Network.emulateNetworkConditions", slow);
    const seen = await page.evaluateHandle(() => {
      const parts: number[] = [];
      const atOnce: number[] = [];
      new MutationObserver(() => {
        const bars = [...document.querySelectorAll("progress")];
        atOnce.push(bars.length);
        const first = bars.find((bar) => bar.getAttribute("aria-label") === "Progress of a.jpg");
        if (first?.hasAttribute("value")) parts.push(first.value); // it has none while the board makes the post
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
      // the draft is stored when an upload begins and ends, not at each step
      const stored: string[] = [];
      const setItem: (this: Storage, key: string, value: string) => void = Reflect.get(Storage.prototype, "setItem");
      Storage.prototype.setItem = function set(key, value) {
        if (this === localStorage) stored.push(key);
        setItem.call(this, key, value);
      };
      return { parts, atOnce, stored };
    });
    await post(page);
    await page.getByText("4 posted, 1 already on the board", { exact: true }).waitFor();
    const { parts, atOnce, stored } = await seen.jsonValue();
    // as often as an item changes: it waits, is sent, is with the board, is posted
    expect(stored.length).toBeLessThanOrEqual(4 * 4);
    expect(Math.max(...atOnce)).toBe(2);
    expect(parts.filter((part) => part > 0 && part < 1).length).toBeGreaterThan(1);
    expect(parts).toEqual(parts.toSorted((one, other) => one - other));
    const made = await Promise.all(["a.jpg", "b.jpg", "c.jpg", "d.jpg"].map((name) => postOf(page, name)));
    expect(made.map(({ tag_string: tags, rating }) => [String(tags).replace(" lowres", ""), rating])).toEqual([
      ["hills upload_test", "q"],
      ["boat hills upload_test", "q"],
      ["hills upload_test", "e"],
      ["hills upload_test", "q"],
    ]);
    expect(made.map(({ parent_id: parent, source }) => [parent, source])).toEqual([
      [null, ""],
      [null, ""],
      [null, ""],
      [id, "a drawer"],
    ]);
    await cdp.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: -1 });

    await bring(page, "paste", [await picture("pasted.jpg")]);
    await row(page, "pasted.jpg").waitFor();
    await page.getByRole("button", { name: "Post 1 file" }).click();
    await page.getByText("5 posted, 1 already on the board", { exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "Your uploads" }).getAttribute("href")).toBe("/posts?tags=user%3Amira");
    await page.getByRole("button", { name: "Clear the list" }).click();
    const listed = page.getByRole("list", { name: "Files to upload" });
    await expect.poll(() => listed.getByRole("listitem").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("accepts a file by URL, and shows an error beside it; a retry works", async () => {
    const content = await jpeg({ width: 320, height: 200, seed: (serial += 1) });
    await using visitor = await begin();
    const { page, faults } = visitor;
    const address = `${site.url}/harbour.jpg`;
    await page.getByLabel("File URL").fill("harbour");
    await page.getByRole("button", { name: "Add" }).click();
    await expect.poll(() => page.getByRole("alert").innerText()).toBe("This is not a web address.");
    await page.getByLabel("File URL").fill(address);
    await page.keyboard.press("Enter");
    await row(page, address).waitFor();
    expect(await page.getByRole("status").filter({ hasText: "1 file to post" }).count()).toBe(1);
    await rated(page, "Safe");
    await post(page);
    expect(await row(page, address).getByRole("alert").innerText()).toMatch(/^Source /);
    site.pages.set("/harbour.jpg", serving(content));
    await row(page, address).getByRole("button", { name: "Try again" }).click();
    await row(page, address).getByText("Posted as").waitFor();
    expect(await postOf(page, address)).toMatchObject({ source: address, image_width: 320, rating: "s" });
    const shown = row(page, address).locator("img");
    expect(await shown.evaluate((each: HTMLImageElement) => each.decode().then(() => each.complete))).toBe(true);
    expect(faults).toEqual([]);
  });

  it("accepts the URLs of several lines: pasted, and dropped", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.getByLabel("File URL").waitFor();
    const addresses = [1, 2, 3, 4].map((number) => `${site.url}/line${number}.jpg`);
    const take = (type: "text/plain" | "text/uri-list", text: string) =>
      page.evaluate(
        ([kind, lines]) => {
          const data = new DataTransfer();
          data.setData(kind, lines);
          const how = { bubbles: true, cancelable: true };
          document.body.dispatchEvent(
            kind === "text/plain"
              ? new ClipboardEvent("paste", { ...how, clipboardData: data })
              : new DragEvent("drop", { ...how, dataTransfer: data }),
          );
        },
        [type, text] as const,
      );
    await take("text/plain", `${addresses[0]}\n${addresses[1]}\n`);
    await take("text/uri-list", `# two pictures\r\n${addresses[2]}\r\n${addresses[3]}\r\n`);
    for (const address of addresses) await row(page, address).waitFor();
  });

  it("accepts a file by the URL in a link, also after signing in, and only once", async () => {
    const address = `${site.url}/linked.jpg`;
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    await page.goto(`/upload?url=${encodeURIComponent(address)}`);
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Name").fill(user.name);
    await page.getByLabel("Password").fill(user.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await row(page, address).waitFor();
    await page.getByRole("button", { name: `Remove ${address}` }).click();
    await page.getByRole("link", { name: "Graphbooru" }).click();
    await page.waitForURL(`${test.url}/`);
    await page.goBack();
    await page.getByRole("heading", { name: "Upload" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Post", exact: true }).waitFor();
    expect(await row(page, address).count()).toBe(0);
  });

  it("can't be cancelled once the board creates the post; leaving is confirmed on other pages too", async () => {
    site.pages.set("/sent.jpg", serving((await picture("sent.jpg")).content));
    await using visitor = await begin();
    const { page } = visitor;
    await page.getByLabel("File URL").fill(`${site.url}/sent.jpg`);
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Tags for all" }).fill("sent_test");
    await rated(page, "Safe");
    const resume = await held(page, "Upload");
    await post(page);
    await page.getByText("Processing").waitFor();
    expect(await page.getByRole("button", { name: /^Cancel/ }).isDisabled()).toBe(true);
    const asks = () => page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
    expect(await asks()).toBe(true);
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page.waitForURL(`${test.url}/posts`);
    expect(await asks()).toBe(true);
    resume();
    await expect.poll(asks).toBe(false);
  });

  it.each([
    ["stalls while it is sent", "0 %"],
    ["is never answered", "Processing"],
  ])("that %s ends with a message, and can be tried again", async (_, status) => {
    const file = await picture("patient.jpg");
    let sent = 0;
    site.pages.set("/never", (request) => void request.on("end", () => (sent += 1)).resume());
    await using visitor = await begin();
    const { page } = visitor;
    await page.clock.install();
    await page.reload();
    await page.getByRole("textbox", { name: "Tags for all" }).fill("patient_test");
    await rated(page, "Safe");
    await bring(page, "drop", [file]);
    const isUpload = (url: URL) => url.pathname === "/graphql";
    await page.route(isUpload, (route) => {
      if (!route.request().headers()["content-type"]?.startsWith("multipart/")) return route.continue();
      return status === "Processing" ? route.continue({ url: `${site.url}/never` }) : void (sent += 1);
    });
    await post(page);
    await row(page, file.name).getByText(status).waitFor();
    await expect.poll(() => sent).toBe(1);
    await page.clock.runFor(121_000);
    await row(page, file.name).getByText("The board cannot be reached.").waitFor();
    await page.unroute(isUpload);
    await row(page, file.name).getByRole("button", { name: "Try again" }).click();
    await row(page, file.name)
      .getByRole("link", { name: /^post \d+$/ })
      .waitFor();
  });

  it("files posted without a connection wait for it, and are then posted", async () => {
    await using visitor = await begin();
    const { page, context } = visitor;
    await page.getByRole("textbox", { name: "Tags for all" }).fill("tunnel_test");
    await rated(page, "Safe");
    const files = [await picture("one.jpg"), await picture("two.jpg"), await picture("three.jpg")];
    await bring(page, "drop", files);
    await row(page, "three.jpg").waitFor();
    await context.setOffline(true);
    const failed = page.waitForEvent("requestfailed");
    await post(page);
    await failed;
    for (const { name } of files) await row(page, name).getByText("Waiting").waitFor();
    await context.setOffline(false);
    await page.getByText("3 posted", { exact: true }).waitFor();
  });

  it("links to the post of a duplicate, also if only the board detects it", async () => {
    const [known, meanwhile] = [await picture("known.jpg"), await picture("meanwhile.jpg")];
    const content = ({ content: bytes }: Named) => new Blob([new Uint8Array(bytes)]);
    const first = await test.make.post("harbour", { file: content(known) });
    site.pages.set("/known.jpg", serving(known.content));
    await using visitor = await begin();
    const { page } = visitor;
    const address = `${site.url}/known.jpg`;
    await page.getByLabel("File URL").fill(address);
    await page.keyboard.press("Enter");
    const looked = answered(page, "FindFile");
    await bring(page, "drop", [meanwhile]);
    await looked;
    await rated(page, "Safe");
    const second = await test.make.post("harbour", { file: content(meanwhile) });
    await post(page);
    for (const [name, { id }] of [
      [address, first],
      ["meanwhile.jpg", second],
    ] as const) {
      await row(page, name).getByText("Already on the board").waitFor();
      const link = row(page, name).getByRole("link", { name: `post ${id}` });
      expect(await link.getAttribute("href")).toBe(`/posts/${id}`);
    }
  });

  it("shows the board's error beside each refused file, and posts the others", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    const large = { name: "large.jpg", content: Buffer.alloc(3_000_001) };
    const text = { name: "text.jpg", content: Buffer.from("no picture at all") };
    await bring(page, "drop", [text, large, await picture("sound.jpg")]);
    expect(await row(page, "large.jpg").getByRole("alert").innerText()).toBe(
      "The file is larger than 2.9 MB, the limit of the board.",
    );
    await rated(page, "Safe");
    await row(page, "large.jpg").getByRole("button", { name: "Remove large.jpg" }).click();
    await post(page);
    await row(page, "sound.jpg").getByText("Posted as").waitFor();
    expect(await row(page, "text.jpg").getByRole("alert").innerText()).toMatch(/^File is not a supported file type/);
  });

  it("marks the field of a file that the board refuses, and never forgets a parent that is no number", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await bring(page, "drop", [await picture("child.jpg")]);
    await rated(page, "Safe");
    const parent = page.getByRole("textbox", { name: "Parent of child.jpg" });
    await parent.fill("the first");
    await post(page);
    await expect.poll(() => parent.evaluate((each: HTMLInputElement) => each.validity.patternMismatch)).toBe(true);
    await parent.fill("9".repeat(30));
    await post(page);
    expect(await row(page, "child.jpg").getByRole("alert").innerText()).toBe("Parent does not exist.");
    expect(await parent.getAttribute("aria-invalid")).toBe("true");
    await parent.fill("");
    const tags = page.getByRole("textbox", { name: "Tags of child.jpg" });
    await tags.fill("x".repeat(171));
    await post(page);
    await expect.poll(() => tags.getAttribute("aria-invalid")).toBe("true");
    await tags.fill("child");
    await post(page);
    await row(page, "child.jpg").getByText("Posted as").waitFor();
  });

  it("shows which tags are new, aliased or refused before posting, for all files and for each", async () => {
    await test.make.post("skyline");
    await using visitor = await begin();
    const { page } = visitor;
    await bring(page, "drop", [await picture("typed.jpg")]);
    await page.getByRole("textbox", { name: "Tags for all" }).fill("skyline sklyine ");
    const common = page.getByRole("region", { name: "For all files" }).getByLabel("What this edit does");
    await expect.poll(() => common.getByRole("listitem").allTextContents()).toEqual(["sklyine new tag", "skyline 1"]);
    await page.getByRole("textbox", { name: "Tags of typed.jpg" }).fill("order:score ");
    await row(page, "typed.jpg").getByText("begins with the meta-tag order").waitFor();
    await expectAccessible(page);
  });

  it("refuses files that the board does not accept without sending them", async () => {
    await using visitor = await begin();
    const { page, faults } = visitor;
    const sent: string[] = [];
    page.on("request", (request) => request.method() === "POST" && sent.push(request.postData() ?? ""));
    await bring(page, "drop", [
      { name: "README.md", content: Buffer.from("# Words"), type: "text/markdown" },
      { name: "notes", content: Buffer.from("words"), type: "text/plain" },
      await picture("boat.JPEG"),
      { ...(await picture("pasted")), type: "image/jpeg" },
    ]);
    for (const name of ["README.md", "notes"]) {
      expect(await row(page, name).getByRole("alert").innerText()).toMatch(
        /^The board accepts jpg, .*; this is another type of file\.$/,
      );
      expect(await row(page, name).getByRole("button", { name: "Try again" }).count()).toBe(0);
    }
    await rated(page, "Safe");
    await page.getByRole("button", { name: "Post 2 files" }).click();
    for (const name of ["boat.JPEG", "pasted"]) await row(page, name).getByText("Posted as").waitFor();
    expect(sent.filter((body) => /# Words|README|"notes"/.test(body))).toEqual([]);
    await page.reload();
    await page.getByRole("heading", { name: "Upload" }).waitFor();
    expect(await page.getByText("Your draft for").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("a file that was removed since it was chosen is refused with the reason, and does not stop the others", async () => {
    await using folder = await Folder.make();
    await using visitor = await begin();
    const { page } = visitor;
    const files = await Promise.all(["gone.jpg", "first.jpg", "second.jpg", "third.jpg"].map((name) => picture(name)));
    const paths = await Promise.all(files.map(({ name, content }) => folder.write(name, content)));
    await page.locator("[type=file]").setInputFiles(paths);
    await page.getByRole("textbox", { name: "Tags for all" }).fill("harbour");
    await rated(page, "Safe");
    await rm(folder.at("gone.jpg"));
    await post(page);
    const reason = "This file can't be read: it was changed or removed since it was chosen, or is a folder.";
    await row(page, "gone.jpg").getByRole("alert").filter({ hasText: reason }).waitFor();
    for (const name of ["first.jpg", "second.jpg", "third.jpg"]) await row(page, name).getByText("Posted as").waitFor();
  });

  it("never runs a file that is an HTML page", async () => {
    await using visitor = await begin();
    const { page, faults } = visitor;
    const script = "globalThis.hasRun = true";
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"><script>${script}</script></svg>`;
    const html = `<!doctype html><script>${script}</script>`;
    await bring(page, "drop", [
      { name: "a.svg", content: Buffer.from(svg), type: "image/svg+xml" },
      { name: "a.html", content: Buffer.from(html), type: "text/html" },
      { name: "a.gif", content: Buffer.from(html), type: "video/mp4" },
    ]);
    await row(page, "a.gif").waitFor();
    await rated(page, "Safe");
    await post(page);
    await page.getByText("3 refused", { exact: true }).waitFor();
    expect(await page.evaluate(() => (globalThis as { hasRun?: boolean }).hasRun)).toBeUndefined();
    expect(faults).toEqual([]);
  });

  it("counts down to the next attempt over the limit, and sends nothing until then", async () => {
    await using strict = await startBoard({ UPLOADS_PER_DAY: "1" });
    await using visitor = await begin(await strict.make.user("Member", "noa"), DESKTOP, strict.url);
    const { page } = visitor;
    await bring(page, "drop", await Promise.all(["a.jpg", "b.jpg", "c.jpg"].map((name) => picture(name))));
    await page.getByText("Your uploads need approval.").waitFor();
    await rated(page, "Safe");
    await post(page);
    await page.getByText(/^1 posted, \d refused$/).waitFor();
    const refused = page.getByRole("alert").first();
    expect(await refused.innerText()).toBe("Daily limit of 1 pending upload exceeded.");
    const again = page.getByRole("button", { name: /^Try again in 24 hours$/ }).first();
    await expect.poll(() => again.isDisabled()).toBe(true);
    expect(await strict.board.database.post.count()).toBe(1);
  });

  it("keeps the draft across a reload; the files are chosen again", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    const file = await picture("draft.jpg");
    await bring(page, "drop", [file]);
    await page.getByRole("textbox", { name: "Tags for all" }).fill("kept_for_all");
    await page.getByRole("textbox", { name: "Tags of draft.jpg" }).fill("kept_for_one");
    await rated(page, "Explicit");
    const address = "https://example.com/later.png";
    await page.getByLabel("File URL").fill(address);
    await page.getByRole("button", { name: "Add" }).click();
    await page.reload();
    await row(page, address).waitFor();
    await expect.poll(() => page.getByRole("textbox", { name: "Tags for all" }).inputValue()).toBe("kept_for_all");
    await expect.poll(() => page.getByRole("radio", { name: "Explicit" }).isChecked()).toBe(true);
    expect(await page.getByText(/^Your draft for 1 file is saved/).innerText()).toContain("draft.jpg");
    await bring(page, "drop", [file]);
    await expect.poll(() => page.getByRole("textbox", { name: "Tags of draft.jpg" }).inputValue()).toBe("kept_for_one");
    await expect.poll(() => page.getByText(/^Your draft for/).count()).toBe(0);
    await page.getByRole("button", { name: `Remove ${address}` }).click();
    await post(page);
    await row(page, "draft.jpg").getByText("Posted as").waitFor();
    expect((await postOf(page, "draft.jpg")).tag_string).toMatch(/kept_for_all kept_for_one/);
    // what is posted is no draft any more, and somebody else's draft is not shown
    await page.reload();
    await page.getByRole("heading", { name: "Upload" }).waitFor();
    expect(await page.getByRole("listitem").count()).toBe(0);
  });

  it("keeps the draft of each tab, and shows that of a closed one in the next", async () => {
    await using visitor = await begin(await test.make.user("Contributor", "tabea"));
    const { page: first, context } = visitor;
    const all = (page: Page) => page.getByRole("textbox", { name: "Tags for all" });
    const open = async () => {
      const page = await context.newPage();
      await page.goto("/upload");
      await all(page).waitFor();
      return page;
    };
    await all(first).fill("of_the_first");
    const second = await open();
    expect(await all(second).inputValue()).toBe("");
    await all(second).fill("of_the_second");
    await all(first).fill("of_the_first more");
    await first.reload();
    await expect.poll(() => all(first).inputValue()).toBe("of_the_first more");
    await second.reload();
    await expect.poll(() => all(second).inputValue()).toBe("of_the_second");
    await second.close();
    const third = await open();
    await expect.poll(() => all(third).inputValue()).toBe("of_the_second");
    await all(first).fill("");
    await first.reload();
    await all(first).waitFor();
    expect(await all(first).inputValue()).toBe("");
  });

  it("interrupted by a reload: what arrived is linked, the other files are chosen again with their drafts", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    page.on("dialog", (dialog) => void dialog.accept().catch(() => undefined)); // whether to leave the page
    const [arrived, cut] = [await picture("arrived.jpg"), await picture("cut.jpg")];
    await bring(page, "drop", [arrived, cut]);
    await page.getByRole("textbox", { name: "Tags of cut.jpg" }).fill("kept_for_cut");
    await rated(page, "Safe");
    const draft = () => page.evaluate(() => Object.values(localStorage).join(" "));
    await expect.poll(async () => (await draft()).match(/"md5":"[0-9a-f]{32}"/g)).toHaveLength(2);
    let isHeld = true;
    await page.route("**/graphql", (route) => (isHeld ? undefined : route.continue()));
    await post(page);
    for (const { name } of [arrived, cut])
      await page.getByRole("progressbar", { name: `Progress of ${name}` }).waitFor();
    const { id } = await test.make.post("harbour", { file: new Blob([new Uint8Array(arrived.content)]) }, user);
    isHeld = false; // the requests of before are never sent
    await page.reload();
    await row(page, "arrived.jpg").getByText(`Already on the board as post ${id}`).waitFor();
    const asked = page.getByText(/^Your draft for 1 file is saved\. Choose the same file again/);
    expect(await asked.innerText()).toContain("cut.jpg");
    await bring(page, "drop", [cut]);
    await expect.poll(() => page.getByRole("textbox", { name: "Tags of cut.jpg" }).inputValue()).toBe("kept_for_cut");
    await post(page);
    await row(page, "cut.jpg").getByText("Posted as").waitFor();
    expect((await postOf(page, "cut.jpg")).tag_string).toContain("kept_for_cut");
  });

  it("works by the keyboard alone", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    const opened: FileChooser[] = [];
    page.on("filechooser", (chooser) => opened.push(chooser));
    const { name, content } = await picture("keys.jpg");
    await page.getByLabel("Choose files").focus();
    // until the browser tells of it, which begins some time after somebody listens
    await expect
      .poll(() => page.keyboard.press("Enter").then(() => opened.length), { interval: 500 })
      .toBeGreaterThan(0);
    await opened[0]?.setFiles({ name, mimeType: "image/jpeg", buffer: content });
    await row(page, name).waitFor();
    // on to the address, its button, and the tags for all
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("Tab");
    const tags = page.getByRole("textbox", { name: "Tags for all" });
    await expect.poll(() => tags.evaluate((each) => each === document.activeElement)).toBe(true);
    await page.keyboard.type("har");
    await page.getByRole("option", { name: /harbour/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => tags.inputValue()).toBe("harbour ");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await expect.poll(() => page.getByRole("radio", { name: "Safe" }).isChecked()).toBe(true);
    await page.keyboard.press("Control+Enter");
    await row(page, name).getByText("Posted as").waitFor();
    expect(await postOf(page, name)).toMatchObject({ tag_string: "harbour lowres", rating: "s" });
  });

  it("posts nothing by Ctrl Enter on a link, which opens a tab, or in the search", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    const known = await picture("known.jpg");
    await test.make.post("harbour", { file: new Blob([new Uint8Array(known.content)]) });
    await bring(page, "drop", [known, await picture("a.jpg")]);
    await rated(page, "Safe");
    const elsewhere = [row(page, "known.jpg").getByRole("link"), page.getByRole("combobox", { name: "Search posts" })];
    for (const each of elsewhere) {
      await each.press("Control+Enter");
      await page.getByText("1 file to post").waitFor({ state: "attached" });
    }
    await page.getByRole("radio", { name: "Safe" }).press("Control+Enter");
    await row(page, "a.jpg").getByText("Posted as").waitFor();
  });

  it("keeps the focus when a file is removed, posted ones are cleared, or a draft is discarded", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    const names = ["first.jpg", "second.jpg", "third.jpg"];
    const files = await Promise.all(names.map((name) => picture(name)));
    const focused = (element: Locator) =>
      expect.poll(() => element.evaluate((each) => each === document.activeElement)).toBe(true);
    const remover = (name: string) => page.getByRole("button", { name: `Remove ${name}` });
    const chooser = page.getByLabel("Choose files");
    await bring(page, "drop", files);
    await remover("second.jpg").press("Enter");
    await focused(remover("third.jpg"));
    await page.keyboard.press("Enter");
    await focused(remover("first.jpg"));
    await page.keyboard.press("Enter");
    await focused(chooser);
    expect(await page.getByRole("listitem").count()).toBe(0);
    await bring(page, "drop", files.slice(0, 1));
    await page.getByRole("textbox", { name: "Tags of first.jpg" }).fill("kept");
    await page.reload();
    await page.getByRole("button", { name: "Discard" }).press("Enter");
    await focused(chooser);
    await bring(page, "drop", files.slice(1));
    await rated(page, "Safe");
    await post(page);
    await row(page, "third.jpg").getByText("Posted as").waitFor();
    await row(page, "second.jpg").getByText("Posted as").waitFor();
    await page.getByRole("button", { name: "Clear the list" }).press("Enter");
    await focused(chooser);
    expect(await page.getByRole("listitem").count()).toBe(0);
  });

  it("keeps the focus at a file that is posted by Ctrl Enter in one of its fields", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await bring(page, "drop", [await picture("a.jpg"), await picture("b.jpg")]);
    await rated(page, "Safe");
    await page.getByRole("textbox", { name: "Tags of a.jpg" }).fill("harbour");
    await page.keyboard.press("Control+Enter");
    await page.getByText("2 posted", { exact: true }).waitFor();
    expect(await focusedIn(page)).toBe("a.jpg");
  });

  it("a text that is pasted into a field with a picture of it, as cells of a table are, is text", async () => {
    await using visitor = await begin();
    const { page, context } = visitor;
    await context.grantPermissions(["clipboard-write"]);
    await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(20, 20);
      canvas.getContext("2d");
      const png = await canvas.convertToBlob();
      const [text, html] = ["plain", "html"].map((type) => new Blob(["boat harbour"], { type: `text/${type}` }));
      const copied = { "image/png": png, "text/plain": text as Blob, "text/html": html as Blob };
      await navigator.clipboard.write([new ClipboardItem(copied)]);
    });
    const tags = page.getByRole("textbox", { name: "Tags for all" });
    await tags.focus();
    await page.keyboard.press("Control+v");
    await expect.poll(() => tags.inputValue()).toBe("boat harbour");
    expect(await page.getByRole("list", { name: "Files to upload" }).getByRole("listitem").count()).toBe(0);
  });

  it("is offered to users who may upload; others see why not", async () => {
    await using stranger = await begin(null);
    await stranger.page.goto("/upload");
    const link = stranger.page.getByRole("link", { name: "Sign in" }).last();
    expect(await link.getAttribute("href")).toBe("/login?next=%2Fupload");
    expect(await stranger.page.getByRole("link", { name: "Upload" }).count()).toBe(0);
    await using banned = await begin(await test.make.user("Restricted", "rita"));
    expect(await banned.page.getByRole("alert").innerText()).toContain("Your account may not upload.");
  });

  it("is no longer offered after a ban meanwhile, and goes on with the same files after its end", async () => {
    const [restless, { client }] = [await test.make.user("Contributor", "rhea"), await test.make.user("Moderator")];
    await using visitor = await begin(restless);
    const { page } = visitor;
    await bring(page, "drop", [await picture("late.jpg")]);
    await rated(page, "Safe");
    const asked = { input: { userId: restless.id, reason: "spam" } };
    await client.graphql("mutation($input: BanUserInput!) { banUser(input: $input) { ban { id } } }", asked);
    await post(page);
    await page.getByText("Your account may not upload.").waitFor();
    expect(await row(page, "late.jpg").count()).toBe(0);
    const of = { input: { userId: restless.id } };
    await client.graphql("mutation($input: UnbanUserInput!) { unbanUser(input: $input) { user { id } } }", of);
    await page.getByRole("button", { name: "Try again" }).click();
    await row(page, "late.jpg").getByRole("button", { name: "Try again" }).click();
    await row(page, "late.jpg").getByText("Posted as").waitFor();
  });

  it("is linked from every page; the account links to the uploads", async () => {
    await using visitor = await begin();
    const { page } = visitor;
    await page.goto("/");
    await page.getByRole("link", { name: "Upload", exact: true }).click();
    await page.getByRole("heading", { name: "Upload" }).waitFor();
    await page.waitForURL("**/upload");
    await page.goto("/account");
    const uploads = page.getByRole("link", { name: /uploads$/ });
    await expect.poll(() => uploads.getAttribute("href")).toBe("/posts?tags=user%3Amira");
  });

  it("breaks a long word of a refusal, so that no page is wider than a phone", async () => {
    await using visitor = await begin(user, PHONE);
    const { page } = visitor;
    const beyond = () =>
      page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));
    const word = "w".repeat(180);
    await bring(page, "drop", [await picture("a.jpg")]);
    await rated(page, "Safe");
    await page.getByRole("textbox", { name: "Tags of a.jpg" }).fill(word);
    await post(page);
    await page.getByRole("alert").filter({ hasText: "too long" }).waitFor();
    expect(await beyond()).toBe(0);
    await page.goto(`/posts/${(await test.make.post("harbour", {}, user)).id}`);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const form = page.getByRole("form", { name: "Edit the post" });
    await form.getByRole("textbox", { name: "Tags" }).fill(word);
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText(/^Tags has .* too long/).waitFor();
    expect(await beyond()).toBe(0);
  });

  it.each([
    ["on a desktop", DESKTOP],
    ["on a phone", PHONE],
  ])("has nothing that axe finds fault with, nor anything beyond its width: %s", async (_, device) => {
    await using visitor = await begin(user, device);
    const { page, faults } = visitor;
    const animated = { name: "film.webp", content: await webp({ frames: 2, seed: (serial += 1) }), type: "image/webp" };
    await bring(page, "drop", [animated, { name: "text.jpg", content: Buffer.from("no picture") }]);
    await rated(page, "Safe");
    await expectAccessible(page);
    await post(page);
    await page.getByText("1 posted, 1 refused", { exact: true }).waitFor();
    await expectAccessible(page);
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect([Math.max(beyond, 0), faults]).toEqual([0, []]);
  });
});
