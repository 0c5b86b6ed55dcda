/** Places a box beside an element, within the window. */
import type { Point, Size } from "./rectangle.js";

export interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const GAP = 10;
const MARGIN = 8;

/** The top left corner of the box: below the element, else above it, else wherever there is room. All in pixels of the window. */
export function placeBeside(of: Edges, box: Size, window: Size): Point {
  const x = Math.max(MARGIN, Math.min(of.left, window.width - MARGIN - box.width));
  const below = of.bottom + GAP;
  if (below + box.height <= window.height - MARGIN) return { x, y: below };
  const above = of.top - GAP - box.height;
  return { x, y: above >= MARGIN ? above : Math.max(MARGIN, window.height - MARGIN - box.height) };
}
