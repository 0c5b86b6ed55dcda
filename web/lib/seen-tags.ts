/** Tags that the pages have shown: suggested until the board has answered. */
interface SeenTag {
  name: string;
  category: string;
  postCount: number;
}

const MOST = 2_000;
const seen = new Map<string, SeenTag>();

/** Records a tag that is shown. */
export function rememberTag({ name, category, postCount }: SeenTag): void {
  if (seen.size >= MOST && !seen.has(name)) seen.clear();
  seen.set(name, { name, category, postCount });
}

/** Tags with this prefix, the most common first. */
export const seenTags = (beginning: string, most: number): SeenTag[] =>
  [...seen.values()]
    .filter(({ name }) => name.startsWith(beginning))
    .toSorted((one, other) => other.postCount - one.postCount)
    .slice(0, most);
