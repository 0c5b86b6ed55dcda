/**
 * From what a user typed to the tags a post gets: aliases, negations, the merge with concurrent edits, automatic tags and
 * implications. Reads the database; `store.ts` writes.
 */
import { type Db, sql } from "../database/client.js";
import { invalid } from "../errors.js";
import { type FileFacts, withAutomaticTags } from "./automatic.js";
import { checkTagNames } from "./tag-name.js";
import type { ParsedTagString } from "./tag-string.js";

export interface TagEdit {
  /** names that the post has now */
  current: readonly string[];
  submitted: ParsedTagString;
  /** what the user saw before editing, when the client says so; else the submitted list replaces the current one */
  seen?: ParsedTagString | undefined;
  /** null for a file that is not known yet, which gets no automatic tags */
  file: FileFacts | null;
}

/** Aliases and implications in force: those being applied to the posts count already. */
export const IN_FORCE = sql`('active', 'processing')`;

/**
 * The names that the post has after the edit, sorted.
 * @throws BoardError 420 for names that can't be tags, or too many of them
 */
export async function resolveTagEdit(db: Db, edit: TagEdit, maxTags: number): Promise<string[]> {
  const { submitted, seen } = edit;
  for (const list of [submitted.names, submitted.removed, seen?.names ?? []])
    if (list.length > maxTags) throw invalid("tag_string", "too_many_tags", { limit: maxTags });
  const typed = [...edit.submitted.names, ...edit.submitted.removed];
  const alias = await aliases(db, [...typed, ...(edit.seen?.names ?? [])]);
  const merged = merge(edit, (names) => names.map((name) => alias.get(name) ?? name));
  const current = new Set(edit.current);
  checkTagNames(merged.filter((name) => !current.has(name)));
  const named = edit.file ? withAutomaticTags(merged, edit.file) : merged;
  const all = await withImplications(db, named);
  if (all.length > maxTags) throw invalid("tag_string", "too_many_tags", { limit: maxTags });
  return all;
}

/**
 * Three-way merge: what the user added to and took away from the list they saw is applied to the list as it is now.
 * (Post has a b c d, the user saw a b c and sends a b e: the result is a b d e.)
 */
function merge(edit: TagEdit, aliased: (names: readonly string[]) => string[]): string[] {
  const wanted = new Set(aliased(edit.submitted.names));
  const seen = new Set(edit.seen ? aliased(edit.seen.names) : edit.current);
  const removed = new Set([...aliased(edit.submitted.removed), ...[...seen].filter((name) => !wanted.has(name))]);
  const added = [...wanted].filter((name) => !seen.has(name) && !removed.has(name));
  return [...edit.current.filter((name) => !removed.has(name)), ...added];
}

/** antecedent -> consequent, for those of the names that are aliased. */
export async function aliases(db: Db, names: readonly string[]): Promise<Map<string, string>> {
  const storable = names.filter((name) => !name.includes("\0"));
  if (storable.length === 0) return new Map();
  const rows = await db.query<{ antecedent: string; consequent: string }>(sql`
    SELECT antecedent_name AS antecedent, consequent_name AS consequent
      FROM tag_aliases WHERE antecedent_name = ANY(${storable}::text[]) AND status IN ${IN_FORCE}`);
  return new Map(rows.map((row) => [row.antecedent, row.consequent]));
}

/** The names and everything they imply, directly or by way of others; sorted, each once. */
export async function withImplications(db: Db, names: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    WITH RECURSIVE implied(name) AS (
      SELECT unnest(${[...names]}::text[])
      UNION
      SELECT consequent_name FROM tag_implications
        JOIN implied ON antecedent_name = implied.name WHERE status IN ${IN_FORCE}
    ) SELECT name FROM implied`);
  return rows.map((row) => row.name).sort();
}
