/** A search without results: suggestions for other searches. */
import { searchUrl, termsOf } from "../../routes.js";
import type { GalleryQuery } from "./__generated__/gallery.js";
import { Hints } from "./hints.js";

interface Props {
  tags: string;
  page: string;
  hints: GalleryQuery["posts"]["hints"];
}

export function NothingFound({ tags, page, hints }: Props) {
  const list = termsOf(tags);
  const without = (word: string) => list.filter((each) => each !== word).join(" ");
  return (
    <div class="Refusal" role="status">
      <h2>Nothing found</h2>
      {page !== "1" ? (
        <p>
          There are no posts on this page. <a href={searchUrl(tags)}>Go to the first page</a>.
        </p>
      ) : list.length === 0 ? (
        <p>There are no posts yet.</p>
      ) : (
        hints.length === 0 && (
          <p>
            {list.length > 1
              ? "Each of these words matches some post, but no post matches all of them."
              : "No post matches this search."}
          </p>
        )
      )}
      {page === "1" && <Hints tags={tags} hints={hints} />}
      {list.length > 1 && page === "1" && (
        <ul class="NothingFound">
          {list.map((word) => (
            <li key={word}>
              <a href={searchUrl(without(word))}>
                Search without <b dir="auto">{word}</b>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
