/** Notes on a picture, in shares of it, so that they lie right at every size. */
import { useId, useState } from "preact/hooks";
import { useShortcuts } from "../../lib/keys.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { Prose } from "../../parts/prose.js";
import type { Notes_PostFragment } from "./__generated__/notes.js";

export function Notes({ post: reference }: { post: Ref<Notes_PostFragment> }) {
  const { notes, imageWidth, imageHeight } = unmask<Notes_PostFragment>(reference);
  const [isAway, setAway] = useState(false);
  const id = useId();
  const toggle = { keys: "n", does: "Show or hide the notes", run: () => setAway(!isAway) };
  useShortcuts(notes.length > 0 ? [toggle] : []);
  return (
    <div class={`Notes ${isAway ? "is-away" : ""}`}>
      {notes.map(({ id: number, x, y, width, height, bodyHtml }) => (
        <div
          key={number}
          class={`Notes-note ${x + width / 2 > imageWidth / 2 ? "is-right" : ""}`}
          style={{
            "--x": x / imageWidth,
            "--y": y / imageHeight,
            "--nw": width / imageWidth,
            "--nh": height / imageHeight,
          }}
        >
          <button type="button" aria-label="Note" aria-describedby={`${id}-${number}`} />
          <div class="Notes-text" id={`${id}-${number}`} role="tooltip">
            <Prose html={bodyHtml} />
          </div>
        </div>
      ))}
    </div>
  );
}
