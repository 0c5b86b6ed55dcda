/** Posts that the viewer's blacklist hides, and which of them are shown anyway until the page is reloaded. */
import { signal } from "@preact/signals";

/** Ids of the hidden posts that are shown, or "all". */
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
