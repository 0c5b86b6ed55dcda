/** The form to edit a post. It sends the previous values too, so that edits made by others meanwhile are kept. */
import type { TargetedKeyboardEvent } from "preact";
import { useId } from "preact/hooks";
import { change } from "../../lib/graphql.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { focusField } from "../../lib/opened.js";
import { FormButtons } from "../../parts/form-buttons.js";
import { FrequentTags } from "../../parts/frequent-tags.js";
import { problemsOf, sendByKey, TextField, useForm } from "../../parts/form.js";
import { ProblemLine } from "../../parts/problem-line.js";
import { parentIn } from "../../lib/integers.js";
import { RatingField } from "../../parts/rating.js";
import { TagField } from "../../parts/tag-field.js";
import { TagPreview } from "../../parts/tag-preview.js";
import { tell } from "../../parts/toast.js";
import { type Edit_PostFragment, SavePostDocument } from "./__generated__/edit.js";
import { Conflicts } from "./edit-conflicts.js";
import { type Before, type Fields, LOCKS, type Locks, useEditDraft } from "./edit-draft.js";
import "./edit.css";

interface LocksProps {
  post: Edit_PostFragment;
  changed: Locks;
  onChange: (locks: Locks) => void;
}

/** The locks that the viewer may change. */
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

/** The input: current and previous values of the fields, so that what others changed is kept. */
const inputOf = (id: number, { tagString, rating, source, parent, locks }: Fields, before: Before) => ({
  id,
  tagString,
  rating,
  source,
  parentId: parentIn(parent),
  ...locks,
  oldTagString: before.tagString,
  oldRating: before.rating,
  oldSource: before.source,
  oldParentId: before.parentId,
});

interface EditProps {
  post: Ref<Edit_PostFragment>;
  formId: string;
  onDone: () => void;
}

export function Edit({ post: reference, formId, onDone }: EditProps) {
  const post = unmask<Edit_PostFragment>(reference);
  const draft = useEditDraft(post);
  const { fields, before } = draft;
  const { problem, isSaidByFields, isSending, onSubmit } = useForm(async () => {
    const { updatePost } = await change(SavePostDocument, { input: inputOf(post.id, fields, before) });
    const saved = updatePost && unmask<Edit_PostFragment>(updatePost.post);
    tell("Saved.");
    if (draft.sent(fields, saved)) onDone();
  });
  const cancel = () => {
    draft.forget();
    onDone();
  };
  /** Ctrl Enter saves; Esc closes the form and keeps the draft. */
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLFormElement>) => {
    if (event.key === "Escape") return onDone();
    sendByKey(event);
  };
  const id = useId();
  const wrongTags = problemsOf(problem, "tagString", "Tags");
  return (
    <form
      class="Edit"
      id={formId}
      ref={focusField}
      aria-label="Edit the post"
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
    >
      {draft.isOld && (
        <p role="status" aria-label="Draft">
          This is your draft, which was not saved.{" "}
          <button class="Button is-bare" type="button" onClick={draft.forget}>
            Discard it
          </button>
        </p>
      )}
      <Conflicts before={before} fields={fields} now={post} />
      <div class="Field">
        <span class="Field-label" aria-hidden="true">
          Tags
        </span>
        <TagField
          name="tags"
          label="Tags"
          value={fields.tagString}
          onChange={(tagString) => draft.change({ tagString })}
          rows={5}
          isInvalid={wrongTags !== ""}
          describedBy={wrongTags ? `${id}-tags` : undefined}
        />
        <FrequentTags value={fields.tagString} onChange={(tagString) => draft.change({ tagString })} />
        {wrongTags && (
          <p class="Field-problem" id={`${id}-tags`}>
            {wrongTags}
          </p>
        )}
        <TagPreview postId={post.id} tagString={fields.tagString} oldTagString={before.tagString} />
      </div>
      <RatingField name="rating" value={fields.rating} onChange={(rating) => draft.change({ rating })} />
      <TextField
        name="source"
        label="Source"
        value={fields.source}
        onChange={(source) => draft.change({ source })}
        problem={problem}
      />
      <TextField
        name="parentId"
        label="Parent"
        isNumber
        value={fields.parent}
        onChange={(parent) => draft.change({ parent })}
        problem={problem}
      />
      <LocksField post={post} changed={fields.locks} onChange={(locks) => draft.change({ locks })} />
      {problem && !isSaidByFields && <ProblemLine problem={problem} />}
      <p class="FormButtons">
        <FormButtons isSaving={isSending} onCancel={cancel} />
      </p>
    </form>
  );
}
