/** The tags, aliases and implications that an edit needs, read by one statement for `edit.ts` and `store.ts`. */
import { type Queryable, type Sql, sql } from "../database/client.js";
import { AUTOMATIC_NAMES } from "./automatic.js";
import type { ParsedTagString } from "./tag-string.js";

export interface TagRow {
  id: number;
  name: string;
  category: number;
}

export interface TagFacts {
  /** by name: the post's tags, and those of the tags in the edit, aliased or implied, that exist */
  tags: ReadonlyMap<string, TagRow>;
  /** consequents by antecedent */
  aliases: ReadonlyMap<string, string>;
  /** direct consequents by antecedent */
  implications: ReadonlyMap<string, readonly string[]>;
}

/** Statuses of aliases and implications that apply to edits; `processing`: existing posts are still being retagged. */
export const IN_FORCE = sql`('active', 'processing')`;

/** Those, and what will be in force once its job begins. */
export const APPROVED = sql`('active', 'processing', 'queued')`;

type Pair = [antecedent: string, consequent: string];

/** `TagFacts` as JSON from PostgreSQL; null for empty lists. */
export interface WrittenFacts {
  tags: [id: number, name: string, category: number][] | null;
  aliases: Pair[] | null;
  implications: Pair[] | null;
}

/**
 * The names in an edit's tag strings, without those that PostgreSQL can't store.
 * @param limit the most tags of a post; longer lists are refused later, so nothing is returned for them
 */
export function namesWritten(limit: number, ...strings: (ParsedTagString | undefined)[]): string[] {
  const lists = strings.flatMap((parsed) => (parsed ? [parsed.names, parsed.removed] : []));
  if (lists.some((list) => list.length > limit)) return [];
  return [...new Set(lists.flat())].filter((name) => !name.includes("\0"));
}

/**
 * An SQL expression for `WrittenFacts`, of type json.
 * @param names from `namesWritten`
 * @param tagIds expression for the ids of the post's tags
 */
export const tagFacts = (names: readonly string[], tagIds: Sql): Sql => sql`(
  WITH RECURSIVE written(name) AS (
    SELECT unnest(${[...names]}::text[]) UNION SELECT name FROM tags WHERE id = ANY(${tagIds})
    UNION SELECT unnest(${[...AUTOMATIC_NAMES]}::text[])
  ), alias AS (
    SELECT antecedent_name, consequent_name FROM tag_aliases
     WHERE antecedent_name = ANY(ARRAY(SELECT name FROM written)) AND status IN ${IN_FORCE}
  ), implied(name) AS (
    (SELECT name FROM written UNION SELECT consequent_name FROM alias)
    UNION
    SELECT consequent_name FROM tag_implications
      JOIN implied ON antecedent_name = implied.name WHERE status IN ${IN_FORCE}
  )
  SELECT json_build_object(
    'tags', (SELECT json_agg(json_build_array(id, name, category)) FROM tags WHERE name = ANY(ARRAY(SELECT name FROM implied))),
    'aliases', (SELECT json_agg(json_build_array(antecedent_name, consequent_name)) FROM alias),
    'implications', (SELECT json_agg(json_build_array(antecedent_name, consequent_name)) FROM tag_implications
                      WHERE antecedent_name = ANY(ARRAY(SELECT name FROM implied)) AND status IN ${IN_FORCE})))`;

export function factsFrom({ tags, aliases, implications }: WrittenFacts): TagFacts {
  const implied = new Map<string, string[]>();
  for (const [antecedent, consequent] of implications ?? [])
    implied.set(antecedent, [...(implied.get(antecedent) ?? []), consequent]);
  return {
    tags: new Map((tags ?? []).map(([id, name, category]) => [name, { id, name, category }])),
    aliases: new Map(aliases ?? []),
    implications: implied,
  };
}

/** @param tagIds ids of the post's tags */
export async function readTagFacts(
  db: Queryable,
  names: readonly string[],
  tagIds: readonly number[],
): Promise<TagFacts> {
  const [row] = await db.query<{ facts: WrittenFacts }>(
    sql`SELECT ${tagFacts(names, sql`${[...tagIds]}::int[]`)} AS facts`,
  );
  return factsFrom((row as { facts: WrittenFacts }).facts);
}

export function tagsOfIds({ tags }: TagFacts, ids: readonly number[]): TagRow[] {
  const wanted = new Set(ids);
  return [...tags.values()].filter(({ id }) => wanted.has(id));
}

/** The names with all tags that they imply, directly or transitively; sorted and unique. */
export async function withImplications(
  db: Queryable,
  names: readonly string[],
  statuses: Sql = IN_FORCE,
): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    WITH RECURSIVE implied(name) AS (
      SELECT unnest(${[...names]}::text[])
      UNION
      SELECT consequent_name FROM tag_implications
        JOIN implied ON antecedent_name = implied.name WHERE status IN ${statuses}
    ) SELECT name FROM implied`);
  return rows.map((row) => row.name).sort();
}
