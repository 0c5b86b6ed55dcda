/** A double click on a button that is pressed or expanded counts once: its second click would undo the first. */
export function startToggles(): void {
  const stop = (event: MouseEvent) => {
    if (event.detail > 1 && (event.target as Element).closest("button:is([aria-pressed], [aria-expanded])"))
      event.stopPropagation();
  };
  document.addEventListener("click", stop, { capture: true });
}
