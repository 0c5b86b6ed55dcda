/** A preview of what saving the tags of a field would do, with aliases and implications. */
import { useEffect, useState } from "preact/hooks";
import { ask } from "../lib/graphql.js";
import { sentence } from "../titles.js";
import { unmask } from "../lib/mask.js";
import { shortCount } from "../lib/time.js";
import { words } from "../titles.js";
import {
  type TagPreview_ChangeFragment,
  TagPreviewDocument,
  type TagPreviewQuery,
} from "./__generated__/tag-preview.js";
import "./tag-preview.css";

type TagEdit = TagPreviewQuery["tagEdit"];
type Change = TagPreview_ChangeFragment;

/** Delay between the last key and the query. */
const WAIT_MILLISECONDS = 400;

interface Props {
  tagString: string;
  /** the post, and its tags when the edit began; absent for an upload */
  postId?: number;
  oldTagString?: string;
}

/** Whether two tag strings have the same tags. */
const alike = (one: string, other: string): boolean => {
  const sorted = (text: string) => [...new Set(text.split(/\s+/).filter(Boolean))].toSorted().join(" ");
  return sorted(one) === sorted(other);
};

function useTagEdit({ tagString, postId, oldTagString = "" }: Props): TagEdit | null {
  const [plan, setPlan] = useState<TagEdit | null>(null);
  useEffect(() => {
    if (alike(tagString, oldTagString)) return setPlan(null);
    let isOver = false;
    const look = () =>
      ask(TagPreviewDocument, { tagString, oldTagString, postId: postId ?? null }).then(
        ({ tagEdit }) => !isOver && setPlan(tagEdit),
        () => undefined, // saving shows the error
      );
    const timer = setTimeout(() => void look(), WAIT_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      isOver = true;
    };
  }, [tagString, postId, oldTagString]);
  return plan;
}

/** Why a tag is added, and what else is notable about it. */
function reasonOf({ aliasOf, impliedBy, isDeprecated, postCount }: Change): string {
  const why = aliasOf ? `for ${words(aliasOf)}` : impliedBy ? `implied by ${words(impliedBy)}` : "";
  return [why, isDeprecated && "deprecated", postCount === 0 && "new tag"].filter(Boolean).join(", ");
}

function Changes({ name, changes, isAdded }: { name: string; changes: readonly Change[]; isAdded: boolean }) {
  if (changes.length === 0) return null;
  const Mark = isAdded ? "ins" : "del";
  return (
    <div class="TagPreview-changes">
      <p class="TagPreview-name">{name}</p>
      <ul>
        {changes.map((change) => {
          const reason = isAdded ? reasonOf(change) : "";
          return (
            <li key={change.name} data-category={change.category.toLowerCase()}>
              <Mark dir="auto">{words(change.name)}</Mark>
              {change.postCount > 0 && isAdded && <span class="TagPreview-count"> {shortCount(change.postCount)}</span>}
              {reason && <span class="TagPreview-reason"> {reason}</span>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

export function TagPreview(props: Props) {
  const plan = useTagEdit(props);
  return (
    <div class="TagPreview" role="status" aria-label="What this edit does">
      {plan && (
        <>
          <Changes name="Adds" changes={plan.added.map((each) => unmask<Change>(each))} isAdded />
          <Changes name="Removes" changes={plan.removed.map((each) => unmask<Change>(each))} isAdded={false} />
          {plan.problems.map((problem) => (
            <p class="TagPreview-problem" key={problem}>
              {sentence(problem)}
            </p>
          ))}
        </>
      )}
    </div>
  );
}
