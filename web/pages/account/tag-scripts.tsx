/** The tag scripts of this browser. */
import { Problem } from "../../lib/errors.js";
import { keepTagScripts, tagScripts } from "../../lib/tag-scripts.js";
import { Form, fieldText, TextField, useForm } from "../../parts/form.js";
import { tell } from "../../parts/toast.js";

export function TagScripts() {
  const sending = useForm(async (data) => {
    try {
      keepTagScripts(fieldText(data, "scripts"));
    } catch {
      throw new Problem("This browser stores nothing, or is full.", "");
    }
    tell("Your tag scripts are saved.");
  });
  return (
    <section aria-labelledby="scripts">
      <h2 id="scripts">Tag scripts</h2>
      <Form label="Tag scripts" submit="Save" sending={sending}>
        <TextField
          name="scripts"
          label="Scripts of the keys 1 to 9"
          hint="One script per line, the first for key 1: tags to add, or to remove with -. A script edits the open post or the selected posts. Scripts are saved only in this browser, until you sign out."
          rows={9}
          value={tagScripts()}
        />
      </Form>
    </section>
  );
}
