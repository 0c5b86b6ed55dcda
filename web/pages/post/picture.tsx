/** The picture or video, fitted to the window or its width, or in its original size, with notes at every size. */
import { useMemo, useRef, useState } from "preact/hooks";
import { whenIdle } from "../../lib/idle.js";
import { useShortcuts } from "../../lib/keys.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { blur } from "../../lib/placeholder.js";
import { type Steps, useSwipe } from "../../lib/swipe.js";
import type { ListedPost } from "../../parts/walk.js";
import { pictureOf } from "../../thumbnails.js";
import { pictureName } from "../../titles.js";
import type { Picture_PostFragment } from "./__generated__/picture.js";
import type { Notes_PostFragment } from "./notes/__generated__/notes.js";
import { useNotes } from "./notes/layer.js";
import { Notes, NotesBar } from "./notes/notes.js";
import { SCROLLED } from "./scroll.js";
import "./picture.css";

const FITS = { window: "Fit the window", width: "Fit the width", original: "Original size" } as const;
type Fit = keyof typeof FITS;
const ORDER = Object.keys(FITS) as Fit[];
/** Whether it is no picture. */
export const isVideo = ({ fileExt }: { fileExt: string }): boolean => fileExt === "mp4" || fileExt === "webm";

interface Props {
  post: ListedPost;
  /** the post's own response, once it has arrived */
  answer: (Ref<Picture_PostFragment> & Ref<Notes_PostFragment>) | null;
  steps: Steps;
  /** URL of a smaller picture of it that the browser has already */
  known: string | null;
}

/** What is shown until the picture is loaded: a smaller one, or its placeholder. */
const behindOf = ({ thumbnail }: ListedPost, known: string | null): string | null => {
  if (known) return `url(${JSON.stringify(known)})`;
  return thumbnail?.placeholder ? blur(thumbnail.placeholder) : null;
};

export function Picture({ post, answer, steps, known }: Props) {
  const whole = answer && unmask<Picture_PostFragment>(answer);
  const [fit, setFit] = useState<Fit>("window");
  const [isOriginal, setOriginal] = useState(false);
  const [loaded, setLoaded] = useState<string | null>(null);
  const layer = useNotes(post, answer);
  const scrolled = useRef<HTMLDivElement>(null);
  const isHandled = layer.isDrawing || layer.fresh !== null || layer.selected !== null;
  useSwipe(scrolled, steps, fit !== "original" && !isHandled);
  const { largeFileUrl, hasLarge } = post;
  const fileUrl = whole?.fileUrl ?? null;
  useShortcuts([
    {
      keys: "z",
      does: "Change the size",
      run: () => setFit(ORDER[ORDER.indexOf(fit) + 1] ?? "window"),
    },
    ...(hasLarge ? [{ keys: "v", does: "Show the original file", run: () => setOriginal(!isOriginal) }] : []),
  ]);
  const behind = useMemo(() => behindOf(post, known), [post.id]);
  const name = pictureName(post.tagString);
  if (!largeFileUrl) return <p class="Picture-hidden">You can't see the file of this post.</p>;
  const isWhole = fileUrl !== null && (isOriginal || fit === "original");
  const shown = isWhole ? { src: fileUrl } : pictureOf(post, fit === "window");
  // creating a player takes long: until the post's response has arrived, a smaller picture is shown
  const still = isVideo(post) ? known && { src: known } : shown;
  const style = {
    "--w": post.imageWidth,
    "--h": post.imageHeight,
    ...(behind && loaded !== shown.src ? { "--behind": behind } : {}),
  };
  return (
    <figure class="Picture" data-fit={fit}>
      <div class={SCROLLED} ref={scrolled} tabIndex={fit === "original" ? 0 : undefined}>
        <div class="Picture-frame" style={style}>
          {isVideo(post) && fileUrl ? (
            <video aria-label={name} src={fileUrl} controls loop playsInline preload="metadata" />
          ) : (
            still && (
              <img
                {...still}
                alt={name}
                fetchPriority="high"
                decoding="async"
                onLoad={() => whenIdle(() => setLoaded(still.src))}
              />
            )
          )}
          <Notes layer={layer} />
        </div>
      </div>
      <div class="Picture-bar">
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
        {fileUrl && (
          <a class="Button is-bare" href={fileUrl} download>
            Download
          </a>
        )}
        <NotesBar layer={layer} />
      </div>
    </figure>
  );
}
