/** Spelling suggestions: existing tags with names similar to an unknown one. */
import { join, type Queryable, type Sql, sql } from "../database/client.js";
import { editDistance } from "../lib/edit-distance.js";
import { composedLower } from "../lib/names.js";
import { isStorable } from "../lib/text.js";
import { likePattern } from "../search/pattern.js";

export interface NearTag {
  name: string;
  category: number;
  postCount: number;
}

/** Shorter words are similar to too many names. */
const MIN_LENGTH = 3;
const MAX_LENGTH = 170;
/** The most used tags with a prefix or suffix, to which a word is compared. */
const CANDIDATES = 300;
/** Only the most used tags are searched by suffix, which no index supports: reading so many takes milliseconds. */
const MOST_USED = 20_000;
const MAX_DISTANCE = 2;
/** Words and names that are both shorter may differ by one edit only. */
const LONG = 6;

const maxDistance = (word: string, name: string): number =>
  Math.max(word.length, name.length) < LONG ? 1 : MAX_DISTANCE;

/** Patterns of the prefixes that a similar name can have: the word's first two letters, these swapped, or the first and third. */
const prefixPatterns = (word: string): string[] => {
  const [first = "", second = "", third = ""] = Array.from(word);
  return [...new Set([first + second, second + first, first + third])].map((text) => `${likePattern(text)}%`);
};

const tagsLike = (pattern: string): Sql => sql`(
  SELECT name, category::int, post_count AS "postCount" FROM tags
   WHERE name LIKE ${pattern} AND post_count > 0 ORDER BY post_count DESC, id DESC LIMIT ${CANDIDATES})`;

/** Tags of about the same length that end with the second half of the word, whatever is wrong in the first half. */
function tagsWithSuffixOf(word: string): Sql {
  const letters = Array.from(word);
  const suffix = letters.slice(Math.ceil(letters.length / 2)).join("");
  return sql`(
    SELECT name, category::int, post_count AS "postCount" FROM tags
     WHERE name IN (
       SELECT name FROM (
         SELECT name FROM tags WHERE post_count > 0 ORDER BY post_count DESC, name LIMIT ${MOST_USED}) AS used
        WHERE name LIKE ${`%${likePattern(suffix)}`}
          AND length(name) BETWEEN ${letters.length - MAX_DISTANCE} AND ${letters.length + MAX_DISTANCE}
        LIMIT ${CANDIDATES}))`;
}

/**
 * The tags in use with names similar to a word, by ascending edit distance, then by descending post count.
 */
export async function nearTags(db: Queryable, word: string, limit: number): Promise<NearTag[]> {
  const name = composedLower(word);
  if (name.length < MIN_LENGTH || name.length > MAX_LENGTH || name.includes("*") || !isStorable(name)) return [];
  const lists = [...prefixPatterns(name).map(tagsLike), tagsWithSuffixOf(name)];
  const candidates = await db.query<NearTag>(join(lists, " UNION "));
  return candidates
    .map((tag) => ({ tag, distance: editDistance(name, tag.name, MAX_DISTANCE) }))
    .filter(({ tag, distance }) => distance <= maxDistance(name, tag.name))
    .sort((a, b) => a.distance - b.distance || b.tag.postCount - a.tag.postCount || (a.tag.name < b.tag.name ? -1 : 1))
    .slice(0, limit)
    .map(({ tag }) => tag);
}
