/** A search without results: what may be tried instead. */
import { searchUrl } from "../../routes.js";

export function NothingFound({ tags, page }: { tags: string; page: number }) {
  const list = tags.split(/\s+/).filter(Boolean);
  const without = (word: string) => list.filter((each) => each !== word).join(" ");
  return (
    <div class="Refusal" role="status">
      <h2>Nothing found</h2>
      {page > 1 ? (
        <p>
          There is no page {page}. <a href={searchUrl(tags)}>Go to the first one</a>.
        </p>
      ) : list.length === 0 ? (
        <p>There are no posts yet.</p>
      ) : (
        <p>No post has all of this. Tags are written with _ in place of blanks.</p>
      )}
      {list.length > 1 && page === 1 && (
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
