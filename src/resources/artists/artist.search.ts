import { type Db, join, type Sql, sql } from "../../database/client.js";
import { isHttpUrl, urlsToFind } from "./artist-urls.js";
import { isSearchable } from "../../search/bounds.js";
import * as by from "../../search/filters.js";
import { anyOf, indexed, indexedBy, like, namesLike } from "../../search/indexed.js";
import { conditionsOf, NOTHING, type SearchOf } from "../../search/listing.js";
import { likeAnywhere, likePattern } from "../../search/pattern.js";
import { lowerAsSql, nameKey, toTagSpelling } from "../../lib/names.js";

/** `date`, newest first, is the default order by id. */
export const ARTIST_ORDERS = {
  name: sql`t.name ASC`,
  date: undefined,
  updated_at: sql`t.updated_at DESC`,
  // of the joined tag: looked up for each artist, it took seconds to sort all of them
  post_count: sql`COALESCE(tag.post_count, 0) DESC`,
};

const USED = sql`SELECT name, post_count FROM tags WHERE post_count > 0 ORDER BY post_count DESC`;
/** Number of the most used tags among which the first artists by their number of posts are looked for. */
const MOST_USED = 5_000;

/** The artists of the most used tags, without those of the last ones, since others may have as many posts. */
const MOST_POSTS = sql`
  SELECT t.id FROM (${USED} LIMIT ${MOST_USED}) AS used JOIN artists t ON t.name = used.name
   WHERE used.post_count > COALESCE((SELECT post_count FROM (${USED} OFFSET ${MOST_USED} LIMIT 1) AS next), 0)
   ORDER BY used.post_count DESC, t.id DESC`;

/** The first artists in an order that no index has. */
export const ARTIST_HEADS: Partial<Record<keyof typeof ARTIST_ORDERS, Sql>> = { post_count: MOST_POSTS };

const filters = {
  id: by.ids,
  ...by.user("creator"),
  isActive: by.flag,
  isDeleted: by.on(sql`NOT t.is_active`, by.flag),
  isBanned: by.flag,
  /** those without posts; of an expression with the number PostgreSQL expects that it holds for one artist in 200 */
  emptyOnly: (wanted: boolean) =>
    wanted ? sql`NOT EXISTS (SELECT FROM tags WHERE tags.name = t.name AND tags.post_count > 0)` : null,
  groupName: (name: string) => by.ofText(name, inGroup),
  /** name, other name or group */
  anyNameMatches: (name: string) => by.ofText(name, byAnyName),
};

export interface ArtistSearch extends SearchOf<typeof filters> {
  /** a text whose prefix selects the filter: `http`, `name:`, `other:`, `group:`, `status:` */
  name?: string | null;
  urlMatches?: string | null;
  order?: keyof typeof ARTIST_ORDERS | null;
}

/** The conditions of a search. A search for a URL looks the URL up first. */
export async function artistConditions(db: Db, search: ArtistSearch): Promise<Sql[]> {
  const where = conditionsOf(filters, search);
  const named = search.name ? await byWord(db, search.name.trim()) : null;
  const withUrl = search.urlMatches ? await byUrl(db, search.urlMatches.trim()) : null;
  return [...where, ...(named ? [named] : []), ...(withUrl ? [withUrl] : [])];
}

/** Parses `search[name]` by its prefix. */
async function byWord(db: Db, word: string): Promise<Sql | null> {
  if (/^https?:/i.test(word)) return byUrl(db, word);
  const [, prefix = "", value = ""] = /^(name|other|group|status):(.*)$/is.exec(word) ?? [];
  const condition = PREFIXES[prefix.toLowerCase()];
  if (condition) return by.ofText(value, condition);
  return byStatus(value.trim().toLowerCase()) ?? by.ofText(word, byNames);
}

function byStatus(status: string): Sql | null {
  if (status === "banned") return sql`t.is_banned`;
  return status === "active" ? sql`(t.is_active AND NOT t.is_banned)` : null;
}

const byName = (name: string): Sql => like(sql`t.name`, likePattern(toTagSpelling(name)));

/** One of the other names, in any case; with `*`, a pattern for all of them joined. */
function byOtherName(name: string): Sql {
  const normal = nameKey(name);
  if (normal.includes("*")) return namesLike(sql`t.other_names`, likePattern(normal));
  return indexed(sql`lower_names(t.other_names) && ARRAY[${normal}]::text[]`);
}

/** Spaces and underscores are equal in group names. The first pattern uses the index. */
function inGroup(name: string): Sql {
  const normal = nameKey(name);
  const loose = likePattern(normal).replace(/\\_/g, "_");
  const likely = like(sql`lower(t.group_name)`, loose);
  const condition = sql`(${likely} AND replace(lower(t.group_name), ' ', '_') LIKE ${likePattern(normal)})`;
  return indexedBy(likely, condition);
}

const PREFIXES: Partial<Record<string, (value: string) => Sql>> = { name: byName, other: byOtherName, group: inGroup };

const byNames = (name: string): Sql => anyOf([byName(name), byOtherName(name)]);
const byAnyName = (name: string): Sql => anyOf([byNames(name), inGroup(name)]);

/** A URL, a part of one, or a pattern. */
async function byUrl(db: Db, url: string): Promise<Sql | null> {
  if (!isSearchable(url)) return NOTHING;
  if (url === "") return null;
  if (/^https?:/i.test(url) && !url.includes("*")) {
    const ids = await findByUrl(db, url);
    return ids.length === 0 ? NOTHING : sql`t.id = ANY(${ids}::int[])`;
  }
  const likely = like(sql`lower(url)`, likeAnywhere(lowerAsSql(url)));
  const condition = sql`EXISTS (SELECT FROM artist_urls WHERE artist_id = t.id AND ${likely})`;
  return indexedBy(likely, condition);
}

const MOST_BY_URL = 10;

/**
 * The active artists to whom a URL belongs: those with a URL that starts with it, or else with its closest parent for which there are some.
 * One statement; at most ten artists, by name.
 */
async function findByUrl(db: Db, url: string): Promise<number[]> {
  if (!isHttpUrl(url)) return [];
  const steps = urlsToFind(url).map(
    (prefix, step) => sql`(
      SELECT DISTINCT ${step}::int AS step, a.id, a.name FROM artist_urls u JOIN artists a ON a.id = u.artist_id
       WHERE a.is_active AND u.normalized_url LIKE ${`${likePattern(prefix)}%`} ORDER BY a.name LIMIT ${MOST_BY_URL})`,
  );
  const rows = await db.query<{ id: number; step: number }>(sql`
    SELECT step, id FROM (${join(steps, " UNION ALL ")}) AS found ORDER BY step, name`);
  return rows.filter((row) => row.step === rows[0]?.step).map((row) => row.id);
}
