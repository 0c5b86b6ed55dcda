/** The forms for a new comment, and for the edit of an existing one. */
import { useId, useRef } from "preact/hooks";
import { useDraft } from "../../lib/drafts.js";
import { change } from "../../lib/graphql.js";
import { focusField } from "../../lib/opened.js";
import { ChangedByOthers } from "../../parts/changed-by-others.js";
import { FormButtons } from "../../parts/form-buttons.js";
import { useForm } from "../../parts/form.js";
import { tell } from "../../parts/toast.js";
import { WritingField } from "../../parts/writing-field.js";
import { AddCommentDocument, SaveCommentDocument } from "./__generated__/comment-forms.js";
import type { Comment_CommentFragment } from "./__generated__/comments.js";

export function Write({ postId }: { postId: number }) {
  const [text, keepDraft, sent] = useDraft(`comment ${postId}`);
  const { problem, isSending, onSubmit } = useForm(async () => {
    await change(AddCommentDocument, { input: { postId, body: text } });
    sent(text);
    tell("Comment posted.");
  });
  const id = useId();
  return (
    <form class="Comments-form" onSubmit={onSubmit}>
      <WritingField id={id} label="Your comment" value={text} onChange={keepDraft} problem={problem}>
        <button class="Button is-first" type="submit" aria-disabled={isSending || text.trim() === ""}>
          Comment
        </button>
      </WritingField>
    </form>
  );
}

interface EditFormProps {
  comment: Comment_CommentFragment;
  formId: string;
  onDone: () => void;
}

export function EditForm({ comment, formId, onDone }: EditFormProps) {
  const [text, keepDraft, sent, begun] = useDraft(`edit of comment ${comment.id}`, comment.body);
  // the text as the edit began, and as it was sent
  const known = useRef(new Set([begun])).current;
  const close = () => {
    keepDraft(comment.body);
    onDone();
  };
  const { problem, isSending, onSubmit } = useForm(async () => {
    known.add(text);
    await change(SaveCommentDocument, { input: { id: comment.id, body: text } });
    if (sent(text)) onDone();
  });
  const id = useId();
  return (
    <form class="Comments-form" id={formId} ref={focusField} aria-label="Edit the comment" onSubmit={onSubmit}>
      <ChangedByOthers record="comment" known={known} now={comment.body} />
      <WritingField id={id} label="The comment" value={text} onChange={keepDraft} problem={problem}>
        <FormButtons isSaving={isSending} isEmpty={text.trim() === ""} onCancel={close} />
      </WritingField>
    </form>
  );
}
