/** What a user may be about to type: names of tags by their beginning, aliases included, and names of users. */
import { type PrismaClient, sql } from "../database/client.js";
import { isStorable } from "../lib/text.js";
import { normalizeUserName } from "../lib/names.js";
import { likePattern } from "../search/pattern.js";

export type AutocompleteType = "tag_query" | "user";

export interface Suggestion {
  type: "tag" | "tag-alias" | "user";
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

export class AutocompleteService {
  constructor(private readonly prisma: PrismaClient) {}

  /** Suggestions for the beginning of a word, the most used first. */
  find(text: string, type: AutocompleteType, first = 10): Promise<Suggestion[]> {
    const limit = Math.min(Math.max(first, 1), MOST);
    if (!isStorable(text) || text.trim() === "") return Promise.resolve([]);
    return type === "user" ? this.users(text, limit) : this.tags(text, limit);
  }

  private tags(text: string, limit: number): Promise<Suggestion[]> {
    const word = text
      .trim()
      .toLowerCase()
      .replace(/^[-~]+/, "")
      .replace(/\s+/gu, "_");
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
}
