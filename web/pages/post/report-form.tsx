/** The form for a flag or an appeal, loaded when it is opened. */
import { change } from "../../lib/graphql.js";
import { Form, TextField, textOf, useForm } from "../../parts/form.js";
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
