/**
 * Computes a post's tags from a submitted tag string: aliases, removals, the merge with concurrent edits, automatic tags and
 * implications. Pure: `facts.ts` reads what it needs, `store.ts` writes the result.
 */
import { invalid } from "../errors.js";
import { composed } from "../lib/names.js";
import { type FileFacts, withAutomaticTags } from "./automatic.js";
import type { TagFacts } from "./facts.js";
import { checkTagNames } from "./tag-name.js";
import type { ParsedTagString } from "./tag-string.js";

export interface TagEdit {
  /** names of the post's tags before the edit */
  current: readonly string[];
  submitted: ParsedTagString;
  /** the list that the user edited, if the client sends it: the base of the merge; by default the current list */
  seen?: ParsedTagString | undefined;
  /** null to add no automatic tags */
  file: FileFacts | null;
}

/**
 * The names of the post's tags after the edit, sorted.
 * @throws BoardError 420 for invalid names and for too many tags
 */
export function resolveTagEdit(edit: TagEdit, facts: TagFacts, maxTags: number): string[] {
  const { submitted, seen } = edit;
  for (const list of [submitted.names, submitted.removed, seen?.names ?? []])
    if (list.length > maxTags) throw invalid("tag_string", "too_many_tags", { limit: maxTags });
  const merged = merge(edit, facts);
  const current = new Set(edit.current);
  if (!submitted.isOfVersion) checkTagNames(merged.filter((name) => !current.has(name)));
  const named = edit.file ? aliased(withAutomaticTags(merged, edit.file), facts) : merged;
  const all = withImplied(named, facts);
  if (all.length > maxTags) throw invalid("tag_string", "too_many_tags", { limit: maxTags });
  return all;
}

const aliased = (names: readonly string[], { aliases }: TagFacts): string[] =>
  names.map((name) => aliases.get(name) ?? name);

/** The names with all tags that they imply, directly or transitively; sorted and unique. */
function withImplied(names: readonly string[], { implications }: TagFacts): string[] {
  const all = new Set(names);
  for (const name of all) for (const implied of implications.get(name) ?? []) all.add(implied);
  return [...all].sort();
}

/**
 * Three-way merge: the user's additions to and removals from the list they saw are applied to the current one.
 * (Current a b c d, seen a b c, submitted a b e: the result is a b d e.) Aliases apply to all lists: one that began to apply a while ago may not
 * have reached the post yet. Current tags from before names were composed stay as they are until they are removed or aliased.
 */
function merge(edit: TagEdit, facts: TagFacts): string[] {
  const wanted = new Set(aliased(edit.submitted.names, facts));
  const kept = aliased(edit.current, facts);
  const current = new Set(kept.map((name) => composed(name)));
  const seen = edit.seen ? new Set(aliased(edit.seen.names, facts)) : current;
  const removed = new Set([
    ...aliased(edit.submitted.removed, facts),
    ...[...seen].filter((name) => !wanted.has(name)),
  ]);
  const added = [...wanted].filter((name) => !current.has(name) && !seen.has(name) && !removed.has(name));
  return [...kept.filter((name) => !removed.has(composed(name))), ...added];
}
