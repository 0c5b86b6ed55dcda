/** Follows a finger, pen or mouse from pressing until it is lifted. */
import type { Point } from "./rectangle.js";

interface Steps {
  /** distance from where it was pressed, in pixels */
  onMove: (by: Point) => void;
  /** false if the browser took it over, as for scrolling */
  onEnd: (isLifted: boolean) => void;
}

export function drag(event: PointerEvent, { onMove, onEnd }: Steps): void {
  const element = event.currentTarget as Element;
  const { pointerId, clientX, clientY } = event;
  const listening = new AbortController();
  const on = (type: "pointermove" | "pointerup" | "pointercancel", run: (event: PointerEvent) => void) =>
    element.addEventListener(
      type,
      (each) => (each as PointerEvent).pointerId === pointerId && run(each as PointerEvent),
      {
        signal: listening.signal,
      },
    );
  const end = (isLifted: boolean) => {
    listening.abort();
    // the callback may remove the element, to which the browser still sends the end of the touch
    setTimeout(() => onEnd(isLifted));
  };
  event.preventDefault(); // no text is selected, and no picture dragged
  element.setPointerCapture(pointerId);
  on("pointermove", (to) => onMove({ x: to.clientX - clientX, y: to.clientY - clientY }));
  on("pointerup", () => end(true));
  on("pointercancel", () => end(false));
}
