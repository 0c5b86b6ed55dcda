/** Follows a finger, pen or mouse from where it is put down until it is lifted. */
import type { Point } from "./rectangle.js";

interface Steps {
  /** how far it is from where it was put down, in pixels */
  onMove: (by: Point) => void;
  /** false where the browser took it over, as for scrolling */
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
    // what ends it may take the element away, which the browser still tells of the touch's end
    setTimeout(() => onEnd(isLifted));
  };
  event.preventDefault(); // no text is selected on the way, and no picture dragged
  element.setPointerCapture(pointerId);
  on("pointermove", (to) => onMove({ x: to.clientX - clientX, y: to.clientY - clientY }));
  on("pointerup", () => end(true));
  on("pointercancel", () => end(false));
}
