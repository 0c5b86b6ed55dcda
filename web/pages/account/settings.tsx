/** The viewer's settings. */
import { useState } from "preact/hooks";
import { change } from "../../lib/graphql.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { withinInt } from "../../lib/integers.js";
import { store, storedJson } from "../../lib/stored.js";
import { knowsZone, zoneOfBrowser } from "../../lib/zone.js";
import { Form, fieldText, TextField, useForm } from "../../parts/form.js";
import { tell } from "../../parts/toast.js";
import { SaveSettingsDocument, type Settings_UserFragment } from "./__generated__/account.js";

/** The key of changes that are sent, until they are saved: the session may have ended. */
const UNSAVED = "settings";

/** A stored value as a field has it. */
const asText = (stored: string | number | boolean | null | undefined): string =>
  String(stored ?? "").replace(/\r\n?/g, "\n");

const zoneHint = (zone: string): string =>
  zone === "" || knowsZone(zone)
    ? "Of the times that you see."
    : `This browser does not know ${zone}, and shows times in UTC.`;

const textsIn = (data: FormData): string => JSON.stringify([...data]);

export function Settings({ user: reference }: { user: Ref<Settings_UserFragment> }) {
  const { settings } = unmask<Settings_UserFragment>(reference);
  const [unsaved, setUnsaved] = useState(() => storedJson(UNSAVED, "sessionStorage") as Partial<typeof settings>);
  const sending = useForm(async (data, form) => {
    const fields = {
      blacklistedTags: fieldText(data, "blacklistedTags"),
      favoriteTags: fieldText(data, "favoriteTags"),
      email: fieldText(data, "email"),
      commentThreshold: withinInt(Number(fieldText(data, "commentThreshold"))),
      timeZone: fieldText(data, "timeZone"),
      enablePrivateFavorites: data.has("enablePrivateFavorites"),
    };
    // the others may have been changed elsewhere meanwhile
    const changed = Object.entries(fields).filter(
      ([name, value]) => String(value) !== asText(settings?.[name as keyof typeof fields]),
    );
    const input = Object.fromEntries(changed) as Partial<typeof fields>;
    store(UNSAVED, JSON.stringify(input), "sessionStorage");
    await change(SaveSettingsDocument, { input });
    store(UNSAVED, "", "sessionStorage");
    setUnsaved(null);
    // to what is stored now, unless something else was typed meanwhile
    if (textsIn(new FormData(form)) === textsIn(data)) form.reset();
    tell("Your settings are saved.");
  });
  if (!settings) return null;
  const { problem } = sending;
  const shown = { ...settings, ...unsaved };
  return (
    <section aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      <Form label="Settings" submit="Save" sending={sending}>
        <TextField
          name="blacklistedTags"
          label="Blacklist"
          hint="Posts that match any of these searches are hidden. One search per line."
          rows={4}
          value={shown.blacklistedTags}
          problem={problem}
        />
        <TextField
          name="favoriteTags"
          label="Frequent tags"
          hint="Buttons of the forms for uploads and edits add these tags."
          rows={3}
          value={shown.favoriteTags}
          problem={problem}
        />
        <TextField
          name="email"
          label="E-mail"
          type="email"
          autocomplete="email"
          value={shown.email ?? ""}
          problem={problem}
        />
        <TextField
          name="commentThreshold"
          label="Collapse comments below this score"
          type="number"
          hint="A collapsed comment can be opened."
          isRequired
          value={shown.commentThreshold}
          problem={problem}
        />
        <TextField
          name="timeZone"
          label="Time zone"
          hint={`${zoneHint(settings.timeZone)} The zone of this browser is ${zoneOfBrowser()}.`}
          value={shown.timeZone}
          problem={problem}
        />
        <label class="is-line">
          <input type="checkbox" name="enablePrivateFavorites" defaultChecked={shown.enablePrivateFavorites} />
          Hide my favorites from others
        </label>
      </Form>
    </section>
  );
}
