/** The edit of a post. What was there before goes along, so that edits of others in between are kept. */
import type { TargetedSubmitEvent } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { Problem } from "../../lib/errors.js";
import { change } from "../../lib/graphql.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { RatingField } from "../../parts/rating.js";
import { TagField } from "../../parts/tag-field.js";
import { tell } from "../../parts/toast.js";
import { type Edit_PostFragment, SavePostDocument } from "./__generated__/edit.js";

export function Edit({ post: reference, onDone }: { post: Ref<Edit_PostFragment>; onDone: () => void }) {
  const before = useRef(unmask<Edit_PostFragment>(reference)).current;
  const [tagString, setTags] = useState(`${before.tagString} `);
  const [rating, setRating] = useState(before.rating);
  const [source, setSource] = useState(before.source);
  const [parent, setParent] = useState(String(before.parentId ?? ""));
  const [problem, setProblem] = useState("");
  const [isSaving, setSaving] = useState(false);
  const id = useId();
  const save = async () => {
    setSaving(true);
    setProblem("");
    try {
      const old = { oldTagString: before.tagString, oldRating: before.rating, oldSource: before.source };
      const parentId = /^\d+$/.test(parent.trim()) ? Number(parent) : null;
      const input = { id: before.id, tagString, rating, source, parentId, ...old, oldParentId: before.parentId };
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
  return (
    <form class="Edit" aria-label="Edit the post" onSubmit={onSubmit}>
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
