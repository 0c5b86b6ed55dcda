/** Measures typical actions on pages. */
import { type Browser, type Page } from "playwright-core";
import { median } from "../search/statistics.js";
import { type Conditions, openTab, type Seen, seenBy, type Tab } from "./browser.js";

const TIMES = 5;
/** Milliseconds from which a task is long. */
const LONG_TASK = 50;
/** Time after which a page is settled, in milliseconds. */
const SETTLED = 3_000;

/** By class, since locating roles and names takes long in the measured page. */
export const tile = (page: Page, index = 0) => page.locator(".Tile-link").nth(index);

export interface FirstGallery extends Record<"paint" | "largest" | "shift", number> {
  /** time beyond 50 milliseconds of each task, on a machine that is slower by this factor: beyond 50 milliseconds of its own */
  blocking: (pace: number) => number;
}

/** Time that tasks take beyond a limit, in milliseconds. */
const beyond = (limit: number, tasks: readonly number[]): number =>
  tasks.reduce((sum, duration) => sum + Math.max(0, duration - limit), 0);

/** The first gallery with an empty cache; medians. */
export async function firstGallery(browser: Browser, url: string, conditions: Conditions): Promise<FirstGallery> {
  const all: Seen[] = [];
  for (let times = 0; times < TIMES; times += 1) {
    await using tab = await openTab(browser, url, conditions);
    await tab.page.goto("/", { waitUntil: "domcontentloaded" });
    await tile(tab.page).waitFor();
    await tab.page.waitForTimeout(SETTLED);
    all.push(await seenBy(tab.page));
  }
  const of = (name: "paint" | "largest" | "shift") => median(all.map((seen) => seen[name]));
  return {
    paint: of("paint"),
    largest: of("largest"),
    shift: of("shift"),
    blocking: (pace) => median(all.map(({ longTasks }) => beyond(LONG_TASK * pace, longTasks))),
  };
}

const FRAME_AND_STRIP = ".Post:has(.Picture-frame :is(img, video)) .Strip a[aria-current='page']";

/** Timeout in milliseconds. */
const LATEST = 20_000;

/**
 * Milliseconds from a key or click until a selector is painted.
 * @throws after a timeout
 */
async function until(page: Page, event: "click" | "keydown" | "input", selector: string, act: () => Promise<unknown>) {
  const took = page.evaluate(
    ([type, wanted, latest]) =>
      new Promise<number>((resolve, reject) => {
        setTimeout(() => reject(new Error(`${wanted} is not there ${latest} ms after ${type}`)), latest);
        addEventListener(
          type,
          () => {
            const began = performance.now();
            const { port1, port2 } = new MessageChannel();
            port1.addEventListener("message", () => resolve(performance.now() - began));
            port1.start();
            // what exists before a frame is visible after it
            const look = () => (document.querySelector(wanted) ? port2.postMessage(null) : requestAnimationFrame(look));
            requestAnimationFrame(look);
          },
          { once: true, capture: true },
        );
      }),
    [event, selector, LATEST] as const,
  );
  took.catch(() => undefined); // if the action itself fails
  await page.waitForTimeout(50);
  await act();
  return took;
}

/** Milliseconds from a key in the search field to the first suggestion. */
async function suggested(page: Page, key: string): Promise<number> {
  const field = page.getByRole("combobox", { name: "Search posts by tags" });
  await field.focus();
  const took = await until(page, "input", '[role="option"]', () => field.press(key));
  await field.press("Escape");
  await field.fill("");
  await field.blur();
  return took;
}

/** The same without cached suggestions. */
export async function askedSuggestions(browser: Browser, url: string, conditions: Conditions): Promise<number> {
  const all: number[] = [];
  for (let times = 0; times < TIMES; times += 1) {
    await using tab = await openTab(browser, url, conditions);
    await tab.page.goto("/login", { waitUntil: "load" });
    all.push(await suggested(tab.page, "s"));
  }
  return median(all);
}

