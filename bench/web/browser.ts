/** A browser under the conditions of the budgets, and its measurements of a page in milliseconds, bytes and numbers. */
import type { Browser, BrowserContextOptions, CDPSession, Page } from "playwright-core";

export interface Conditions {
  name: string;
  options: BrowserContextOptions;
  /** factor by which the processor is slowed down */
  cpu: number;
  /** bits per second, and round-trip time in milliseconds; unlimited if absent */
  network?: { bitsPerSecond: number; latency: number };
}

const PHONE = { viewport: { width: 412, height: 915 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
export const SLOW_PHONE: Conditions = {
  name: "phone, 4× slower, 1.6 Mbit/s, 150 ms",
  options: PHONE,
  cpu: 4,
  network: { bitsPerSecond: 1_600_000, latency: 150 },
};
export const DESKTOP: Conditions = { name: "desktop", options: { viewport: { width: 1440, height: 900 } }, cpu: 1 };

export interface Tab extends AsyncDisposable {
  page: Page;
  session: CDPSession;
}

interface Entry {
  name: string;
  startTime: number;
  duration: number;
  hadRecentInput: boolean;
  value: number;
  interactionId: number;
}

/** Records the page's performance entries from its start. */
const observe = () => {
  const seen = { paint: 0, largest: 0, shift: 0, longTasks: [] as number[], slowest: 0 };
  Object.assign(globalThis, { seen });
  const watch = (type: string, note: (entry: Entry) => void, more = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) note(entry as unknown as Entry);
    }).observe({ type, buffered: true, ...more });
  watch("paint", ({ name, startTime }) => name === "first-contentful-paint" && (seen.paint = startTime));
  watch("largest-contentful-paint", ({ startTime }) => (seen.largest = startTime));
  watch("layout-shift", ({ hadRecentInput, value }) => !hadRecentInput && (seen.shift += value));
  watch("longtask", ({ duration }) => seen.longTasks.push(duration));
  watch("event", (entry) => entry.interactionId && (seen.slowest = Math.max(seen.slowest, entry.duration)), {
    durationThreshold: 16,
  });
};
export interface Seen extends Record<"paint" | "largest" | "shift" | "slowest", number> {
  /** durations of tasks of 50 milliseconds or longer */
  longTasks: number[];
}

export const seenBy = (page: Page): Promise<Seen> =>
  page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);

/** A tab with an empty cache. */
export async function openTab(browser: Browser, url: string, { options, cpu, network }: Conditions): Promise<Tab> {
  const context = await browser.newContext({ baseURL: url, ...options });
  const page = await context.newPage();
  // tsx wraps functions in calls of `__name`, also those that run in the page
  await page.addInitScript({ content: "globalThis.__name = (named) => named;" });
  await page.addInitScript(observe);
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable");
  await session.send("Emulation.setCPUThrottlingRate", { rate: cpu });
  if (network) {
    const throughput = network.bitsPerSecond / 8;
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: network.latency,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
  }
  return { page, session, [Symbol.asyncDispose]: () => context.close() };
}

/** Nodes and bytes of the page after garbage collection. */
export async function sizeOf({ session }: Tab): Promise<{ nodes: number; heap: number }> {
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { nodes: of("Nodes"), heap: of("JSHeapUsedSize") };
}
