/** What tests do and look at inside a page. */
import type { Page } from "playwright-core";

/** Waits until the page has dealt with the answer to its next request of this operation. */
export async function answered(page: Page, operation: string): Promise<void> {
  const isOf = (text: string | null) => text !== null && text.includes(`"operationName":"${operation}"`);
  const response = await page.waitForResponse((each) => isOf(each.request().postData()));
  await response.finished();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
}

/** Holds the requests of an operation back. @returns lets them through */
export async function held(page: Page, operation: string): Promise<() => void> {
  let resume = (): void => undefined;
  const isOver = new Promise<void>((resolve) => (resume = resolve));
  await page.route("**/graphql", async (route) => {
    if (route.request().postData()?.includes(`"operationName":"${operation}"`)) await isOver;
    await route.continue();
  });
  return resume;
}

/** What has the focus, by its label. */
export const focusedIn = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");

/** Scrolls the page down, and waits until everything has learned of it that listens for it. */
export const scrollDown = (page: Page, pixels: number): Promise<void> =>
  page.evaluate(
    (by) =>
      new Promise<void>((resolve) => {
        scrollBy({ top: by, behavior: "instant" });
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
      }),
    pixels,
  );
