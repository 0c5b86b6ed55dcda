/** Sets a new password by a recovery token, which the board's administrators create. */
import { change } from "../../lib/graphql.js";
import { fragment, go } from "../../lib/router.js";
import { useTitle } from "../../lib/title.js";
import { Form, fieldText, TextField, useForm } from "../../parts/form.js";
import { tell } from "../../parts/toast.js";
import { RecoverDocument } from "./__generated__/recover.js";

export function Page() {
  useTitle("New password");
  const sending = useForm(async (data) => {
    const input = { token: fieldText(data, "token").trim(), password: fieldText(data, "password") };
    const answer = await change(RecoverDocument, { input });
    tell(`The password of ${answer.recoverAccount?.user.name ?? "the account"} was set. Sign in with it.`);
    go("/login");
  });
  const { problem } = sending;
  return (
    <div class="Sheet">
      <h1>New password</h1>
      <p>
        This board sends no mail. If you lost your password, ask one of its administrators for a recovery token, and
        enter it here within an hour. A new password signs you out everywhere and replaces the API key.
      </p>
      <Form label="Set a new password" submit="Set the password" sending={sending}>
        <TextField name="token" label="Token" value={fragment.value.slice(1)} isRequired problem={problem} />
        <TextField
          name="password"
          label="New password"
          type="password"
          hint="8 characters or more."
          autocomplete="new-password"
          isRequired
          problem={problem}
        />
      </Form>
      <p>
        <a href="/login">Sign in</a>
      </p>
    </div>
  );
}
