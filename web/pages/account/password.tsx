/** The form for a new password, which ends all other sessions and replaces the API key. */
import { change } from "../../lib/graphql.js";
import { Form, UserName, fieldText, TextField, useForm } from "../../parts/form.js";
import { tell } from "../../parts/toast.js";
import { ChangePasswordDocument } from "./__generated__/account.js";
import { wrongAt } from "./wrong-password.js";

/** @param onChange called when the password, and with it the key and the sessions, is another one */
export function Password({ name, onChange }: { name: string; onChange: () => void }) {
  const sending = useForm(async (data, form) => {
    const input = { oldPassword: fieldText(data, "oldPassword"), password: fieldText(data, "password") };
    await change(ChangePasswordDocument, { input }).catch(wrongAt("oldPassword"));
    form.reset();
    tell("Your password is changed.");
    onChange();
  });
  const { problem } = sending;
  return (
    <section aria-labelledby="password">
      <h2 id="password">Password</h2>
      <p>A new password signs out all other browsers and replaces the API key.</p>
      <Form label="Password" submit="Change the password" sending={sending}>
        <UserName name={name} />
        <TextField
          name="oldPassword"
          label="Current password"
          type="password"
          autocomplete="current-password"
          isRequired
          problem={problem}
        />
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
    </section>
  );
}
