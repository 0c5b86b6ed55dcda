/** The comments on a post, oldest first, and a form for a new one. */
import { useState } from "preact/hooks";
import { useDocument } from "../../lib/graphql.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { fragment } from "../../lib/router.js";
import { useShell } from "../../lib/shell.js";
import { later } from "../../parts/later.js";
import { type Comments_PostFragment, OlderCommentsDocument } from "./__generated__/comments.js";
import { Comment } from "./comment.js";
import "./comments.css";

const Write = later(async () => (await import("./comment-forms.js")).Write);

/** The number of comments loaded with the post, the newest. */
const WITH_POST = 50;

/** The id of the comment that the URL names; infinite if it names none. */
const namedComment = (): number => Number(/^#comment-(\d+)$/.exec(fragment.value)?.[1] ?? Number.POSITIVE_INFINITY);

/** Older comments: shown on request, or when the URL names one of them. */
function Older({ postId, before }: { postId: number; before: number }) {
  const [isAsked, setAsked] = useState(false);
  const isShown = isAsked || namedComment() < before;
  const { data, isLoading } = useDocument(OlderCommentsDocument, { postId: [postId], page: `b${before}` }, !isShown);
  if (!data)
    return (
      <li>
        <button class="Button is-bare" type="button" disabled={isLoading} onClick={() => setAsked(true)}>
          Show older comments
        </button>
      </li>
    );
  const { nodes, pageInfo } = data.comments;
  const oldest = nodes.at(-1);
  return (
    <>
      {oldest && pageInfo.hasNextPage && <Older postId={postId} before={oldest.id} />}
      {nodes.toReversed().map((comment) => (
        <Comment key={comment.id} comment={comment} />
      ))}
    </>
  );
}

export function Comments({ post: reference }: { post: Ref<Comments_PostFragment> }) {
  const { id, comments, viewerCan } = unmask<Comments_PostFragment>(reference);
  const viewer = useShell()?.viewer;
  const [oldest] = comments;
  const hasOlder = comments.length >= WITH_POST;
  const heading = hasOlder ? "Comments" : `Comments (${comments.length})`;
  return (
    <section class="Comments" aria-labelledby="comments">
      <h2 id="comments">{oldest ? heading : "No comments yet"}</h2>
      {oldest && (
        <ol class="Comments-list">
          {hasOlder && <Older postId={id} before={oldest.id} />}
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
