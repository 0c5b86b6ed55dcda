/** Suggestions while typing a search: tags by prefix, including aliases, meta-tags, users, pools. */
import { sql } from "../../database/client.js";
import { composed, composedLower, lowerAsSql, normalizeUserName, toTagSpelling } from "../../lib/names.js";
import { isSearchable } from "../../search/bounds.js";
import { begunMetatag, suggestNames, suggestWords, valueInSearch } from "../../search/posts/suggestions.js";
import { nearTags } from "../../tagging/corrections.js";
import { likePattern } from "../../search/pattern.js";
import type { ServiceParts } from "../shared/service.js";

export type AutocompleteType = "tag_query" | "tag" | "user" | "pool" | "artist" | "wiki_page";

export interface Suggestion {
  type: "tag" | "tag-alias" | "tag-correction" | "metatag" | "user" | "pool" | "artist" | "wiki-page";
  /** the text to show */
  label: string;
  /** the text to insert */
  value: string;
  /** of tags */
  category: number | null;
  postCount: number | null;
  /** the matched alias, if the value is its consequent */
  antecedent: string | null;
}

/** Maximum number of meta-tags among suggestions of tags. */
const MOST_NAMES = 3;

export class AutocompleteService {
  constructor(private readonly parts: ServiceParts) {}

  /**
   * Suggestions for the beginning of a word, most used first. A "tag" is a word of a tag string: after `pool:`, `newpool:` and
   * `artist:`, names of pools and artists are suggested. A "tag_query" is a word of a search: tags are followed by
   * meta-tags with this prefix, and after the colon of a meta-tag its values are suggested.
   * @param limit maximum number of suggestions
   * @param corrects whether to suggest similar tags if none has this prefix
   * @throws BoardError 424 for a text that is too long, or has too many `*`
   */
  async find(text: string, type: AutocompleteType, limit: number, corrects: boolean): Promise<Suggestion[]> {
    if (!isSearchable(text) || text.trim() === "") return [];
    if (type !== "tag" && type !== "tag_query") return this[LISTS[type]](text, limit);
    const word = text.trim().replace(/^[-~]+/, "");
    const found = await (type === "tag" ? this.taggings(word, limit) : this.words(word, limit));
    if (found.length > 0 || !corrects) return found;
    const near = await nearTags(this.parts.database, word.replace(/\s+/gu, "_"), limit);
    return near.map(({ name, category, postCount }) => ({
      ...metatag(name),
      type: "tag-correction",
      label: name.replaceAll("_", " "),
      category,
      postCount,
    }));
  }

  private async words(word: string, limit: number): Promise<Suggestion[]> {
    const begun = begunMetatag(word);
    if (!begun) {
      const names = word.length > 1 ? suggestNames(word).slice(0, Math.min(MOST_NAMES, limit - 1)) : [];
      return [...(await this.tags(word, limit - names.length)), ...names.map(metatag)];
    }
    const { row, value } = begun;
    const words = suggestWords(begun).map(metatag);
    const names = row.names && value !== "" && words.length < limit ? await this[NAMES[row.names]](value, limit) : [];
    const behind = names.map((name) => ({ ...name, value: `${row.name}:${valueInSearch(name.value)}` }));
    return [...words, ...behind].slice(0, limit);
  }

  private async taggings(word: string, limit: number): Promise<Suggestion[]> {
    const [, name = "", value = ""] = /^(pool|newpool|artist):(.+)$/isu.exec(word) ?? [];
    if (value === "") return this.tags(word, limit);
    const found = await this[IN_TAG_STRINGS[name.toLowerCase() as keyof typeof IN_TAG_STRINGS]](value, limit);
    const written = (each: Suggestion) => (each.type === "pool" ? valueInSearch(each.value) : each.value);
    return found.map((each) => ({ ...each, value: `${name.toLowerCase()}:${written(each)}` }));
  }

