/** A button that hides posts with a tag, by adding the tag to the viewer's blacklist. */
import { useState } from "preact/hooks";
import { ask, change } from "../lib/graphql.js";
import { useShell } from "../lib/shell.js";
import { words } from "../titles.js";
import { BlacklistDocument, SaveBlacklistDocument } from "./__generated__/hide-tag.js";
import { Icon } from "./icon.js";
import { tell, tellProblem } from "./toast.js";

/** Adds a line to the current blacklist. */
async function hide(line: string): Promise<void> {
  const { viewer } = await ask(BlacklistDocument, {}, { since: Infinity });
  const lines = (viewer?.settings?.blacklistedTags ?? "").split(/[\r\n]+/).filter((each) => each.trim() !== "");
  if (!lines.includes(line)) await change(SaveBlacklistDocument, { lines: [...lines, line].join("\n") });
}

let last: Promise<unknown> = Promise.resolve();

/** One after the other, since each sends the whole list. @throws Problem */
function hideInTurn(line: string): Promise<void> {
  const turn = last.then(() => hide(line));
  last = turn.catch(() => undefined);
  return turn;
}

export function HideTag({ name }: { name: string }) {
  const [isBusy, setBusy] = useState(false);
  if (!useShell()?.viewer) return null;
  const onClick = () => {
    if (isBusy) return;
    setBusy(true);
    hideInTurn(name)
      .then(() => tell(`Posts with ${words(name)} are hidden. The list is on your account page.`), tellProblem)
      .finally(() => setBusy(false));
  };
  return (
    <button
      class="TagList-hide"
      type="button"
      aria-disabled={isBusy}
      title={`Hide posts with ${words(name)}`}
      onClick={onClick}
    >
      <Icon name="hide" size={14} />
    </button>
  );
}
