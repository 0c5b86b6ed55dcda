/** Measures every search on the running server, and in the other layout. */
import { request } from "undici";
import { BareServer, type Effort, type Figures, type LoadDriver } from "./load/driver.js";
import type { OtherBoard } from "./other-board.js";
import type { FiguresByLoad, Outcome, SearchOutcome } from "./outcome.js";
import { pathOf, type Search } from "./set.js";
import { median } from "./statistics.js";

export interface Measuring {
  driver: LoadDriver;
  /** of the server */
  url: string;
  effort: Effort;
}

/** The two layouts find different posts, so one of the queries is wrong. */
export class TranslationError extends Error {
  override name = "TranslationError";
}

/** Warms up the server with every search, so that the first measured ones have no disadvantage. */
export async function warmUp(searches: readonly Search[], { driver, url, effort }: Measuring): Promise<void> {
  if (effort.warmUp === 0) return;
  const some = { seconds: effort.warmUp / 10, warmUp: 0, least: 1 };
  for (const search of searches) {
    await driver.measure({ url, path: pathOf(search, 20), connections: 1, effort: some });
    await driver.measure({ url, path: pathOf(search, 100), connections: 16, effort: some });
  }
  await driver.measure({ url, path: "/posts.json?limit=20", connections: 16, effort });
}

/** p50 of every search by name, with limit 20 and one connection. */
export async function measureBriefly(searches: readonly Search[], { driver, url, effort }: Measuring) {
  const p50: Record<string, number> = {};
  for (const search of searches)
    p50[search.name] = (await driver.measure({ url, path: pathOf(search, 20), connections: 1, effort })).p50;
  return p50;
}

/** Measures one search, and compares it with the other layout, if possible. @throws LoadError, TranslationError */
export async function measureSearch(
  search: Search,
  measuring: Measuring,
  other: OtherBoard | null,
): Promise<SearchOutcome> {
  const figures = await figuresOf(search, measuring);
  const theirs = (await other?.measure(search.theirs, measuring.effort)) ?? null;
  if (theirs && !theirs.timedOut) await compare(search, measuring.url, theirs.ids);
  const { name, tags } = search;
  const ours = figures[20][1].database;
  if (ours === null) throw new Error("the server does not tell its database time");
  return { name, tags, figures, ours, theirs: theirs?.milliseconds ?? null, timedOut: theirs?.timedOut ?? false };
}

async function figuresOf(search: Search, { driver, url, effort }: Measuring): Promise<FiguresByLoad> {
  const at = (limit: number, connections: number): Promise<Figures> =>
    driver.measure({ url, path: pathOf(search, limit), connections, effort });
  return {
    20: { 1: await at(20, 1), 16: await at(20, 16) },
    100: { 1: await at(100, 1), 16: await at(100, 16) },
  };
}

async function compare(search: Search, url: string, theirs: readonly number[]): Promise<void> {
  const { body } = await request(`${url}${pathOf(search, 20)}`);
  const answer = (await body.json()) as { id: number } | { id: number }[];
  const ours = (Array.isArray(answer) ? answer : [answer]).map(({ id }) => id);
  if (ours.join() === theirs.join()) return;
  throw new TranslationError(`"${search.name}" (${search.tags}) finds ${ours.join()}, and in SQL ${theirs.join()}`);
}

const ROUNDS = 3;

/** Measures the plain listing and a bare server alternately, so that other load affects both. */
export async function measureThroughput({ driver, url, effort }: Measuring): Promise<Outcome["throughput"]> {
  const path = "/posts.json?limit=20";
  const { headers, body } = await request(`${url}${path}`);
  const bytes = Buffer.from(await body.arrayBuffer());
  await using bare = await BareServer.start(bytes, String(headers["content-type"]));
  const rates = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const job = { path, connections: 16, effort };
    rates.ours.push((await driver.measure({ ...job, url })).requestsPerSecond);
    rates.bare.push((await driver.measure({ ...job, url: bare.url })).requestsPerSecond);
  }
  return { ours: median(rates.ours), bare: median(rates.bare) };
}
