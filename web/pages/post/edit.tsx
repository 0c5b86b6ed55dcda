/** The edit of a post. What was there before goes along, so that edits of others in between are kept. */
import type { TargetedSubmitEvent } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Problem } from "../../lib/errors.js";
import { change } from "../../lib/graphql.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { RatingField } from "../../parts/rating.js";
import { TagField } from "../../parts/tag-field.js";
import { TagPreview } from "../../parts/tag-preview.js";
import { tell } from "../../parts/toast.js";
import { type Edit_PostFragment, SavePostDocument } from "./__generated__/edit.js";

const LOCKS = [
  ["isRatingLocked", "Lock the rating", "lock"],
  ["isNoteLocked", "Lock the notes", "lock"],
  ["isStatusLocked", "Lock the status", "lockStatus"],
] as const;
type Locks = Partial<Record<(typeof LOCKS)[number][0], boolean>>;

interface LocksProps {
  post: Edit_PostFragment;
  changed: Locks;
  onChange: (locks: Locks) => void;
}

/** The locks that one may change. */
function LocksField({ post, changed, onChange }: LocksProps) {
  const own = LOCKS.filter(([, , ability]) => post.viewerCan[ability]);
  if (own.length === 0) return null;
  return (
    <fieldset class="Field">
      <legend class="Field-label">Locks</legend>
      <p class="Rating-choices">
        {own.map(([lock, label]) => (
          <label key={lock}>
            <input
              type="checkbox"
              checked={changed[lock] ?? post[lock]}
              onChange={({ currentTarget }) => onChange({ ...changed, [lock]: currentTarget.checked })}
            />
            {label}
          </label>
        ))}
      </p>
    </fieldset>
  );
}

export function Edit({ post: reference, onDone }: { post: Ref<Edit_PostFragment>; onDone: () => void }) {
  const before = useRef(unmask<Edit_PostFragment>(reference)).current;
  const [tagString, setTags] = useState(`${before.tagString} `);
  const [rating, setRating] = useState(before.rating);
  const [source, setSource] = useState(before.source);
  const [parent, setParent] = useState(String(before.parentId ?? ""));
  const [locks, setLocks] = useState<Locks>({});
  const [problem, setProblem] = useState("");
  const [isSaving, setSaving] = useState(false);
  const id = useId();
  const save = async () => {
    setSaving(true);
    setProblem("");
    try {
      const old = { oldTagString: before.tagString, oldRating: before.rating, oldSource: before.source };
      const parentId = /^\d+$/.test(parent.trim()) ? Number(parent) : null;
      const input = {
        id: before.id,
        tagString,
        rating,
        source,
        parentId,
        ...locks,
        ...old,
        oldParentId: before.parentId,
      };
      await change(SavePostDocument, { input });
      tell("Saved.");
      onDone();
    } catch (error) {
      setProblem(error instanceof Problem ? error.message : String(error));
      setSaving(false);
    }
  };
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void save();
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("textarea")?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.current?.requestSubmit();
  };
  return (
    <form class="Edit" ref={form} aria-label="Edit the post" onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <div class="Field">
        <span class="Field-label" aria-hidden="true">
          Tags
        </span>
        <TagField
          name="tags"
          label="Tags"
          value={tagString}
          onChange={setTags}
          rows={5}
          describedBy={problem ? `${id}-problem` : undefined}
        />
        <TagPreview postId={before.id} tagString={tagString} oldTagString={before.tagString} />
      </div>
      <RatingField name="rating" value={rating} onChange={setRating} />
      <p class="Field">
        <label for={`${id}-source`}>Source</label>
        <input
          id={`${id}-source`}
          value={source}
          dir="auto"
          onInput={({ currentTarget }) => setSource(currentTarget.value)}
        />
      </p>
      <p class="Field">
        <label for={`${id}-parent`}>Parent</label>
        <input
          id={`${id}-parent`}
          value={parent}
          inputMode="numeric"
          onInput={({ currentTarget }) => setParent(currentTarget.value)}
        />
      </p>
      <LocksField post={before} changed={locks} onChange={setLocks} />
      {problem && (
        <p class="Field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
      <p class="Edit-buttons">
        <button class="Button is-first" type="submit" disabled={isSaving}>
          Save
        </button>
        <button class="Button" type="button" onClick={onDone}>
          Cancel
        </button>
      </p>
    </form>
  );
}
