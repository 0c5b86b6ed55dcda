/**
 * A double click on a button that is pressed or expanded, or that reverts, counts once: its second click would undo the first, or
 * hit another button that has moved there.
 */
export function startToggles(): void {
  const stop = (event: MouseEvent) => {
    const once = "button:is([aria-pressed], [aria-expanded], .Version-revert)";
    if (event.detail > 1 && (event.target as Element).closest(once)) event.stopPropagation();
  };
  document.addEventListener("click", stop, { capture: true });
}
