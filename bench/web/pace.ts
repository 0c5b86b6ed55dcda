/** Measures the machine's current speed, which depends on other load. */
import type { Browser } from "playwright-core";
import { median } from "../search/statistics.js";
import { type Conditions, openTab } from "./browser.js";

/** Milliseconds that this work takes on the reference machine without other load. */
const USUAL = 200;
const TIMES = 5;

/** Typical work of a page: splits and joins texts, creates, measures and removes elements. */
const work = (): number => {
  const began = performance.now();
  for (let round = 0; round < 20; round += 1) {
    const words = Array.from({ length: 400 }, (_, index) => `tag_${(index * 7919) % 1013}`);
    const list = document.createElement("ul");
    for (const word of words.toSorted()) {
      const item = document.createElement("li");
      item.textContent = word.replaceAll("_", " ");
      list.append(item);
    }
    document.body.append(list);
    list.getBoundingClientRect();
    list.remove();
  }
  return performance.now() - began;
};

/** The slowdown relative to the reference; at least 1. */
export async function paceOf(browser: Browser, url: string, conditions: Conditions): Promise<number> {
  await using tab = await openTab(browser, url, { ...conditions, cpu: 1 });
  await tab.page.route("**/pace", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><body>" }),
  );
  await tab.page.goto("/pace");
  const times: number[] = [];
  for (let index = 0; index < TIMES; index += 1) times.push(await tab.page.evaluate(work));
  return Math.max(1, median(times) / USUAL);
}
