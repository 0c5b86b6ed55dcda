/** Flags and appeals of a post. */
import { useRef, useState } from "preact/hooks";
import { useDocument } from "../../lib/graphql.js";
import { isElsewhere } from "../../lib/keys.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { useShell } from "../../lib/shell.js";
import { ReasonsDocument } from "./__generated__/reasons.js";
import type { Report_PostFragment } from "./__generated__/report.js";
import { type Kind, ReportForm } from "./report-form.js";

const NAMES = { flag: "Flag", appeal: "Appeal" } as const;
const DONE = { flag: "flagged", appeal: "appealed" } as const;

export function Report({ post: reference }: { post: Ref<Report_PostFragment> }) {
  const { id, viewerCan, isDeleted, isFlagged } = unmask<Report_PostFragment>(reference);
  const [kind, setKind] = useState<Kind | null>(null);
  const { data, isLoading } = useDocument(ReasonsDocument, { id }, !isFlagged && !kind);
  const viewerId = useShell()?.viewer?.id;
  const hasFlagged = data?.post?.flags.some(({ isDeletion, creator }) => !isDeletion && creator?.id === viewerId);
  const hasAppealed = data?.post?.appeals.some(({ creator }) => creator?.id === viewerId);
  const isDone = kind && { flag: hasFlagged && !isFlagged, appeal: hasAppealed }[kind];
  const root = useRef<HTMLElement>(null);
  const close = () => {
    const hasLeft = isElsewhere(root.current);
    setKind(null);
    if (!hasLeft) root.current?.focus(); // its button may be gone
  };
  // a deleted post can't be flagged, nor twice by the same user, and only deleted or flagged ones are appealed
  const isOffered = {
    flag: viewerCan.flag && !isDeleted && !(isFlagged && hasFlagged),
    appeal: viewerCan.appeal && (isDeleted || isFlagged),
  };
  const kinds = (["flag", "appeal"] as const).filter((each) => isOffered[each]);
  if (kinds.length === 0) return null;
  return (
    <section class="Report" aria-label="Report" ref={root} tabIndex={-1}>
      <p class="Report-buttons">
        {kinds.map((each) => (
          <button
            key={each}
            class="Button is-bare"
            type="button"
            aria-expanded={kind === each}
            onClick={() => setKind(kind === each ? null : each)}
          >
            {NAMES[each]}
          </button>
        ))}
      </p>
      {isDone ? (
        <p role="alert">You have {DONE[kind]} this post before.</p>
      ) : (
        kind && !isLoading && <ReportForm key={kind} kind={kind} name={NAMES[kind]} postId={id} onDone={close} />
      )}
    </section>
  );
}
