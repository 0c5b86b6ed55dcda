/** Searches matched against given posts, one per line: which of them match which posts. */
import { BoardError } from "../../errors.js";
import { join, type Queryable, type Sql, sql } from "../../database/client.js";
import type { TagCache } from "../../tagging/tag-cache.js";
import { likePattern } from "../pattern.js";
import { leaves, type Query, type ResolvedQuery } from "./ast.js";
import { findMetatag } from "./metatags/index.js";
import type { SearchContext } from "./metatags/metatag.js";
import { parseSearch } from "./parser.js";
import { shapeOf } from "./shape.js";
import { resolveRemembered, substituteTags, tagNamesIn } from "./tags.js";
import { toCondition } from "./to-sql.js";

/** Maximum numbers of lines and of all their terms together: each is a condition tested on each post. */
export const MOST_LINES = 100;
const MOST_TERMS = 300;

interface Line {
  text: string;
  query: Query;
}

/** @param maxTerms terms of one line; a line with more, or that is not a valid search, matches nothing */
function readLines(text: string, context: SearchContext, maxTerms: number): Line[] {
  const lines: Line[] = [];
  let left = MOST_TERMS;
  const written = text.split(/[\r\n]+/).map((line) => line.trim());
  for (const line of [...new Set(written)].filter(Boolean).slice(0, MOST_LINES)) {
    const parsed = readLine(line, context, maxTerms);
    if (!parsed || (left -= parsed.terms) < 0) continue;
    if (isTelling(parsed.query)) lines.push({ text: line, query: parsed.query });
  }
  return lines;
}

function readLine(line: string, context: SearchContext, maxTerms: number): { query: Query; terms: number } | null {
  try {
    const { query, terms } = parseSearch(line, (name) => findMetatag(name)?.name, maxTerms);
    for (const term of leaves(query)) if (term.type === "wildcard") likePattern(term.pattern);
    return { query: shapeOf(query, context).query, terms };
  } catch (error) {
    if (error instanceof BoardError) return null; // too long: settings may contain any text
    throw error;
  }
}

/** Whether a line matches some posts and not others, as far as is known. */
const isTelling = ({ type }: Query | ResolvedQuery): boolean => type !== "none" && type !== "all";

/** The names of all lines, to be looked up together. */
function namesOf(lines: readonly Line[]) {
  const each = lines.map(({ query }) => tagNamesIn(query));
  const union = (pick: (names: (typeof each)[number]) => ReadonlySet<string>) =>
    new Set(each.flatMap((n) => [...pick(n)]));
  return { names: union((n) => n.names), literals: union((n) => n.literals), wildcards: union((n) => n.wildcards) };
}

/** The lines that match some posts but not others, each with its condition on `posts`. */
async function conditionsOf(db: Queryable, cache: TagCache, lines: readonly Line[], context: SearchContext) {
  const tags = await resolveRemembered({ db }, namesOf(lines), cache);
  return lines.flatMap(({ text, query }): { text: string; condition: Sql }[] => {
    const resolved = substituteTags(query, tags);
    return isTelling(resolved) ? [{ text, condition: toCondition(resolved, { context, tags: "hidden" }) }] : [];
  });
}

/** The lines that match a post at a revision. */
export interface MatchedPost {
  revision: number;
  lines: string[];
}

/**
 * The matching lines of each post, as written. Beyond 100 lines, or 300 terms, the rest of the text is ignored.
 * @param text searches, one per line
 */
export async function matchLines(
  { db, cache }: { db: Queryable; cache: TagCache },
  text: string,
  postIds: readonly number[],
  search: { context: SearchContext; maxTerms: number },
): Promise<Map<number, MatchedPost>> {
  const lines = readLines(text, search.context, search.maxTerms);
  const tested = lines.length > 0 ? await conditionsOf(db, cache, lines, search.context) : [];
  if (tested.length === 0) return new Map();
  const tests = tested.map(({ condition }, index) => sql`CASE WHEN ${condition} THEN ${index}::int END`);
  const rows = await db.query<{ id: number; revision: number; matching: number[] }>(sql`
    SELECT posts.id, posts.revision::float8 AS revision, array_remove(ARRAY[${join(tests)}], NULL) AS matching
      FROM posts WHERE posts.id = ANY(${[...postIds]}::int[])`);
  const lineOf = (index: number) => tested[index]?.text ?? "";
  return new Map(rows.map(({ id, revision, matching }) => [id, { revision, lines: matching.map(lineOf) }]));
}
