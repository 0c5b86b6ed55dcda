/** The budgets, in groups that are measured together. */
import type { Browser } from "playwright-core";
import { DESKTOP, SLOW_PHONE } from "./browser.js";
import { askedSuggestions, firstGallery, serverShare, walks } from "./flows.js";
import { referenceScroll, scrolled } from "./scroll.js";
import type { Row } from "./table.js";

const MB = 1e6;

export interface Round {
  browser: Browser;
  /** URL of the board */
  url: string;
  /** number of tiles to scroll */
  tiles: number;
}

async function paintRows({ browser, url }: Round): Promise<Row[]> {
  const phone = await firstGallery(browser, url, SLOW_PHONE);
  const desktop = await firstGallery(browser, url, DESKTOP);
  return [
    { name: "phone: first paint", measured: phone.paint, unit: "ms", budget: 1000 },
    { name: "phone: largest paint", measured: phone.largest, unit: "ms", budget: 2000 },
    { name: "phone: layout shift", measured: phone.shift, unit: "", budget: 0.02 },
    { name: "phone: blocking", measured: phone.blocking(1), measuredAt: phone.blocking, unit: "ms", budget: 150 },
    { name: "desktop: first paint", measured: desktop.paint, unit: "ms", budget: 300 },
    { name: "desktop: largest paint", measured: desktop.largest, unit: "ms", budget: 700 },
  ];
}

async function walkRows({ browser, url }: Round): Promise<Row[]> {
  const walked = await walks(browser, url, SLOW_PHONE);
  const asked = await askedSuggestions(browser, url, DESKTOP);
  return [
    { name: "phone: tile to post", measured: walked.tileToPost, unit: "ms", budget: 100 },
    { name: "phone: tile to post, a video", measured: walked.tileToVideo, unit: "ms", budget: 100 },
    { name: "phone: next post, loaded beforehand", measured: walked.nextPost, unit: "ms", budget: 50 },
    { name: "phone: key to suggestions", measured: walked.suggestions, unit: "ms", budget: 120 },
    { name: "desktop: key to suggestions of the board", measured: asked, unit: "ms", budget: 120 },
    { name: "phone: slowest interaction", measured: walked.slowest, unit: "ms", budget: 100 },
  ];
}

async function scrollRows({ browser, url, tiles }: Round): Promise<Row[]> {
  const reference = await referenceScroll(browser, url, DESKTOP);
  const long = await scrolled(browser, url, DESKTOP, tiles);
  return [
    {
      name: `${long.tiles} tiles scrolled: frames`,
      measured: long.frames,
      unit: "/s",
      budget: 58,
      isLeast: true,
      reference: reference.frames,
    },
    { name: "longest frame", measured: long.longest, unit: "ms", budget: 50, reference: reference.longest },
    { name: "elements at the end", measured: long.nodes, unit: "", budget: 5000 },
    { name: "heap at the end", measured: long.heap / MB, unit: "MB", budget: 60 },
    { name: "heap kept after leaving", measured: (long.heapAfter - long.heapBefore) / MB, unit: "MB", budget: 10 },
  ];
}

const serverRows = async ({ url }: Round): Promise<Row[]> => [
  { name: "server's share of a page, p50", measured: await serverShare(url), unit: "ms", budget: 10 },
];

export const GROUPS: Readonly<Record<string, (round: Round) => Promise<Row[]>>> = {
  paint: paintRows,
  walk: walkRows,
  scroll: scrollRows,
  server: serverRows,
};
