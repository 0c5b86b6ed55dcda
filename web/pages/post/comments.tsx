/** What people say about a post, oldest first, and a place to say something. */
import type { TargetedSubmitEvent } from "preact";
import { useId, useState } from "preact/hooks";
import { Problem } from "../../lib/errors.js";
import { useDraft } from "../../lib/drafts.js";
import { change } from "../../lib/graphql.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { useShell } from "../../lib/shell.js";
import { tell } from "../../parts/toast.js";
import { WritingField } from "../../parts/writing-field.js";
import { AddCommentDocument, type Comments_PostFragment } from "./__generated__/comments.js";
import { Comment } from "./comment.js";
import "./comments.css";

function Write({ postId }: { postId: number }) {
  const [text, keepDraft] = useDraft(`comment ${postId}`);
  const [problem, setProblem] = useState("");
  const [isSending, setSending] = useState(false);
  const id = useId();
  const send = async () => {
    setSending(true);
    setProblem("");
    try {
      await change(AddCommentDocument, { input: { postId, body: text } });
      keepDraft("");
      tell("Your comment is there.");
    } catch (error) {
      setProblem(error instanceof Problem ? error.message : String(error));
    } finally {
      setSending(false);
    }
  };
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (text.trim() !== "") void send();
  };
  return (
    <form class="Comments-form" onSubmit={onSubmit}>
      <WritingField id={id} label="Your comment" value={text} onChange={keepDraft} problem={problem} />
      <button class="Button is-first" type="submit" disabled={isSending || text.trim() === ""}>
        Comment
      </button>
    </form>
  );
}

export function Comments({ post: reference }: { post: Ref<Comments_PostFragment> }) {
  const { id, comments, viewerCan } = unmask<Comments_PostFragment>(reference);
  const viewer = useShell()?.viewer;
  return (
    <section class="Comments" aria-labelledby="comments">
      <h2 id="comments">{comments.length === 0 ? "No comments yet" : `Comments (${comments.length})`}</h2>
      {comments.length > 0 && (
        <ol class="Comments-list">
          {comments.map((comment) => (
            <Comment key={comment.id} comment={comment} />
          ))}
        </ol>
      )}
      {viewerCan.comment && <Write postId={id} />}
      {!viewer && (
        <p>
          <a href={`/login?next=${encodeURIComponent(`/posts/${id}`)}`}>Sign in</a> to comment.
        </p>
      )}
    </section>
  );
}
