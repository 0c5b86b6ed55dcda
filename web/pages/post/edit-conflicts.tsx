/** What others changed on a post during an edit, and what saving does with it. */
import { RATING_NAMES } from "../../lib/rating.js";
import { words } from "../../titles.js";
import type { Edit_PostFragment } from "./__generated__/edit.js";
import type { Before, Fields } from "./edit-draft.js";

const listed = (tags: string): string[] => tags.split(/\s+/).filter(Boolean);
const without = (tags: string, others: string): string[] => {
  const known = new Set(listed(others));
  return listed(tags).filter((tag) => !known.has(tag));
};

function tagsChanged(before: string, now: string): string {
  const [added, removed] = [without(now, before), without(before, now)];
  return [...added.map((tag) => `+${words(tag)}`), ...removed.map((tag) => `−${words(tag)}`)].join(", ");
}

interface Conflict {
  text: string;
  /** whether the form's value replaces it */
  isReplaced: boolean;
}

/** @param now the post's current state */
function conflictsOf(before: Before, fields: Fields, now: Before): Conflict[] {
  const tags = tagsChanged(before.tagString, now.tagString);
  const parent = (id: number | null) => String(id ?? "");
  const values: readonly (readonly [name: string, was: string, is: string, own: string, shown: string])[] = [
    ["Rating", before.rating, now.rating, fields.rating, RATING_NAMES[now.rating]],
    ["Source", before.source, now.source, fields.source, now.source],
    ["Parent", parent(before.parentId), parent(now.parentId), fields.parent.trim(), parent(now.parentId)],
  ];
  const changed = values.filter(([, was, is, own]) => is !== was && is !== own);
  return [
    ...(tags === "" ? [] : [{ text: `Tags: ${tags}`, isReplaced: false }]),
    ...changed.map(([name, was, , own, shown]) => ({ text: `${name}: ${shown || "none"}`, isReplaced: own !== was })),
  ];
}

interface Props {
  before: Before;
  fields: Fields;
  now: Edit_PostFragment;
}

export function Conflicts({ before, fields, now }: Props) {
  const conflicts = conflictsOf(before, fields, now);
  if (conflicts.length === 0) return null;
  return (
    <div class="Edit-conflicts" role="status" aria-label="Changed by others">
      <p>Others changed the post since you began to edit it:</p>
      <ul>
        {conflicts.map(({ text, isReplaced }) => (
          <li key={text} dir="auto">
            {text} – {isReplaced ? "what you entered replaces it" : "is kept"}
          </li>
        ))}
      </ul>
    </div>
  );
}
