/** The forms for a new comment, and for the edit of an existing one. */
import { useId, useRef } from "preact/hooks";
import { useDraft } from "../../lib/drafts.js";
import { change } from "../../lib/graphql.js";
import { focusField } from "../../lib/opened.js";
import { FormButtons } from "../../parts/form-buttons.js";
import { useForm } from "../../parts/form.js";
import { tell } from "../../parts/toast.js";
import { WritingField } from "../../parts/writing-field.js";
import { AddCommentDocument, type Comment_CommentFragment, SaveCommentDocument } from "./__generated__/comments.js";

export function Write({ postId }: { postId: number }) {
  const [text, keepDraft] = useDraft(`comment ${postId}`);
  const latest = useRef(text);
  latest.current = text;
  const { problem, isSending, onSubmit } = useForm(async () => {
    await change(AddCommentDocument, { input: { postId, body: text } });
    if (latest.current === text) keepDraft(""); // nothing was typed meanwhile
    tell("Comment posted.");
  });
  const id = useId();
  return (
    <form class="Comments-form" onSubmit={onSubmit}>
      <WritingField id={id} label="Your comment" value={text} onChange={keepDraft} problem={problem}>
        <button class="Button is-first" type="submit" disabled={isSending || text.trim() === ""}>
          Comment
        </button>
      </WritingField>
    </form>
  );
}

export function EditForm({ comment, onDone }: { comment: Comment_CommentFragment; onDone: () => void }) {
  const [text, keepDraft] = useDraft(`edit of comment ${comment.id}`, comment.body);
  const close = () => {
    keepDraft(comment.body);
    onDone();
  };
  const { problem, isSending, onSubmit } = useForm(async () => {
    await change(SaveCommentDocument, { input: { id: comment.id, body: text } });
    close();
  });
  const id = useId();
  return (
    <form class="Comments-form" ref={focusField} aria-label="Edit the comment" onSubmit={onSubmit}>
      <WritingField id={id} label="The comment" value={text} onChange={keepDraft} problem={problem}>
        <FormButtons isSaving={isSending} isEmpty={text.trim() === ""} onCancel={close} />
      </WritingField>
    </form>
  );
}