  private tags(text: string, limit: number): Promise<Suggestion[]> {
    const word = composedLower(text).replace(/\s+/gu, "_");
    const pattern = word.includes("*") ? likePattern(word) : `${likePattern(word)}%`;
    return this.parts.database.query<Suggestion>(sql`
      (SELECT 'tag' AS type, replace(name, '_', ' ') AS label, name AS value, category::int, post_count AS "postCount",
              NULL::text AS antecedent
         FROM tags WHERE name LIKE ${pattern} AND post_count > 0 ORDER BY post_count DESC, id DESC LIMIT ${limit})
      UNION ALL
      (SELECT 'tag-alias', replace(t.name, '_', ' '), t.name, t.category::int, t.post_count, a.antecedent_name
         FROM tag_aliases a JOIN tags t ON t.name = a.consequent_name
        WHERE a.antecedent_name LIKE ${pattern} AND a.status IN ('active', 'processing')
          AND t.post_count > 0 AND t.name NOT LIKE ${pattern}
        ORDER BY t.post_count DESC LIMIT ${limit})
      ORDER BY "postCount" DESC, value LIMIT ${limit}`);
  }

  private users(text: string, limit: number): Promise<Suggestion[]> {
    const pattern = `${likePattern(normalizeUserName(text))}%`;
    return this.parts.database.query<Suggestion>(sql`
      SELECT 'user' AS type, name AS label, name AS value, NULL::int AS category, NULL::int AS "postCount",
             NULL::text AS antecedent
        FROM users WHERE ${sql`lower(name) LIKE ${pattern}`} AND NOT is_deleted
       ORDER BY post_upload_count DESC, id LIMIT ${limit}`);
  }

  private artists(text: string, limit: number): Promise<Suggestion[]> {
    const pattern = `${likePattern(toTagSpelling(text))}%`;
    return this.parts.database.query<Suggestion>(sql`
      SELECT 'artist' AS type, replace(a.name, '_', ' ') AS label, a.name AS value, NULL::int AS category,
             t.post_count AS "postCount", NULL::text AS antecedent
        FROM artists a LEFT JOIN tags t ON t.name = a.name
       WHERE a.name LIKE ${pattern} AND a.is_active
       ORDER BY t.post_count DESC NULLS LAST, a.id LIMIT ${limit}`);
  }

  private wikiPages(text: string, limit: number): Promise<Suggestion[]> {
    const pattern = `${likePattern(toTagSpelling(text))}%`;
    return this.parts.database.query<Suggestion>(sql`
      SELECT 'wiki-page' AS type, replace(w.title, '_', ' ') AS label, w.title AS value, t.category::int AS category,
             t.post_count AS "postCount", NULL::text AS antecedent
        FROM wiki_pages w LEFT JOIN tags t ON t.name = w.title
       WHERE w.title LIKE ${pattern} AND NOT w.is_deleted
       ORDER BY t.post_count DESC NULLS LAST, w.id LIMIT ${limit}`);
  }

  private pools(text: string, limit: number): Promise<Suggestion[]> {
    const pattern = `${likePattern(lowerAsSql(composed(text)).replace(/\s+/gu, "_"))}%`;
    return this.parts.database.query<Suggestion>(sql`
      SELECT 'pool' AS type, replace(name, '_', ' ') AS label, name AS value, NULL::int AS category,
             post_count AS "postCount", NULL::text AS antecedent
        FROM pools WHERE lower(name) LIKE ${pattern} AND NOT is_deleted
       ORDER BY post_count DESC, id LIMIT ${limit}`);
  }
}

/** Lookups of names that are not words of a search. */
const LISTS = { user: "users", pool: "pools", artist: "artists", wiki_page: "wikiPages" } as const;

/** Lookups of names after a meta-tag. */
const NAMES = { user: "users", pool: "pools", tag: "tags" } as const;

/** Lookups of names after a prefix in a tag string. */
const IN_TAG_STRINGS = { pool: "pools", newpool: "pools", artist: "artists" } as const;

const metatag = (value: string): Suggestion => ({
  type: "metatag",
  label: value,
  value,
  category: null,
  postCount: null,
  antecedent: null,
});
