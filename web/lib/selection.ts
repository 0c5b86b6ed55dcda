/** Posts selected for an edit; null while tiles are links. */
import { signal } from "@preact/signals";

export const selection = signal<ReadonlySet<number> | null>(null);

export const isChosen = (id: number): boolean => selection.value?.has(id) ?? false;

export const choose = (ids: readonly number[]): void => {
  selection.value = new Set([...(selection.value ?? []), ...ids]);
};

export function toggle(id: number): void {
  const rest = [...(selection.value ?? [])].filter((each) => each !== id);
  selection.value = new Set(isChosen(id) ? rest : [...rest, id]);
}
