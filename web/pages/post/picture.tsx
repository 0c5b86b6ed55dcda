/** The picture or video, in the window, as wide as there is room, or in its own size; notes lie on it at every size. */
import { useRef, useState } from "preact/hooks";
import { useShortcuts } from "../../lib/keys.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { blur } from "../../lib/placeholder.js";
import { type Beside, useSwipe } from "../../lib/swipe.js";
import { words } from "../../titles.js";
import type { Picture_PostFragment } from "./__generated__/picture.js";
import type { Notes_PostFragment } from "./notes/__generated__/notes.js";
import { useNotes } from "./notes/layer.js";
import { Notes, NotesBar } from "./notes/notes.js";
import { SCROLLED } from "./scroll.js";
import "./picture.css";

const FITS = { window: "Fit the window", width: "Fit the width", original: "Original size" } as const;
type Fit = keyof typeof FITS;
const ORDER: readonly Fit[] = ["window", "width", "original"];
const isVideo = ({ fileExt }: Picture_PostFragment): boolean => fileExt === "mp4" || fileExt === "webm";

interface Props {
  post: Ref<Picture_PostFragment>;
  notes: Ref<Notes_PostFragment>;
  beside: Beside;
}

export function Picture({ post: reference, notes, beside }: Props) {
  const post = unmask<Picture_PostFragment>(reference);
  const [fit, setFit] = useState<Fit>("window");
  const [isOriginal, setOriginal] = useState(false);
  const [loaded, setLoaded] = useState<string | null>(null);
  const layer = useNotes(notes);
  const scrolled = useRef<HTMLDivElement>(null);
  const isHandled = layer.isDrawing || layer.fresh !== null || layer.selected !== null;
  useSwipe(scrolled, beside, fit !== "original" && !isHandled);
  const { fileUrl, largeFileUrl, hasLarge } = post;
  useShortcuts([
    {
      keys: "z",
      does: "Change the size",
      run: () => setFit(ORDER[(ORDER.indexOf(fit) + 1) % ORDER.length] ?? "window"),
    },
    ...(hasLarge ? [{ keys: "v", does: "Show the original file", run: () => setOriginal(!isOriginal) }] : []),
  ]);
  if (!fileUrl) return <p class="Picture-hidden">The file of this post is not shown to you.</p>;
  const shown = isOriginal || fit === "original" ? fileUrl : largeFileUrl;
  const { placeholder } = post.thumbnail ?? {};
  const behind = placeholder && loaded !== shown ? { "--blur": blur(placeholder) } : {};
  const style = { "--w": post.imageWidth, "--h": post.imageHeight, ...behind };
  return (
    <figure class="Picture" data-fit={fit}>
      <div class={SCROLLED} ref={scrolled} tabIndex={fit === "original" ? 0 : undefined}>
        <div class="Picture-frame" style={style}>
          {isVideo(post) ? (
            <video src={fileUrl} controls loop playsInline preload="metadata" />
          ) : (
            <img
              src={shown ?? fileUrl}
              alt={words(post.tagString.split(" ").join(", "))}
              fetchPriority="high"
              onLoad={() => setLoaded(shown)}
            />
          )}
          <Notes layer={layer} />
        </div>
      </div>
      <figcaption class="Picture-bar">
        <label>
          <span class="Unseen">Size</span>
          <select value={fit} onChange={({ currentTarget }) => setFit(currentTarget.value as Fit)}>
            {ORDER.map((each) => (
              <option key={each} value={each}>
                {FITS[each]}
              </option>
            ))}
          </select>
        </label>
        {hasLarge && !isVideo(post) && (
          <button
            class="Button is-bare"
            type="button"
            aria-pressed={isOriginal}
            onClick={() => setOriginal(!isOriginal)}
          >
            Original file
          </button>
        )}
        <NotesBar layer={layer} />
        <a class="Button is-bare" href={fileUrl} download>
          Download
        </a>
      </figcaption>
    </figure>
  );
}
