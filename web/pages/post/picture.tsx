/** The picture or video, in the window, as wide as there is room, or in its own size; notes lie on it at every size. */
import { useMemo, useRef, useState } from "preact/hooks";
import { useShortcuts } from "../../lib/keys.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { blur } from "../../lib/placeholder.js";
import { type Steps, useSwipe } from "../../lib/swipe.js";
import type { ListedPost } from "../../parts/walk.js";
import { pictureOf } from "../../thumbnails.js";
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
/** Whether it is no picture. */
export const isVideo = ({ fileExt }: { fileExt: string }): boolean => fileExt === "mp4" || fileExt === "webm";

interface Props {
  post: ListedPost;
  /** the post's own answer, once it has come */
  answer: (Ref<Picture_PostFragment> & Ref<Notes_PostFragment>) | null;
  steps: Steps;
  /** address of a smaller picture of it that the browser has already */
  known: string | null;
}

/** What is seen until the picture has come: a smaller one, or its placeholder. */
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
      run: () => setFit(ORDER[(ORDER.indexOf(fit) + 1) % ORDER.length] ?? "window"),
    },
    ...(hasLarge ? [{ keys: "v", does: "Show the original file", run: () => setOriginal(!isOriginal) }] : []),
  ]);
  const behind = useMemo(() => behindOf(post, known), [post.id]);
  if (!largeFileUrl) return <p class="Picture-hidden">The file of this post is not shown to you.</p>;
  const isWhole = fileUrl !== null && (isOriginal || fit === "original");
  const shown = isWhole ? { src: fileUrl } : pictureOf(post, fit === "window");
  // a browser takes long to make a player: until the post's answer has come, a smaller picture is shown
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
            <video src={fileUrl} controls loop playsInline preload="metadata" />
          ) : (
            still && (
              <img
                {...still}
                alt={words(post.tagString.split(" ").join(", "))}
                fetchPriority="high"
                decoding="async"
                onLoad={() => setLoaded(still.src)}
              />
            )
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
        {fileUrl && (
          <a class="Button is-bare" href={fileUrl} download>
            Download
          </a>
        )}
      </figcaption>
    </figure>
  );
}
