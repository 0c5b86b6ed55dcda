/** Where a box stands that belongs to something on the page: beside it, and within the window. */
import type { Point, Size } from "./rectangle.js";

export interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const GAP = 10;
const MARGIN = 8;

/** Its top left corner: below what it belongs to, else above, else where there is room. All in pixels of the window. */
export function placeBeside(of: Edges, box: Size, window: Size): Point {
  const x = Math.max(MARGIN, Math.min(of.left, window.width - MARGIN - box.width));
  const below = of.bottom + GAP;
  if (below + box.height <= window.height - MARGIN) return { x, y: below };
  const above = of.top - GAP - box.height;
  return { x, y: above >= MARGIN ? above : Math.max(MARGIN, window.height - MARGIN - box.height) };
}
