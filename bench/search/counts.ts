/** Measures counts of posts with two tags, different ones each time. */
import { request } from "undici";
import type { Asker } from "../traffic/run.js";
import { wire } from "../traffic/requests.js";
import { drawPairs, type DrawnTag } from "./drawn.js";
import type { Effort } from "./load/driver.js";
import { percentile } from "./statistics.js";

export interface CountFigures {
  /** milliseconds of a whole response with one connection */
  p50: number;
  p99: number;
  pairs: number;
  /** how many of further pairs were estimated instead of counted */
  estimates: number;
}

const PAIRS = 3_000;
/** Number of pairs whose responses are parsed. */
const READ = 100;

const pathOf = (pair: readonly string[]): string =>
  `/counts/posts.json?${new URLSearchParams({ tags: pair.join(" ") }).toString()}`;

/** @throws LoadError for a response that is not successful */
export async function measureCounts(
  { asker, url, effort }: { asker: Asker; url: string; effort: Effort },
  tags: readonly DrawnTag[],
  seed: number,
): Promise<CountFigures> {
  const pairs = drawPairs(tags, READ + PAIRS, seed);
  const requests = pairs.slice(READ).map((pair) => wire({ path: pathOf(pair) }));
  const warmUp = effort.warmUp === 0 ? 0 : Math.floor(requests.length / 10);
  const asked = await asker.ask({ url, connections: 1, requests, warmUp, seconds: Math.max(2 * effort.seconds, 0.05) });
  let estimates = 0;
  for (const pair of pairs.slice(0, READ)) {
    const { body } = await request(`${url}${pathOf(pair)}`);
    const { counts } = (await body.json()) as { counts: { is_estimate?: boolean } };
    if (counts.is_estimate) estimates += 1;
  }
  const { durations } = asked;
  return { p50: percentile(durations, 0.5), p99: percentile(durations, 0.99), pairs: durations.length, estimates };
}
