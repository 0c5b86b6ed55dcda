/** Parent, children and pools. */
import { type Ref, unmask } from "../../lib/mask.js";
import { versionsUrl } from "../../histories.js";
import { Tile } from "../../parts/tile.js";
import { poolSearch, postUrl, searchUrl } from "../../routes.js";
import { words } from "../../titles.js";
import type { Family_PostFragment } from "./__generated__/family.js";

export function Family({ post: reference, search }: { post: Ref<Family_PostFragment>; search: string }) {
  const { id: postId, parent, children, pools } = unmask<Family_PostFragment>(reference);
  if (!parent && children.length === 0 && pools.length === 0) return null;
  return (
    <div class="Family">
      {pools.map(({ id, name }) => (
        <p key={id}>
          In the pool{" "}
          <a href={searchUrl(poolSearch(id))} dir="auto">
            {words(name)}
          </a>
          {search !== poolSearch(id) && (
            <>
              {" · "}
              <a href={postUrl(postId, poolSearch(id))}>Read from here</a>
            </>
          )}
          {" · "}
          <a href={versionsUrl("pool", { pool_id: id })}>Edits</a>
        </p>
      ))}
      {parent && (
        <section aria-label="Parent">
          <h2>Parent</h2>
          <ul class="Tiles">
            <Tile post={parent} tags={search} />
          </ul>
        </section>
      )}
      {children.length > 0 && (
        <section aria-label="Children">
          <h2>Children</h2>
          <ul class="Tiles">
            {children.map((child) => (
              <Tile key={child.id} post={child} tags={search} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
