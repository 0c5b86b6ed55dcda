/**
 * The budgets of the pages, measured: how soon they are there, answer and move, in Chromium with a phone's speed and a desktop's.
 *
 *   npm run bench:web -- [--posts 10000] [--tiles 10000] [--slack 0]
 *
 * Prints a table; its exit code is 1 where a budget is not kept. --slack 30 lets timings take 30 percent longer. Nothing else
 * should run on the machine.
 */
import { parseArgs } from "node:util";
import { noChromium, openBrowser } from "../../test/support/browser.js";
import { openBoard } from "./board.js";
import { DESKTOP, SLOW_PHONE } from "./browser.js";
import { firstGallery, scrolled, serverShare, walks } from "./flows.js";

const { values: options } = parseArgs({
  options: {
    posts: { type: "string", default: "10000" },
    tiles: { type: "string", default: "10000" },
    slack: { type: "string", default: "0" },
  },
});

interface Row {
  name: string;
  measured: number;
  unit: "ms" | "MB" | "/s" | "";
  budget: number;
  /** where more is better */
  isLeast?: boolean;
}

const TIMINGS = new Set(["ms", "/s"]);

/** The budget with the slack that timings have. */
const boundOf = ({ budget, unit, isLeast = false }: Row): number => {
  const slack = TIMINGS.has(unit) ? Number(options.slack) / 100 : 0;
  return isLeast ? budget * (1 - slack) : budget * (1 + slack);
};
const isKept = (row: Row): boolean => (row.isLeast ? row.measured >= boundOf(row) : row.measured <= boundOf(row));

function print(rows: readonly Row[]): void {
  const round = (value: number) => String(Number(value.toPrecision(3)));
  const lines = rows.map((row) => [
    row.name,
    `${round(row.measured)} ${row.unit}`,
    `${row.isLeast ? "≥" : "≤"} ${row.budget} ${row.unit}`,
    isKept(row) ? "" : "over",
  ]);
  process.stdout.write("| | measured | budget | |\n|---|---|---|---|\n");
  for (const line of lines) process.stdout.write(`| ${line.join(" | ")} |\n`);
}

const MB = 1e6;

async function measure(url: string): Promise<Row[]> {
  const browser = await openBrowser();
  try {
    const phone = await firstGallery(browser, url, SLOW_PHONE);
    const desktop = await firstGallery(browser, url, DESKTOP);
    const walked = await walks(browser, url, SLOW_PHONE);
    const long = await scrolled(browser, url, DESKTOP, Number(options.tiles));
    return [
      { name: "phone: first paint", measured: phone.paint, unit: "ms", budget: 1000 },
      { name: "phone: largest paint", measured: phone.largest, unit: "ms", budget: 2000 },
      { name: "phone: layout shift", measured: phone.shift, unit: "", budget: 0.02 },
      { name: "phone: blocking", measured: phone.blocking, unit: "ms", budget: 150 },
      { name: "desktop: first paint", measured: desktop.paint, unit: "ms", budget: 300 },
      { name: "desktop: largest paint", measured: desktop.largest, unit: "ms", budget: 700 },
      { name: "phone: tile to post", measured: walked.tileToPost, unit: "ms", budget: 100 },
      { name: "phone: next post, loaded beforehand", measured: walked.nextPost, unit: "ms", budget: 50 },
      { name: "phone: key to suggestions", measured: walked.suggestions, unit: "ms", budget: 120 },
      { name: "phone: slowest interaction", measured: walked.slowest, unit: "ms", budget: 100 },
      { name: `${long.tiles} tiles scrolled: frames`, measured: long.frames, unit: "/s", budget: 58, isLeast: true },
      { name: "longest frame", measured: long.longest, unit: "ms", budget: 50 },
      { name: "elements at the end", measured: long.nodes, unit: "", budget: 5000 },
      { name: "heap at the end", measured: long.heap / MB, unit: "MB", budget: 60 },
      { name: "heap kept after leaving", measured: (long.heapAfter - long.heapBefore) / MB, unit: "MB", budget: 10 },
      { name: "server's share of a page, p50", measured: await serverShare(url), unit: "ms", budget: 10 },
    ];
  } finally {
    await browser.close();
  }
}

async function main(): Promise<number> {
  if (noChromium) throw new Error(noChromium);
  await using board = await openBoard(Number(options.posts));
  const rows = await measure(board.url);
  print(rows);
  return rows.every(isKept) ? 0 : 1;
}

process.exit(await main());
