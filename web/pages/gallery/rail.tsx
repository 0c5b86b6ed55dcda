/** The tags of the current page, each with a bar for its share of the page. */
import { useMemo } from "preact/hooks";
import { useDrawings } from "../../lib/drawn.js";
import { TagList } from "../../parts/tag-list.js";
import type { PageState } from "./gallery-page.js";

/** The tags are rendered after the posts, which take this many frames. */
const AFTER = 2;

export function Rail({ page, search }: { page: PageState | undefined; search: string }) {
  const isDrawn = useDrawings(0, AFTER) === AFTER;
  const posts = isDrawn ? page?.posts : undefined;
  const list = useMemo(() => {
    const length = Math.max(posts?.nodes.length ?? 1, 1);
    const tags = (posts?.tags ?? []).map(({ tag, pagePostCount }) => ({ tag, share: pagePostCount / length }));
    return <TagList tags={tags} search={search} />;
  }, [posts, search]);
  return (
    <aside class="Drawer" id="tags" popover="auto" aria-label="Tags of this page">
      <a class="Skip Button" href="#posts">
        Skip to posts
      </a>
      {list}
    </aside>
  );
}
