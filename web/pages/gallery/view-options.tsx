/** Options of layout, blur and theme. */
import type { TargetedFocusEvent, TargetedKeyboardEvent } from "preact";
import { useId } from "preact/hooks";
import { prefer, preferences } from "../../lib/preferences.js";
import { CHOICES, type Preference } from "../../preferences.js";

const NAMES: Readonly<Record<Preference, string>> = {
  theme: "Colours",
  rows: "Rows",
  tiles: "Pictures",
  blur: "Blurred",
};
const WORDS: Readonly<Record<string, string>> = {
  auto: "System",
  light: "Light",
  dark: "Dark",
  medium: "Medium",
  compact: "Small",
  large: "Large",
  shaped: "Original shape",
  square: "Square",
  clear: "None",
  explicit: "Explicit",
  unsafe: "All but safe",
};

function Choice({ name }: { name: Preference }) {
  const id = useId();
  return (
    <p class="ViewOptions-choice">
      <label for={id}>{NAMES[name]}</label>
      <select
        id={id}
        value={preferences.value[name]}
        onChange={({ currentTarget }) => prefer(name, currentTarget.value)}
      >
        {CHOICES[name].map((each) => (
          <option key={each} value={each}>
            {WORDS[each]}
          </option>
        ))}
      </select>
    </p>
  );
}

type Options = HTMLDetailsElement;

function closeByKey(event: TargetedKeyboardEvent<Options>): void {
  const { currentTarget: options } = event;
  if (event.key !== "Escape" || !options.open) return;
  event.preventDefault();
  options.open = false;
  options.querySelector("summary")?.focus();
}

/** They would hide what has the focus. */
function closeBehind({ currentTarget, relatedTarget }: TargetedFocusEvent<Options>): void {
  if (relatedTarget && !currentTarget.contains(relatedTarget as Node)) currentTarget.open = false;
}

export function ViewOptions() {
  return (
    <details class="ViewOptions" onKeyDown={closeByKey} onFocusOut={closeBehind}>
      <summary>View</summary>
      <div class="ViewOptions-list">
        {(Object.keys(CHOICES) as Preference[]).map((name) => (
          <Choice key={name} name={name} />
        ))}
      </div>
    </details>
  );
}
