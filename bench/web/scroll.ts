/** Measures a long scroll of a gallery: its smoothness and memory, compared with the machine's best. */
import type { Browser, Page } from "playwright-core";
import { type Conditions, openTab, sizeOf } from "./browser.js";
import { tile } from "./flows.js";

interface Frames {
  tiles: number;
  /** per second */
  frames: number;
  /** in milliseconds */
  longest: number;
}

export interface Scroll extends Frames {
  nodes: number;
  /** bytes at the end, before the gallery, and after leaving it */
  heap: number;
  heapBefore: number;
  heapAfter: number;
}

/** Pixels per frame: ten screens per second. */
const STEP = 160;
const MOST_MILLISECONDS = 150_000;

/** Scrolls to this number of elements, or to the end of the page. */
const scroll = (page: Page, selector: string, wanted: number): Promise<Omit<Frames, "tiles">> =>
  page.evaluate(
    ([counted, enough, step, most]) =>
      new Promise((resolve) => {
        const began = performance.now();
        const lengths: number[] = [];
        let last = began;
        const look = (now: number) => {
          lengths.push(now - last);
          last = now;
          scrollBy(0, step);
          const isThere = document.querySelectorAll(counted).length >= enough;
          const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
          if ((enough === 0 ? isEnd : isThere) || now - began > most)
            resolve({ frames: (1000 * lengths.length) / (now - began), longest: Math.max(...lengths) });
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    [selector, wanted, STEP, MOST_MILLISECONDS] as const,
  );

const PAGE = ".Gallery-page";
const POSTS_A_PAGE = 40;

export async function scrolled(browser: Browser, url: string, conditions: Conditions, tiles: number): Promise<Scroll> {
  await using tab = await openTab(browser, url, conditions);
  const { page } = tab;
  await page.goto("/login");
  await page.getByLabel("Name").waitFor();
  const { heap: heapBefore } = await sizeOf(tab);
  await page.evaluate(() => document.querySelector<HTMLElement>(".Header-home")?.click());
  await tile(page).waitFor();
  const seen = await scroll(page, PAGE, Math.ceil(tiles / POSTS_A_PAGE));
  const shown = (await page.locator(PAGE).count()) * POSTS_A_PAGE;
  const { heap } = await sizeOf(tab);
  const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
  await page.evaluate(() => document.querySelector<HTMLElement>('a[href^="/login"]')?.click());
  await page.getByLabel("Name").waitFor();
  const { heap: heapAfter } = await sizeOf(tab);
  return { ...seen, tiles: shown, nodes, heap, heapBefore, heapAfter };
}

interface Thumbnail {
  srcSet: string;
}

async function thumbnailsOf(url: string, count: number): Promise<Thumbnail[]> {
  const query = "query ($page: String) { posts(first: 100, page: $page) { nodes { thumbnail { srcSet } } } }";
  const ask = async (number: number) => {
    const body = JSON.stringify({ query, variables: { page: String(number) } });
    const answer = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const { data } = (await answer.json()) as { data: { posts: { nodes: { thumbnail: Thumbnail | null }[] } } };
    return data.posts.nodes.flatMap(({ thumbnail }) => thumbnail ?? []);
  };
  return (await Promise.all(Array.from({ length: Math.ceil(count / 100) }, (_, index) => ask(index + 1)))).flat();
}

const REFERENCE_TILES = 2_000;

/** The same pictures in a plain page without scripts. */
export async function referenceScroll(browser: Browser, url: string, conditions: Conditions): Promise<Frames> {
  const thumbnails = await thumbnailsOf(url, REFERENCE_TILES);
  const pictures = thumbnails.map(
    ({ srcSet }) => `<img srcset="${srcSet}" sizes="230px" loading="lazy" decoding="async" width="230" height="200" />`,
  );
  await using tab = await openTab(browser, url, conditions);
  const { page } = tab;
  await page.route("**/reference", (route) =>
    route.fulfill({ contentType: "text/html", body: `<!doctype html><body>${pictures.join("")}</body>` }),
  );
  await page.goto("/reference");
  return { ...(await scroll(page, "img", 0)), tiles: thumbnails.length };
}
