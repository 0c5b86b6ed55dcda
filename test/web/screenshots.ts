/** `npm run screenshots [-- NAME...]`: the pictures of the README, taken in Chromium of a new board that has the demo. */
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import sharp from "sharp";
import { openBrowser, PHONE } from "../support/browser.js";
import { ServerProcess } from "../support/server-process.js";

const FOLDER = "docs/screenshots";
const PASSWORD = "for the screenshots alone";

interface Shot {
  name: string;
  path: string;
  options?: BrowserContextOptions;
  /** what is done on the page before its picture is taken */
  prepare?: (page: Page) => Promise<void>;
}

async function chooseFiles(page: Page): Promise<void> {
  await page.getByLabel("Choose files").setInputFiles(["docs/pictures/harbour.jpg", "docs/pictures/hills.jpg"]);
  await page.getByRole("textbox", { name: "Tags for all" }).fill("landscape scenery sky");
  await page.getByRole("textbox", { name: "Tags of harbour.jpg" }).fill("boat sea");
  await page.getByRole("radio", { name: "Safe" }).check();
  for (const text of ["scenery", "boat"])
    await page.getByLabel("What this edit does").getByText(text, { exact: true }).waitFor();
}

const WIDE: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const SHOTS: readonly Shot[] = [
  { name: "gallery", path: "/" },
  { name: "dark", path: "/posts?tags=landscape", options: { colorScheme: "dark" } },
  { name: "post", path: "/posts/39" },
  { name: "upload", path: "/upload", prepare: chooseFiles },
  { name: "phone", path: "/", options: PHONE },
  { name: "phone-post", path: "/posts/39", options: PHONE },
];

async function take(browser: Browser, url: string, { name, path: address, options, prepare }: Shot): Promise<void> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: "reduce", ...WIDE, ...options });
  const page = await context.newPage();
  await page.goto("/login");
  await page.getByLabel("Name").fill("mira");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${url}/`);
  await page.goto(address, { waitUntil: "networkidle" });
  await prepare?.(page);
  const picture = await page.screenshot();
  await sharp(picture)
    .webp({ quality: 80, effort: 6 })
    .toFile(path.join(FOLDER, `${name}.webp`));
  await context.close();
}

async function main(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await using server = await ServerProcess.start();
  const { env, url } = server;
  const run = promisify(execFile);
  await run("npx", ["tsx", "prisma/seed/index.ts", url], { env });
  await run("node", ["dist/src/cli.js", "user", "create", "mira", PASSWORD, "contributor"], { env });
  const browser = await openBrowser();
  try {
    const wanted = process.argv.slice(2);
    for (const shot of SHOTS) if (wanted.length === 0 || wanted.includes(shot.name)) await take(browser, url, shot);
  } finally {
    await browser.close();
  }
}

await main();
