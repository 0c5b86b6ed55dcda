/** Tags that the pages have shown: suggested until the board has answered. */
interface MetTag {
  name: string;
  category: string;
  postCount: number;
}

const MOST = 2_000;
const met = new Map<string, MetTag>();

/** Records a tag that is shown. */
export function meet({ name, category, postCount }: MetTag): void {
  if (met.size >= MOST && !met.has(name)) met.clear();
  met.set(name, { name, category, postCount });
}

/** Tags with this prefix, the most common first. */
export const metTags = (beginning: string, most: number): MetTag[] =>
  [...met.values()]
    .filter(({ name }) => name.startsWith(beginning))
    .toSorted((one, other) => other.postCount - one.postCount)
    .slice(0, most);
