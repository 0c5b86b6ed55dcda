/** A real Chromium, installed on the system. Without one, tests that need it are skipped with a reason. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from "playwright-core";
import { expect } from "vitest";

const installed = (...names: readonly string[]): string | undefined =>
  names.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));
const FULL = installed("chromium", "chromium-browser", "google-chrome");
/** The headless shell has the same engine without an interface, and takes half the processor time. */
const PROGRAM = installed("chromium-headless-shell") ?? FULL;
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Why tests that need Chromium are skipped; null if it is installed. */
export const noChromium = PROGRAM ? null : "no Chromium on this machine";

/** It ends with this process, but not by its signals, which tests emit. */
const UNSIGNALLED = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
const launch = (executablePath = "chromium", options: LaunchOptions = {}): Promise<Browser> =>
  chromium.launch({ executablePath, ...UNSIGNALLED, ...options, args: [...FLAGS, ...(options.args ?? [])] });

let shared: Promise<Browser> | undefined;

/** One for all files of a worker, with which it ends: its contexts have nothing in common, and starting it takes as long as three of them. */
export async function openBrowser(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = launch(PROGRAM);
  return shared as Promise<Browser>;
}

/** One of its own, to be closed. @param args further arguments of the program */
export const openBrowserWith = (...args: string[]): Promise<Browser> => launch(PROGRAM, { args });

/** Why nothing is measured, nor kept for the back button, where Chromium itself is missing; null where there is one. */
export const noFullChromium = FULL ? null : "no Chromium on this machine";

/** Chromium itself: its times and frames are those that people have, and so is its back button, which shows pages as they were left. */
export const openFullBrowser = (): Promise<Browser> =>
  launch(FULL, { ignoreDefaultArgs: ["--disable-back-forward-cache"] });

/** A visitor with a browser; everything that must not happen on its pages is recorded. */
export interface Visitor extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
  /** violations of the policy, script errors, and requests to other hosts */
  faults: string[];
}

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
export const PHONE: BrowserContextOptions = {
  viewport: { width: 412, height: 915 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};

export async function visit(browser: Browser, url: string, options: BrowserContextOptions = DESKTOP): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: "reduce", ...options });
  const faults: string[] = [];
  context.on("page", (page) => {
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    page.on("console", (message) => {
      if (/Content Security Policy|Trusted ?Type/i.test(message.text())) faults.push(message.text());
    });
    page.on("request", (request) => {
      const to = request.url();
      if (!to.startsWith(url) && !/^(blob|data):/.test(to)) faults.push(`request to ${to}`);
    });
  });
  const page = await context.newPage();
  return { page, context, faults, [Symbol.asyncDispose]: () => context.close() };
}

const SIGN_IN = "mutation($input: CreateSessionInput!) { createSession(input: $input) { user { id } } }";

/** Gives all pages of the context the session that the sign-in page would; that page itself is tested with the accounts. */
export async function signIn(
  { context }: Visitor,
  { name, password }: { name: string; password: string },
): Promise<void> {
  const data = { query: SIGN_IN, variables: { input: { name, password } } };
  const response = await context.request.post("/graphql", { data });
  const { errors } = (await response.json()) as { errors?: unknown };
  expect(errors).toBeUndefined();
}

/** Without the HTML of every element that it looks at, which for the outer ones is that of the whole page. */
const AXE = `${readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")};
axe.configure({ noHtml: true });`;

type Theme = "dark" | "light";
/** Themes differ only in colours, so one is checked by all rules, and the other by those about colours. */
const RULES: Readonly<Record<Theme, object>> = {
  dark: { runOnly: ["color-contrast", "link-in-text-block"] },
  light: {},
};

/** Expects axe to find nothing wrong in either theme; first in the one that is shown, as each change lays the page out anew. */
export async function expectAccessible(page: Page, themes: readonly Theme[] = ["dark", "light"]): Promise<void> {
  const [isThere, isDark] = await page.evaluate<[boolean, boolean]>(
    '["axe" in globalThis, matchMedia("(prefers-color-scheme: dark)").matches]',
  );
  if (!isThere) await page.evaluate(AXE);
  const isShown = (theme: Theme) => (theme === "dark") === isDark;
  for (const colorScheme of [...themes.filter(isShown), ...themes.filter((theme) => !isShown(theme))]) {
    await page.emulateMedia({ colorScheme });
    expect([colorScheme, await violationsOn(page, RULES[colorScheme])]).toEqual([colorScheme, []]);
  }
}

const violationsOn = (page: Page, rules: object): Promise<string[]> =>
  page.evaluate(async (asked) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
    // of what it finds in order nothing is asked, so that it need not be described
    const { violations } = await axe.run({
      ...asked,
      resultTypes: ["violations"],
      selectors: false,
      elementRef: true,
    });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ element }) => element.outerHTML.slice(0, 200)).join(" | ")}`,
    );
  }, rules);

interface Violation {
  id: string;
  nodes: { element: { outerHTML: string } }[];
}
