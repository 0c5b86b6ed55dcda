/** The comments before those that are loaded with a post, a page at a time. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useDocument } from "../../lib/graphql.js";
import { fragment } from "../../lib/router.js";
import { OlderCommentsDocument } from "./__generated__/older-comments.js";
import { Comment } from "./comment.js";

/** The id of the comment that the URL names; infinite if it names none. */
const namedComment = (): number => Number(/^#comment-(\d+)$/.exec(fragment.value)?.[1] ?? Number.POSITIVE_INFINITY);

/** Older comments: shown on request, or when the URL names one of them. */
export function OlderComments({ postId, before }: { postId: number; before: number }) {
  const [isAsked, setAsked] = useState(false);
  const isShown = isAsked || namedComment() < before;
  const asked = useDocument(OlderCommentsDocument, { postId: [postId], page: `b${before}` }, !isShown);
  // those shown stay, and with them the pages before, while a new comment moves the limit
  const shown = useRef(asked.data);
  const data = (shown.current = asked.data ?? shown.current);
  const nearest = data?.comments.nodes[0]?.id;
  useLayoutEffect(() => {
    // the button is gone
    if (isAsked && document.activeElement === document.body) document.getElementById(`comment-${nearest}`)?.focus();
  }, [nearest]);
  if (!data)
    return (
      <li>
        <button class="Button is-bare" type="button" aria-disabled={asked.isLoading} onClick={() => setAsked(true)}>
          Show older comments
        </button>
      </li>
    );
  const { nodes, pageInfo } = data.comments;
  const oldest = nodes.at(-1);
  return (
    <>
      {oldest && pageInfo.hasNextPage && <OlderComments postId={postId} before={oldest.id} />}
      {nodes.toReversed().map((comment) => (
        <Comment key={comment.id} comment={comment} />
      ))}
    </>
  );
}
