/** docs/front-end/index.html, in a browser: at the board's own address behind a proxy, and at another one. */
import { readFileSync } from "node:fs";
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import path from "node:path";
import { pipeline } from "node:stream";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { noChromium, openBrowser } from "../support/browser.js";
import { ROOT } from "../support/project.js";

const EXAMPLE = readFileSync(path.join(ROOT, "docs/front-end/index.html"), "utf8");
const PICTURE = path.join(ROOT, "docs/pictures/harbour.jpg");

/** A site that has the example at `/`, and beside it, when there is one, the board. */
class Site implements AsyncDisposable {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async open(board?: URL): Promise<Site> {
    const server = createServer((incoming, response) => {
      if (incoming.url?.split("?")[0] === "/") response.setHeader("Content-Type", "text/html").end(EXAMPLE);
      else if (!board) response.writeHead(404).end();
      else {
        const { method, headers, url } = incoming;
        const forwarded = request(new URL(url ?? "/", board), { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          pipeline(answer, response, () => undefined);
        });
        forwarded.on("error", () => response.destroy());
        pipeline(incoming, forwarded, () => undefined);
      }
    });
    if (board)
      server.on("upgrade", (incoming: IncomingMessage, socket: Socket) => joinSockets(board, incoming, socket));
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    return new Site(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }
}

function joinSockets(board: URL, { method, url, rawHeaders }: IncomingMessage, socket: Socket): void {
  const upstream = connect(Number(board.port), board.hostname);
  const headers = rawHeaders.map((each, index) => (index % 2 ? `${each}\r\n` : `${each}: `)).join("");
  upstream.write(`${method} ${url} HTTP/1.1\r\n${headers}\r\n`);
  pipeline(upstream, socket, upstream, () => undefined);
}

describe.skipIf(noChromium !== null)(`the example of a front end${noChromium ? ` (${noChromium})` : ""}`, () => {
  let test: TestBoard;
  let browser: Browser;
  beforeAll(async () => {
    test = await startBoard();
    await test.make.post("harbour boat");
    await test.make.post("hills");
    browser = await openBrowser();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const pictures = (page: Page) => page.getByRole("listitem").getByRole("img");
  async function signIn(page: Page, label: string, name: string, secret: string): Promise<void> {
    await page.getByLabel("Name").fill(name);
    await page.getByLabel(label).fill(secret);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText(`Signed in as ${name}`).waitFor();
  }
  async function upload(page: Page, file: string, tags: string): Promise<void> {
    await page.getByLabel("File").setInputFiles(file);
    await page.locator("#upload").getByLabel("Tags").fill(tags);
    await page.getByRole("button", { name: "Upload" }).click();
  }

  /** How many subscriptions a page has begun so far. */
  function subscriptionsOf(page: Page): () => number {
    let count = 0;
    page.on("websocket", (socket) => {
      socket.on("framesent", ({ payload }) => void (count += String(payload).includes('"subscribe"') ? 1 : 0));
    });
    return () => count;
  }

  it("has about a hundred lines of code", () => {
    const program = /<script type="module">\n([^]*)<\/script>/.exec(EXAMPLE)?.[1]?.split("\n") ?? [];
    expect(program.length).toBeGreaterThan(50);
    expect(program.length).toBeLessThanOrEqual(110);
  });

  it("searches, signs in by password, stays signed in, and uploads on the board's own origin", async () => {
    const user = await test.make.user("Contributor", "mira");
    await using site = await Site.open(new URL(test.url));
    const context = await browser.newContext();
    const page = await context.newPage();
    const subscriptions = subscriptionsOf(page);
    await page.goto(site.url);
    await expect.poll(() => pictures(page).count()).toBe(2);
    await expect.poll(subscriptions).toBe(1);
    await page.getByLabel("Tags").first().fill("harbour");
    await page.getByRole("button", { name: "Search" }).click();
    await expect.poll(() => pictures(page).count()).toBe(1);
    await signIn(page, "Password", "mira", user.password);
    await expect.poll(subscriptions).toBe(2);
    await page.reload();
    await page.getByText("Signed in as mira").waitFor();
    await expect.poll(subscriptions).toBe(3);
    await upload(page, PICTURE, "harbour sunset");
    await page.getByText("This is post 3").waitFor();
    await expect.poll(() => pictures(page).first().getAttribute("alt")).toBe("harbour sunset"); // by subscription
    await upload(page, PICTURE, "harbour sunset");
    await page.getByText("duplicate").waitFor();
    await context.close();
  });

  it("does the same on another origin by API key", async () => {
    const user = await test.make.user("Contributor", "béla_ベラ");
    await using site = await Site.open();
    const context = await browser.newContext();
    const page = await context.newPage();
    const subscriptions = subscriptionsOf(page);
    await page.goto(`${site.url}/?board=${encodeURIComponent(test.url)}`);
    await page.getByText("Tags").first().waitFor();
    await signIn(page, "API key", user.name, user.apiKey);
    await expect.poll(subscriptions).toBe(1);
    await upload(page, path.join(ROOT, "docs/pictures/hills.jpg"), "hills meadow");
    await page.getByText(/This is post \d/).waitFor();
    await expect.poll(() => pictures(page).first().getAttribute("alt")).toBe("hills meadow");
    await page.getByLabel("Tags").first().fill("meadow");
    await page.getByRole("button", { name: "Search" }).click();
    await expect.poll(() => pictures(page).count()).toBe(1);
    await context.close();
  });
});
