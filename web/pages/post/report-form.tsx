/** The form for a flag or an appeal, loaded when it is opened. */
import { useDraft } from "../../lib/drafts.js";
import { change } from "../../lib/graphql.js";
import { focusField } from "../../lib/opened.js";
import { Form, TextField, useForm } from "../../parts/form.js";
import { tell } from "../../parts/toast.js";
import { AppealPostDocument, FlagPostDocument } from "./__generated__/report.js";

export type Kind = "flag" | "appeal";
const KINDS = {
  flag: { title: "Flag the post", hint: "Why it should be deleted.", done: "Flagged." },
  appeal: { title: "Appeal the post", hint: "Why it should be kept.", done: "Appealed." },
} as const;

export function ReportForm({
  kind,
  name,
  postId,
  onDone,
}: {
  kind: Kind;
  name: string;
  postId: number;
  onDone: () => void;
}) {
  const { title, hint, done } = KINDS[kind];
  const [reason, keepDraft] = useDraft(`${kind} ${postId}`);
  const sending = useForm(async () => {
    const asked = { postId, reason };
    await (kind === "flag" ? change(FlagPostDocument, asked) : change(AppealPostDocument, asked));
    keepDraft("");
    tell(done);
    onDone();
  });
  const cancel = () => {
    keepDraft("");
    onDone();
  };
  return (
    <Form label={title} submit={name} sending={sending} formRef={focusField} onCancel={cancel} onClose={onDone}>
      <TextField
        name="reason"
        label="Reason"
        hint={hint}
        rows={3}
        isRequired
        value={reason}
        onChange={keepDraft}
        problem={sending.problem}
      />
    </Form>
  );
}
