/** Hints why a search may find less than expected, and links to similar searches. */
import { sentence } from "../../titles.js";
import { searchUrl } from "../../routes.js";
import type { GalleryQuery } from "./__generated__/gallery.js";

type Hint = GalleryQuery["posts"]["hints"][number];

/** The search with a term replaced, keeping its operator and the end of its group. */
const replaced = (tags: string, { term }: Hint, by: string): string => {
  const literal = term.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  return tags.replace(new RegExp(`(?<=(?:^|\\s)[-~(]*)${literal}(?=\\)*(?:\\s|$))`, "gi"), () => by);
};

export function Hints({ tags, hints }: { tags: string; hints: readonly Hint[] }) {
  if (hints.length === 0) return null;
  return (
    <ul class="Hints" aria-label="About this search">
      {hints.map((hint) => (
        <li key={hint.term}>
          {hint.term && (
            <>
              <b dir="auto">{hint.term}</b>
              {": "}
            </>
          )}
          {hint.term ? `${hint.message}.` : sentence(hint.message)}
          {hint.suggestion && (
            <>
              {" Did you mean "}
              <a href={searchUrl(replaced(tags, hint, hint.suggestion))} dir="auto">
                {hint.suggestion}
              </a>
              ?
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
