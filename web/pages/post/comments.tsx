/** The comments on a post, oldest first, and a form for a new one. */
import { type Ref, unmask } from "../../lib/mask.js";
import { loginUrl } from "../../lib/session.js";
import { useShell } from "../../lib/shell.js";
import { later } from "../../parts/later.js";
import type { Comments_PostFragment } from "./__generated__/comments.js";
import { Comment } from "./comment.js";
import "./comments.css";

const Write = later(async () => (await import("./comment-forms.js")).Write);

const OlderComments = later(async () => (await import("./older-comments.js")).OlderComments);

/** The number of comments shown with the post, the newest; one more is loaded, which tells whether there are older ones. */
const WITH_POST = 50;

export function Comments({ post: reference }: { post: Ref<Comments_PostFragment> }) {
  const { id, comments: loaded, viewerCan } = unmask<Comments_PostFragment>(reference);
  const viewer = useShell()?.viewer;
  const comments = loaded.slice(-WITH_POST);
  const [oldest] = comments;
  const hasOlder = loaded.length > WITH_POST;
  const heading = hasOlder ? "Comments" : `Comments (${comments.length})`;
  return (
    <section class="Comments" aria-labelledby="comments">
      <h2 id="comments">{oldest ? heading : "No comments yet"}</h2>
      {oldest && (
        <ol class="Comments-list">
          {hasOlder && <OlderComments postId={id} before={oldest.id} />}
          {comments.map((comment) => (
            <Comment key={comment.id} comment={comment} />
          ))}
        </ol>
      )}
      {viewerCan.comment && <Write postId={id} />}
      {!viewer && (
        <p>
          <a href={loginUrl()}>Sign in</a> to comment.
        </p>
      )}
    </section>
  );
}
