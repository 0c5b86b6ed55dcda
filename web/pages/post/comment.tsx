/** A comment, with votes, and with edit, delete and restore if the viewer has the right. */
import { useEffect, useRef, useState } from "preact/hooks";
import { change } from "../../lib/graphql.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { useOpened } from "../../lib/opened.js";
import { fragment } from "../../lib/router.js";
import { useSettings } from "../../lib/shell.js";
import { voted, type VoteName } from "../../lib/vote.js";
import { Byline } from "../../parts/byline.js";
import { useExpected } from "../../parts/expected.js";
import { Icon } from "../../parts/icon.js";
import { later } from "../../parts/later.js";
import { Moment } from "../../parts/moment.js";
import { Prose } from "../../parts/prose.js";
import { tellProblem } from "../../parts/toast.js";
import {
  type Comment_CommentFragment,
  DeleteCommentDocument,
  RestoreCommentDocument,
  UnvoteCommentDocument,
  VoteCommentDocument,
} from "./__generated__/comments.js";

type Fields = Comment_CommentFragment;

const EditForm = later(async () => (await import("./comment-forms.js")).EditForm);

function Vote({ comment }: { comment: Fields }) {
  const { shown, attempt } = useExpected<Pick<Fields, "score" | "viewerVote">>(comment);
  if (!comment.viewerCan.vote) return shown.score === 0 ? null : <span>Score {shown.score}</span>;
  const vote = (score: VoteName) =>
    attempt(score, voted(shown, score), async () => {
      if (shown.viewerVote) await change(UnvoteCommentDocument, { commentId: comment.id });
      if (shown.viewerVote !== score) await change(VoteCommentDocument, { commentId: comment.id, score });
    });
  const button = (score: VoteName, label: string, icon: "up" | "down") => (
    <button
      class="Button is-bare"
      type="button"
      aria-pressed={shown.viewerVote === score}
      aria-label={label}
      onClick={() => vote(score)}
    >
      <Icon name={icon} size={14} />
    </button>
  );
  return (
    <span class="Comment-vote" role="group" aria-label="Vote on the comment">
      {button("UP", "Vote the comment up", "up")}
      <span class="Comment-score">
        <span class="Unseen">Score </span>
        {shown.score}
      </span>
      {button("DOWN", "Vote the comment down", "down")}
    </span>
  );
}

function Text({ comment }: { comment: Fields }) {
  if (comment.isDeleted && comment.bodyHtml === "") return <p class="Comment-away">Deleted</p>;
  return <Prose html={comment.bodyHtml} />;
}

/** Scrolls an element into view when the URL names it. */
function useNamed(name: string) {
  const element = useRef<HTMLLIElement>(null);
  const isNamed = fragment.value === `#${name}`;
  useEffect(() => {
    if (!isNamed) return;
    element.current?.focus({ preventScroll: true });
    element.current?.scrollIntoView({ block: "center" });
  }, [isNamed]);
  return { element, isNamed };
}

/**
 * Whether a comment is collapsed for its score, until it is opened or the URL names it; undefined if it never is. A vote does not
 * collapse what the viewer reads.
 */
function useCollapsed({ score, isSticky, isDeleted }: Fields, isNamed: boolean) {
  const threshold = useSettings()?.commentThreshold ?? -Infinity;
  const [isLow] = useState(score < threshold && !isSticky && !isDeleted);
  const [isOpen, setOpen] = useState(false);
  const toggle = () => setOpen(!isOpen);
  return isLow && !isNamed ? { isCollapsed: !isOpen, toggle } : undefined;
}

export function Comment({ comment: reference }: { comment: Ref<Fields> }) {
  const comment = unmask<Fields>(reference);
  const { id, viewerCan, isDeleted } = comment;
  const anchor = `comment-${id}`;
  const { element, isNamed } = useNamed(anchor);
  const low = useCollapsed(comment, isNamed);
  const edit = useOpened();
  const action = (name: string, run: () => void, isExpanded?: boolean, opener?: typeof edit.opener) => (
    <button
      class="Button is-bare"
      type="button"
      ref={opener}
      aria-label={`${name} the comment`}
      aria-expanded={isExpanded}
      onClick={run}
    >
      {name}
    </button>
  );
  const send = (document: typeof DeleteCommentDocument | typeof RestoreCommentDocument) => () => {
    element.current?.focus({ preventScroll: true }); // the button disappears
    void change<unknown, { id: number }>(document, { id }).catch(tellProblem);
  };
  return (
    <li class={`Comment ${isNamed ? "is-named" : ""}`} id={anchor} ref={element} tabIndex={-1}>
      <p class="Comment-head">
        {comment.creator && <Byline user={comment.creator} />}
        <a class="Comment-link" href={`#${anchor}`}>
          <Moment time={comment.createdAt} />
        </a>
        {comment.isSticky && <span>Pinned</span>}
        {isDeleted && comment.bodyHtml !== "" && <span>Deleted</span>}
        <Vote comment={comment} />
        {low && action(low.isCollapsed ? "Show" : "Hide", low.toggle, !low.isCollapsed)}
        {viewerCan.update && action("Edit", edit.open, edit.isOpen, edit.opener)}
        {viewerCan.delete && !isDeleted && action("Delete", send(DeleteCommentDocument))}
        {viewerCan.undelete && action("Restore", send(RestoreCommentDocument))}
      </p>
      {edit.isOpen && <EditForm comment={comment} formId={edit.formId} onDone={edit.close} />}
      {!edit.isOpen && !low?.isCollapsed && <Text comment={comment} />}
    </li>
  );
}
