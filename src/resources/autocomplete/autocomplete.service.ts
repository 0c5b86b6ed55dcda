/** What a user may be about to type in a search: tags by their beginning, aliases included, meta-tags, users, pools. */
import { type PrismaClient, sql } from "../../database/client.js";
import { normalizeUserName } from "../../lib/names.js";
import { isSearchable } from "../../search/bounds.js";
import { begunMetatag, suggestNames, suggestWords } from "../../search/posts/suggestions.js";
import { likePattern } from "../../search/pattern.js";

export type AutocompleteType = "tag_query" | "tag" | "user";

export interface Suggestion {
  type: "tag" | "tag-alias" | "metatag" | "user" | "pool";
  /** what to show */
  label: string;
  /** what to put into the field */
  value: string;
  /** of tags */
  category: number | null;
  postCount: number | null;
  /** the alias that was matched, when the value is its consequent */
  antecedent: string | null;
}

const MOST = 20;
/** So many names of meta-tags stand beside the tags that begin with the same letters. */
const MOST_NAMES = 3;

export class AutocompleteService {
  constructor(private readonly prisma: PrismaClient) {}

  /**
   * Suggestions for the beginning of a word, the most used first. A "tag_query" is a word of a search: after the tags come
   * the meta-tags of these letters, and behind the colon of a meta-tag its values.
   * @throws BoardError 424 for a text that is too long, or has too many `*`
   */
  async find(text: string, type: AutocompleteType, first = 10): Promise<Suggestion[]> {
    const limit = Math.min(Math.max(first, 1), MOST);
    if (!isSearchable(text) || text.trim() === "") return [];
    if (type === "user") return this.users(text, limit);
    const word = text.trim().replace(/^[-~]+/, "");
    return type === "tag" ? this.tags(word, limit) : this.words(word, limit);
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
    const behind = names.map((name) => ({ ...name, value: `${row.name}:${name.value}` }));
    return [...words, ...behind].slice(0, limit);
  }

  private tags(text: string, limit: number): Promise<Suggestion[]> {
    const word = text.toLowerCase().replace(/\s+/gu, "_");
    const pattern = word.includes("*") ? likePattern(word) : `${likePattern(word)}%`;
    return this.prisma.$queryRaw<Suggestion[]>`
      (SELECT 'tag' AS type, replace(name, '_', ' ') AS label, name AS value, category::int, post_count AS "postCount",
              NULL::text AS antecedent
         FROM tags WHERE name LIKE ${pattern} AND post_count > 0 ORDER BY post_count DESC, id DESC LIMIT ${limit})
      UNION ALL
      (SELECT 'tag-alias', replace(t.name, '_', ' '), t.name, t.category::int, t.post_count, a.antecedent_name
         FROM tag_aliases a JOIN tags t ON t.name = a.consequent_name
        WHERE a.antecedent_name LIKE ${pattern} AND a.status IN ('active', 'processing')
          AND t.post_count > 0 AND t.name NOT LIKE ${pattern}
        ORDER BY t.post_count DESC LIMIT ${limit})
      ORDER BY "postCount" DESC, value LIMIT ${limit}`;
  }

  private users(text: string, limit: number): Promise<Suggestion[]> {
    const pattern = `${likePattern(normalizeUserName(text))}%`;
    return this.prisma.$queryRaw<Suggestion[]>`
      SELECT 'user' AS type, name AS label, name AS value, NULL::int AS category, NULL::int AS "postCount",
             NULL::text AS antecedent
        FROM users WHERE ${sql`lower(name) LIKE ${pattern}`} AND NOT is_deleted
       ORDER BY post_upload_count DESC, id LIMIT ${limit}`;
  }

  private pools(text: string, limit: number): Promise<Suggestion[]> {
    const pattern = `${likePattern(text.toLowerCase().replace(/\s/gu, "_"))}%`;
    return this.prisma.$queryRaw<Suggestion[]>`
      SELECT 'pool' AS type, replace(name, '_', ' ') AS label, name AS value, NULL::int AS category,
             post_count AS "postCount", NULL::text AS antecedent
        FROM pools WHERE lower(name) LIKE ${pattern} AND NOT is_deleted
       ORDER BY post_count DESC, id LIMIT ${limit}`;
  }
}

/** How names behind a meta-tag are looked up. */
const NAMES = { user: "users", pool: "pools", tag: "tags" } as const;

const metatag = (value: string): Suggestion => ({
  type: "metatag",
  label: value,
  value,
  category: null,
  postCount: null,
  antecedent: null,
});