/** Tiles of videos, and of pictures. */
const isVideo = /\d:\d\d/;

/** Indexes of a picture before another one, and of a video, among the later tiles of a gallery. */
async function placesOf(page: Page): Promise<Record<"picture" | "video", number>> {
  const facts = await page.locator(".Tile").allTextContents();
  const at = (fits: (index: number) => boolean) => facts.findIndex((_, index) => index > 0 && fits(index));
  const isPicture = (index: number) => !isVideo.test(facts[index] ?? "0:00");
  const [picture, video] = [at((index) => isPicture(index) && isPicture(index + 1)), at((index) => !isPicture(index))];
  if (picture < 0 || video < 0) throw new Error("the first page has no video, or no two pictures beside one another");
  return { picture, video };
}

/** Opens the gallery, and waits until it is settled. */
async function openGallery(page: Page) {
  await page.goto("/", { waitUntil: "domcontentloaded" });
  await tile(page).waitFor();
  await page.waitForTimeout(SETTLED);
  return placesOf(page);
}

export interface Walks {
  /** from a tile to its post that is not loaded yet: until its frame and the strip are painted */
  tileToPost: number;
  /** the same for a video */
  tileToVideo: number;
  /** to the next, prefetched post */
  nextPost: number;
  /** suggestions of tags that the page has shown */
  suggestions: number;
  /** the slowest of all interactions */
  slowest: number;
}

const opened = (page: Page, index: number): Promise<number> =>
  until(page, "click", FRAME_AND_STRIP, () => tile(page, index).click());

type OpenTab = () => Promise<Tab>;

async function walkPictures(open: OpenTab): Promise<Omit<Walks, "tileToVideo">> {
  await using tab = await open();
  const { page } = tab;
  const { picture } = await openGallery(page);
  const known = (await page.locator(".TagList-name").first().textContent()) ?? "";
  const suggestions = await suggested(page, known.slice(0, 1));
  const tileToPost = await opened(page, picture);
  await page.waitForTimeout(SETTLED * 2);
  const next = await page.locator(".Strip [rel=next]").getAttribute("href");
  const nextPost = await until(page, "keydown", `${FRAME_AND_STRIP}[href="${next}"]`, () =>
    page.keyboard.press("ArrowRight"),
  );
  const { slowest } = await seenBy(page);
  return { tileToPost, nextPost, suggestions, slowest };
}

async function walkToVideo(open: OpenTab): Promise<Pick<Walks, "tileToVideo" | "slowest">> {
  await using tab = await open();
  const { page } = tab;
  const { video } = await openGallery(page);
  const tileToVideo = await opened(page, video);
  const { slowest } = await seenBy(page);
  return { tileToVideo, slowest };
}

export async function walks(browser: Browser, url: string, conditions: Conditions): Promise<Walks> {
  const open = () => openTab(browser, url, conditions);
  const all: Walks[] = [];
  for (let times = 0; times < TIMES; times += 1) {
    const pictures = await walkPictures(open);
    const video = await walkToVideo(open);
    all.push({ ...pictures, ...video, slowest: Math.max(pictures.slowest, video.slowest) });
  }
  const of = (name: keyof Walks) => median(all.map((walk) => walk[name]));
  return {
    tileToPost: of("tileToPost"),
    tileToVideo: of("tileToVideo"),
    nextPost: of("nextPost"),
    suggestions: of("suggestions"),
    slowest: of("slowest"),
  };
}

/** Requests to warm up the server. */
const WARM_UP = 100;
const MEASURED = 100;

/** p50 of sequential requests for a page, in milliseconds. */
export async function serverShare(url: string): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < WARM_UP + MEASURED; index += 1) {
    const began = performance.now();
    await (
      await fetch(`${url}/posts?page=${1 + (index % 50)}`, {
        headers: { accept: "text/html", "accept-encoding": "br" },
      })
    ).text();
    times.push(performance.now() - began);
  }
  return median(times.slice(WARM_UP));
}
