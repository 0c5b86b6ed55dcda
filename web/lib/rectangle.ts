/** Rectangles on a picture, in fractions of its width and height. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface Point {
  x: number;
  y: number;
}
/** Of a picture or a window, in pixels. */
export interface Size {
  width: number;
  height: number;
}

export const CORNERS = ["nw", "ne", "sw", "se"] as const;
export type Corner = (typeof CORNERS)[number];

/** The shortest side that dragging can make. */
export const LEAST_SIDE = 0.01;

const within = (low: number, value: number, high: number): number => Math.min(Math.max(value, low), high);

/** Moves a rectangle, within the picture. */
export const moved = (from: Rectangle, { x, y }: Point): Rectangle => ({
  ...from,
  x: within(0, from.x + x, 1 - from.width),
  y: within(0, from.y + y, 1 - from.height),
});

/** One side after its start or end was moved; the other end stays. */
function stretched(start: number, length: number, by: number, isStart: boolean): [start: number, length: number] {
  const end = start + length;
  if (!isStart) return [start, within(Math.min(LEAST_SIDE, 1 - start), length + by, 1 - start)];
  const to = within(0, start + by, Math.max(end - LEAST_SIDE, 0));
  return [to, end - to];
}

/** A rectangle resized by one corner; the opposite one stays. */
export function resized(from: Rectangle, corner: Corner, by: Point): Rectangle {
  const [x, width] = stretched(from.x, from.width, by.x, corner.endsWith("w"));
  const [y, height] = stretched(from.y, from.height, by.y, corner.startsWith("n"));
  return { x, y, width, height };
}

/** The rectangle between two points, clipped to the picture. */
export function spanned(one: Point, other: Point): Rectangle {
  const [left, right] = [one.x, other.x].map((each) => within(0, each, 1)).sort((a, b) => a - b) as [number, number];
  const [top, bottom] = [one.y, other.y].map((each) => within(0, each, 1)).sort((a, b) => a - b) as [number, number];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** A rectangle of a given size around a point, within the picture. */
export const around = ({ x, y }: Point, width: number, height: number): Rectangle =>
  moved({ x: x - width / 2, y: y - height / 2, width, height }, { x: 0, y: 0 });

/** Converts pixels of a picture to fractions. */
export const ofPixels = ({ x, y, width, height }: Rectangle, picture: Size): Rectangle => ({
  x: x / picture.width,
  y: y / picture.height,
  width: width / picture.width,
  height: height / picture.height,
});

/** Converts fractions to whole pixels of a picture: at least one, and none outside of it. */
export function toPixels(rectangle: Rectangle, picture: Size): Rectangle {
  const side = (start: number, length: number, whole: number): [number, number] => {
    const pixels = within(1, Math.round(length * whole), whole);
    return [within(0, Math.round(start * whole), whole - pixels), pixels];
  };
  const [x, width] = side(rectangle.x, rectangle.width, picture.width);
  const [y, height] = side(rectangle.y, rectangle.height, picture.height);
  return { x, y, width, height };
}

export const isSame = (one: Rectangle, other: Rectangle): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
