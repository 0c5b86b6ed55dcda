/**
 * From what a user typed to the tags a post gets: aliases, negations, the merge with concurrent edits, automatic tags and
 * implications. What that takes is read by `facts.ts`; `store.ts` writes.
 */
import { invalid } from "../errors.js";
import { type FileFacts, withAutomaticTags } from "./automatic.js";
import type { TagFacts } from "./facts.js";
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

/**
 * The names that the post has after the edit, sorted.
 * @throws BoardError 420 for names that can't be tags, or too many of them
 */
export function resolveTagEdit(edit: TagEdit, facts: TagFacts, maxTags: number): string[] {
  const { submitted, seen } = edit;
  for (const list of [submitted.names, submitted.removed, seen?.names ?? []])
    if (list.length > maxTags) throw invalid("tag_string", "too_many_tags", { limit: maxTags });
  const merged = merge(edit, (names) => names.map((name) => facts.aliases.get(name) ?? name));
  const current = new Set(edit.current);
  checkTagNames(merged.filter((name) => !current.has(name)));
  const named = edit.file ? withAutomaticTags(merged, edit.file) : merged;
  const all = withImplied(named, facts);
  if (all.length > maxTags) throw invalid("tag_string", "too_many_tags", { limit: maxTags });
  return all;
}

/** The names and everything they imply, directly or by way of others; sorted, each once. */
function withImplied(names: readonly string[], { implications }: TagFacts): string[] {
  const all = new Set(names);
  for (const name of all) for (const implied of implications.get(name) ?? []) all.add(implied);
  return [...all].sort();
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
