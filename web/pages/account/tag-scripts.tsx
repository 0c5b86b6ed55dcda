/** The tag scripts of this browser. */
import { keepTagScripts, tagScripts } from "../../lib/tag-scripts.js";
import { Form, textOf, TextField, useForm } from "../../parts/form.js";
import { tell } from "../../parts/toast.js";

export function TagScripts() {
  const sending = useForm(async (data) => {
    keepTagScripts(textOf(data, "scripts"));
    tell("Your tag scripts are kept.");
  });
  return (
    <section aria-labelledby="scripts">
      <h2 id="scripts">Tag scripts</h2>
      <Form label="Tag scripts" submit="Keep" sending={sending}>
        <TextField
          name="scripts"
          label="What the keys 1 to 9 change"
          hint="On each line tags to add, and with - to take away: the first line is that of the key 1. It edits the post that is shown, or the posts that are chosen. This browser alone keeps them, until you sign out."
          rows={9}
          value={tagScripts()}
        />
      </Form>
    </section>
  );
}
