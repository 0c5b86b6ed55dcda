/** The tags of the page that is looked at, each over a line as long as its share of the page. */
import { useDrawn } from "../../lib/drawn.js";
import { TagList } from "../../parts/tag-list.js";
import type { PageState } from "./gallery-page.js";

export function Rail({ page, search }: { page: PageState | undefined; search: string }) {
  const isDrawn = useDrawn(0); // the posts come first
  const tags = (isDrawn && page?.posts.tags) || [];
  const length = Math.max(page?.posts.nodes.length ?? 1, 1);
  return (
    <aside class="Gallery-rail" id="tags" popover="auto" aria-label="Tags of this page">
      <TagList tags={tags.map(({ tag, pagePostCount }) => ({ tag, share: pagePostCount / length }))} search={search} />
    </aside>
  );
}
