/** Hints why a search may find less than expected: tags without posts, invalid values, invalid searches. */
import type { Queryable } from "../../database/client.js";
import { editDistance } from "../../lib/edit-distance.js";
import { nearTags } from "../../tagging/corrections.js";
import { leaves, type MetatagTerm } from "./ast.js";
import { findMetatag } from "./metatags/index.js";
import type { SearchContext } from "./metatags/metatag.js";
import { parseSearch } from "./parser.js";
import { resolveTerms, tagNamesIn, type TagReaders } from "./tags.js";

export interface SearchHint {
  /** the term in the search; empty for the search as a whole */
  term: string;
  message: string;
  /** a replacement for the term */
  suggestion: string | null;
}

/** Maximum number of terms that are checked. */
const MOST_HINTS = 5;
const MISTAKES = 2;

/** @throws BoardError 424 for a search that is too long, too deep or of too many terms */
export async function hintsFor(
  readers: TagReaders,
  text: string,
  { context, maxTerms }: { context: SearchContext; maxTerms: number },
): Promise<SearchHint[]> {
  const { query, written, malformed } = parseSearch(text, (name) => findMetatag(name)?.name, maxTerms);
  if (malformed !== null) return [{ term: "", message: malformed, suggestion: null }];
  const terms = leaves(query);
  const ofValues = terms
    .filter((term) => term.type === "metatag")
    .flatMap((term) => valueHint(term, written.get(term), context));
  const asked = tagNamesIn(query);
  if (asked.names.size + asked.wildcards.size === 0) return ofValues.slice(0, MOST_HINTS);
  const { names, wildcards } = await resolveTerms(readers, asked); // cached counts may be a minute old
  const unknown = [...asked.names].filter((name) => !names.get(name)?.count).slice(0, MOST_HINTS);
  const ofTags = await Promise.all(unknown.map((name) => tagHint(readers.db, name)));
  const ofPatterns = [...asked.wildcards]
    .filter((pattern) => !wildcards.has(pattern))
    .map((term) => ({ term, message: "no tag is like this", suggestion: null }));
  return [...ofTags, ...ofPatterns, ...ofValues].slice(0, MOST_HINTS);
}

async function tagHint(db: Queryable, name: string): Promise<SearchHint> {
  const [near] = await nearTags(db, name, 1);
  return { term: name, message: "no post has this tag", suggestion: near?.name ?? null };
}

/** An invalid value, with the most similar valid word of the meta-tag, if any. */
function valueHint({ name, value }: MetatagTerm, written: string | undefined, context: SearchContext): SearchHint[] {
  const row = findMetatag(name);
  const read = [row?.toSql?.(value, context), row?.order?.(value, context), row?.limit?.(value)];
  if (!row || !read.includes(null)) return [];
  const [near] = (row.words ?? [])
    .map((word) => ({ word, distance: editDistance(value.toLowerCase(), word, MISTAKES) }))
    .filter(({ distance }) => distance <= MISTAKES)
    .sort((a, b) => a.distance - b.distance);
  return [
    {
      term: written ?? `${name}:${value}`,
      message: "this value means nothing",
      suggestion: near ? `${name}:${near.word}` : null,
    },
  ];
}
