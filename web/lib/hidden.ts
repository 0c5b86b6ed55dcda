/** Posts that the viewer's blacklist hides, and which of them are shown all the same, until the page is loaded anew. */
import { signal } from "@preact/signals";

/** Numbers of the posts that are shown; "all" of them. */
export const revealed = signal<ReadonlySet<number> | "all">(new Set());

export interface Listed {
  id: number;
  hiddenBy: readonly string[];
}

export const isHidden = ({ id, hiddenBy }: Listed): boolean =>
  hiddenBy.length > 0 && revealed.value !== "all" && !revealed.value.has(id);

export const reveal = (id: number): void => {
  if (revealed.value !== "all") revealed.value = new Set([...revealed.value, id]);
};
