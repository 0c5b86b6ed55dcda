/** Asking the staff to delete a post, or to keep it. */
import { useState } from "preact/hooks";
import { change } from "../../lib/graphql.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { Form, TextField, textOf, useForm } from "../../parts/form.js";
import { tell } from "../../parts/toast.js";
import { AppealPostDocument, FlagPostDocument, type Report_PostFragment } from "./__generated__/report.js";

type Kind = "flag" | "appeal";
const KINDS = {
  flag: { name: "Flag", title: "Flag the post", hint: "Why it should be deleted.", done: "Flagged." },
  appeal: { name: "Appeal", title: "Appeal for the post", hint: "Why it should be kept.", done: "Appealed." },
} as const;

function ReportForm({ kind, postId, onDone }: { kind: Kind; postId: number; onDone: () => void }) {
  const { title, hint, done, name } = KINDS[kind];
  const sending = useForm(async (data) => {
    const asked = { postId, reason: textOf(data, "reason") };
    await (kind === "flag" ? change(FlagPostDocument, asked) : change(AppealPostDocument, asked));
    tell(done);
    onDone();
  });
  return (
    <Form label={title} submit={name} sending={sending}>
      <TextField name="reason" label="Reason" hint={hint} rows={3} isRequired problem={sending.problem} />
    </Form>
  );
}

export function Report({ post: reference }: { post: Ref<Report_PostFragment> }) {
  const { id, viewerCan, isDeleted, isFlagged } = unmask<Report_PostFragment>(reference);
  const [kind, setKind] = useState<Kind | null>(null);
  // a deleted post is not flagged, and nobody appeals for one that nothing is said against
  const isOffered = { flag: viewerCan.flag && !isDeleted, appeal: viewerCan.appeal && (isDeleted || isFlagged) };
  const kinds = (["flag", "appeal"] as const).filter((each) => isOffered[each]);
  if (kinds.length === 0) return null;
  return (
    <section class="Report" aria-label="Report">
      <p class="Report-buttons">
        {kinds.map((each) => (
          <button
            key={each}
            class="Button is-bare"
            type="button"
            aria-expanded={kind === each}
            onClick={() => setKind(kind === each ? null : each)}
          >
            {KINDS[each].name}
          </button>
        ))}
      </p>
      {kind && <ReportForm key={kind} kind={kind} postId={id} onDone={() => setKind(null)} />}
    </section>
  );
}
