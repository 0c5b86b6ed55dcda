/** Tags of nearly the letters that were typed, where none is called so. */
import { join, type Queryable, type Sql, sql } from "../database/client.js";
import { editDistance } from "../lib/edit-distance.js";
import { isStorable } from "../lib/text.js";
import { likePattern } from "../search/pattern.js";

export interface NearTag {
  name: string;
  category: number;
  postCount: number;
}

/** Shorter words are near to too many. */
const SHORTEST = 3;
/** Names are no longer. */
const LONGEST = 170;
/** Tags that are compared for each beginning: the most used ones. */
const COMPARED = 300;

/** How many letters may be wrong. */
const mistakes = (word: string): number => (word.length < 6 ? 1 : 2);

/** What the name may begin with: the word's first two letters, these two swapped, or the first and the third. */
const beginnings = (word: string): string[] => {
  const [first = "", second = "", third = ""] = Array.from(word);
  return [...new Set([first + second, second + first, first + third])].map((text) => `${likePattern(text)}%`);
};

const beginningLike = (pattern: string): Sql => sql`(
  SELECT name, category::int, post_count AS "postCount" FROM tags
   WHERE name LIKE ${pattern} AND post_count > 0 ORDER BY post_count DESC, id DESC LIMIT ${COMPARED})`;

/**
 * The tags in use whose names are nearest to a word, but for a mistake or two; the nearest first, and
 * the most used of those that are equally near.
 */
export async function nearTags(db: Queryable, word: string, limit: number): Promise<NearTag[]> {
  const asked = word.toLowerCase();
  if (asked.length < SHORTEST || asked.length > LONGEST || asked.includes("*") || !isStorable(asked)) return [];
  const found = await db.query<NearTag>(join(beginnings(asked).map(beginningLike), " UNION "));
  const most = mistakes(asked);
  return found
    .map((tag) => ({ tag, distance: editDistance(asked, tag.name, most) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || b.tag.postCount - a.tag.postCount || (a.tag.name < b.tag.name ? -1 : 1))
    .slice(0, limit)
    .map(({ tag }) => tag);
}
