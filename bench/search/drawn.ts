/** Random tags and numbers for searches, without repetition. */
import type pg from "pg";
import { Random } from "../board/random.js";

export interface DrawnTag {
  name: string;
  count: number;
}

/** The board's tags, most used first. */
export async function readTags(client: pg.Client): Promise<DrawnTag[]> {
  const { rows } = await client.query<DrawnTag>(
    "SELECT name, post_count AS count FROM tags WHERE post_count > 0 ORDER BY post_count DESC, id",
  );
  return rows;
}

/** Random pairs of different tags, each tag in proportion to its posts; no pair twice, in either order. */
export function drawPairs(tags: readonly DrawnTag[], count: number, seed: number): [string, string][] {
  const random = new Random(seed);
  const upTo = cumulated(tags);
  const seen = new Set<string>();
  const pairs: [string, string][] = [];
  for (let tries = 0; pairs.length < count && tries < 20 * count; tries += 1) {
    const pair = [draw(upTo, random), draw(upTo, random)].sort((a, b) => a - b);
    const [one, other] = pair.map((place) => tags[place]?.name ?? "") as [string, string];
    if (one === other || seen.has(pair.join())) continue;
    seen.add(pair.join());
    pairs.push([one, other]);
  }
  return pairs;
}

function cumulated(tags: readonly DrawnTag[]): Float64Array {
  const upTo = new Float64Array(tags.length);
  let sum = 0;
  for (const [place, { count }] of tags.entries()) upTo[place] = sum += count;
  return upTo;
}

/** The first index whose cumulative sum exceeds a random number. */
function draw(upTo: Float64Array, random: Random): number {
  const wanted = random.next() * (upTo.at(-1) ?? 0);
  let [from, to] = [0, upTo.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((upTo[middle] as number) > wanted) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** In random order, the same for the same seed. */
export function shuffled<T>(list: readonly T[], seed: number): T[] {
  const random = new Random(seed);
  return list
    .map((value) => ({ value, key: random.next() }))
    .sort((one, other) => one.key - other.key)
    .map(({ value }) => value);
}
