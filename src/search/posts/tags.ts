/** Looks up the tags of a search. */
import { join, type Queryable, type Sql, sql } from "../../database/client.js";
import type { TagCache } from "../../tagging/tag-cache.js";
import { likePattern } from "../pattern.js";
import type { PostingKind } from "../postings/lists.js";
import { leaves, mapLeaves, NONE, type Query, type ResolvedQuery, type TagSet } from "./ast.js";

/** Maximum number of tags of a wildcard, the most used ones. */
const TAGS_PER_WILDCARD = 100;

/** The tags and wildcards of a search, in lower case. */
export interface TagNames {
  /** names whose aliases are resolved */
  names: ReadonlySet<string>;
  /** names whose aliases are not resolved */
  literals: ReadonlySet<string>;
  /** patterns with `*` */
  wildcards: ReadonlySet<string>;
}

export interface ResolvedTags {
  /** by name, literal name or pattern; absent ones match nothing */
  names: Map<string, TagSet>;
  literals: Map<string, TagSet>;
  wildcards: Map<string, TagSet>;
  /** highest id of a post, an approximation of their number, since few are ever removed */
  posts: number;
}

interface Row {
  kind: "names" | "literals" | "wildcards" | "posts";
  term: string;
  id: number;
  count: number;
  listed: PostingKind | null;
}

export function tagNamesIn(query: Query): TagNames {
  const terms = leaves(query);
  const tags = terms.filter((term) => term.type === "tag");
  return {
    names: new Set(tags.filter((tag) => tag.aliased).map((tag) => tag.name)),
    literals: new Set(tags.filter((tag) => !tag.aliased).map((tag) => tag.name)),
    wildcards: new Set(terms.filter((term) => term.type === "wildcard").map((term) => term.pattern)),
  };
}

/** Connections for looking up tags. */
export interface TagReaders {
  db: Queryable;
  /** for statements whose plan doesn't depend on their values; by default `db` */
  prepared?: Queryable;
  /** for reads by keys of so many rows; by default `prepared` */
  byKeys?: (most: number) => Queryable;
}

/**
 * Looks up all names in one statement: plain names with active aliases resolved (once, as aliases are never chained), and
 * wildcards as their most used tags. `/` and letters, if there is no such tag or alias, is the most used tag whose words start
 * with these letters.
 */
export async function resolveTerms(
  { db, prepared = db, byKeys = () => prepared }: TagReaders,
  { names, literals, wildcards }: TagNames,
): Promise<ResolvedTags> {
  const abbreviations = [...names].filter((name) => ABBREVIATION.test(name));
  const branches = [
    sql`SELECT 'posts' AS kind, '' AS term, 0 AS id, coalesce(max(posts.id), 0) AS count, NULL::text AS listed FROM posts`,
    ...(names.size > 0 ? [namesSql([...names])] : []),
    ...(literals.size > 0 ? [literalsSql([...literals])] : []),
    ...[...wildcards].map(wildcardSql),
    ...abbreviations.map(abbreviationSql),
  ];
  const isPlannedByValue = wildcards.size + abbreviations.length > 0;
  const reader = isPlannedByValue ? db : byKeys(1 + names.size + literals.size);
  const rows = await reader.query<Row>(join(branches, " UNION ALL "));
  return collect(rows);
}

/** As `resolveTerms`, but looks up only what is not cached. */
export async function resolveRemembered(readers: TagReaders, asked: TagNames, cache: TagCache): Promise<ResolvedTags> {
  const { known } = cache;
  const posts = cache.counts.get("posts");
  const names = new Map<string, TagSet>();
  for (const name of asked.names) {
    const set = cache.setOf(name);
    if (set) names.set(name, set);
  }
  const missing = { ...asked, names: new Set([...asked.names].filter((name) => !names.has(name))) };
  const isComplete = missing.names.size + missing.literals.size + missing.wildcards.size === 0;
  if (isComplete && posts !== undefined) return { names, literals: new Map(), wildcards: new Map(), posts };
  const resolved = await resolveTerms(readers, missing);
  // which tag is the most used one changes without a new generation
  const lasting = [...resolved.names].filter(([name]) => !ABBREVIATION.test(name));
  cache.remember(lasting, resolved.posts, known);
  return { ...resolved, names: new Map([...names, ...resolved.names]) };
}

/** One at most is ready, or another just after it. */
const LISTED = sql`(
  SELECT l.kind FROM posting_lists l WHERE l.tag_id = tags.id AND l.state = 'ready' ORDER BY l.kind LIMIT 1)`;

const namesSql = (names: string[]): Sql => sql`(
  SELECT 'names', asked.name, tags.id, tags.post_count, ${LISTED}
    FROM unnest(${names}::text[]) AS asked(name)
    LEFT JOIN tag_aliases ON tag_aliases.antecedent_name = asked.name AND tag_aliases.status IN ('active', 'processing')
    JOIN tags ON tags.name = coalesce(tag_aliases.consequent_name, asked.name))`;

const literalsSql = (names: string[]): Sql => sql`(
  SELECT 'literals', tags.name, tags.id, tags.post_count, ${LISTED} FROM tags WHERE tags.name = ANY(${names}::text[]))`;

/** One branch for each pattern, since the index is used only for a single pattern. */
const wildcardSql = (pattern: string): Sql => sql`(
  SELECT 'wildcards', ${pattern}::text, tags.id, tags.post_count, ${LISTED} FROM tags
   WHERE tags.name LIKE ${likePattern(pattern)} AND tags.post_count > 0
   ORDER BY tags.post_count DESC, tags.name LIMIT ${TAGS_PER_WILDCARD})`;

const ABBREVIATION = /^\/[a-z0-9]{1,20}$/;

/** `/ab` is `^a...[...]b...$`: the first letter narrows the search down by the index. */
function abbreviationSql(name: string): Sql {
  const words = Array.from(name.slice(1), (letter) => `${letter}[[:alnum:]']*`);
  return sql`(
    SELECT 'names', ${name}::text, tags.id, tags.post_count, ${LISTED} FROM tags
     WHERE tags.name ~ ${`^${words.join("[^[:alnum:]']+")}[^[:alnum:]']*$`} AND tags.post_count > 0
       AND NOT EXISTS (SELECT 1 FROM tags exact WHERE exact.name = ${name})
       AND NOT EXISTS (SELECT 1 FROM tag_aliases a WHERE a.antecedent_name = ${name} AND a.status IN ('active', 'processing'))
     ORDER BY tags.post_count DESC, tags.name LIMIT 1)`;
}

function collect(rows: readonly Row[]): ResolvedTags {
  const resolved: ResolvedTags = { names: new Map(), literals: new Map(), wildcards: new Map(), posts: 0 };
  for (const { kind, term, id, count, listed } of rows) {
    if (kind === "posts") {
      resolved.posts = count;
      continue;
    }
    const known = resolved[kind].get(term) ?? { type: "tags", ids: [], members: [], count: 0, listed };
    if (known.ids.includes(id)) continue;
    resolved[kind].set(term, {
      type: "tags",
      ids: [...known.ids, id],
      members: [...known.members, { id, count, listed }],
      count: known.count + count,
      listed: known.listed === listed ? listed : null,
    });
  }
  return resolved;
}

export const substituteTags = (query: Query, { names, literals, wildcards }: ResolvedTags): ResolvedQuery =>
  mapLeaves(query, (term) => {
    if (term.type === "metatag") return term;
    if (term.type === "wildcard") return wildcards.get(term.pattern) ?? NONE;
    return (term.aliased ? names : literals).get(term.name) ?? NONE;
  });
