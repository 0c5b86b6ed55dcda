/** The dialog with all keyboard shortcuts of the current page. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { place } from "../lib/router.js";
import { SCRIPT_KEYS } from "../lib/tag-scripts.js";
import { PLACES, type Shortcut, shortcuts, useShortcuts } from "../lib/keys.js";
import "./dialog.css";

const NAMES: Readonly<Record<string, string>> = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

export function KeysDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [list, setList] = useState<Shortcut[]>([]);
  const open = () => {
    setList(shortcuts());
    dialog.current?.showModal();
  };
  // before the next key: an effect after the first frame would close what that key has opened
  useLayoutEffect(() => dialog.current?.close(), [place.value]);
  useShortcuts([{ keys: "?", does: "Keyboard shortcuts", run: open }]);
  return (
    <dialog
      class="Dialog"
      ref={dialog}
      aria-labelledby="keys-title"
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <form method="dialog">
        <h2 id="keys-title">Keyboard shortcuts</h2>
        <dl class="Keys">
          {list.map(({ keys, does }) => (
            <div key={keys}>
              <dt>
                {keys === SCRIPT_KEYS ? (
                  <>
                    <kbd>1</kbd> to <kbd>9</kbd>
                  </>
                ) : (
                  keys.split(" ").map((key) => <kbd key={key}>{NAMES[key] ?? key}</kbd>)
                )}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
          {Object.entries(PLACES).map(([key, [, name]]) => (
            <div key={key}>
              <dt>
                <kbd>g</kbd> <kbd>{key}</kbd>
              </dt>
              <dd>{name}</dd>
            </div>
          ))}
        </dl>
        <button class="Button" type="submit">
          Close
        </button>
      </form>
    </dialog>
  );
}
