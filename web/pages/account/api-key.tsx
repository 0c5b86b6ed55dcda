/** The viewer's API key. */
import { useState } from "preact/hooks";
import { change } from "../../lib/graphql.js";
import { Form, UserName, fieldText, TextField, useForm } from "../../parts/form.js";
import { tell } from "../../parts/toast.js";
import { RotateKeyDocument } from "./__generated__/account.js";
import { wrongAt } from "./wrong-password.js";

/** The button that shows it disappears. */
const focus = (key: HTMLElement | null): void => key?.focus();

export function ApiKey({ name, apiKey }: { name: string; apiKey: string }) {
  const [isShown, setShown] = useState(false);
  const sending = useForm(async (data, form) => {
    await change(RotateKeyDocument, { password: fieldText(data, "password") }).catch(wrongAt("password"));
    form.reset();
    tell("The API key was changed.");
    setShown(true);
  });
  return (
    <section aria-labelledby="key">
      <h2 id="key">API key</h2>
      <p>Programs sign in with your name and this key. It gives the same access as your password: keep it secret.</p>
      {isShown ? (
        <p>
          <code class="Account-key" tabIndex={-1} ref={focus}>
            {apiKey}
          </code>
        </p>
      ) : (
        <p>
          <button class="Button" type="button" onClick={() => setShown(true)}>
            Show the key
          </button>
        </p>
      )}
      <details>
        <summary>Replace the key</summary>
        <Form label="Replace the key" submit="Replace" sending={sending}>
          <UserName name={name} />
          <TextField
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
            isRequired
            problem={sending.problem}
          />
        </Form>
      </details>
    </section>
  );
}
