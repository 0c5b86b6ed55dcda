/** The few shapes used by all pictures. */
import { round } from "./random.js";

/** Width and height of a picture, in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Pixels from the left and from the top. */
export type Point = readonly [x: number, y: number];

const attributes = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${typeof value === "number" ? round(value) : value}"`)
    .join("");

/** Any element; numbers are rounded. */
export const shape = (name: string, values: Record<string, string | number>): string =>
  `<${name}${attributes(values)}/>`;

/** A disc by its middle and radius. */
export const circle = (cx: number, cy: number, r: number, fill: string, opacity = "1"): string =>
  shape("circle", { cx, cy, r, fill, opacity });

/** An ellipse by its middle and radii. */
export const ellipse = (cx: number, cy: number, rx: number, ry: number, fill: string): string =>
  shape("ellipse", { cx, cy, rx, ry, fill });

/** A box by its top left corner; `rx` rounds the corners. */
export const rect = (x: number, y: number, width: number, height: number, fill: string, rx = 0): string =>
  shape("rect", { x, y, width, height, fill, rx });

/** Any outline, filled, drawn or both. */
export const path = (d: string, fill: string, stroke = "none", thickness = 0): string =>
  shape("path", { d, fill, stroke, "stroke-width": thickness, "stroke-linecap": "round" });

/** A closed shape with straight edges. */
export const polygon = (points: readonly Point[], fill: string): string =>
  path(`M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}Z`, fill);

/** A soft line through all points, as the `d` of a path: curves that meet in the middle between two points. */
export function smooth(points: readonly Point[]): string {
  const [start] = points;
  let d = start ? `M${round(start[0])} ${round(start[1])}` : "";
  points.slice(0, -1).forEach(([x, y], index) => {
    const [nextX, nextY] = points[index + 1] as Point;
    d += `Q${round(x)} ${round(y)} ${round((x + nextX) / 2)} ${round((y + nextY) / 2)}`;
  });
  const end = points.at(-1);
  return end ? `${d}L${round(end[0])} ${round(end[1])}` : d;
}

/** A gradient from top to bottom that shapes may be filled with by `url(#id)`. */
export const gradient = (id: string, colours: readonly string[]): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${colours
    .map((colour, index) => `<stop offset="${round(index / (colours.length - 1))}" stop-color="${colour}"/>`)
    .join("")}</linearGradient>`;

/** The whole picture; drawn on a canvas of its own size. */
export const picture = ({ width, height }: Size, defs: string, body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
  `<defs>${defs}</defs>${body}</svg>`;
