/** Rectangles of notes, in fractions of a picture. */
import { describe, expect, it } from "vitest";
import { around, LEAST_SIDE, moved, ofPixels, resized, spanned, toPixels } from "../../web/lib/rectangle.js";
import { placeBeside } from "../../web/lib/placing.js";

const rectangle = { x: 0.2, y: 0.2, width: 0.2, height: 0.4 };
const near = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Number((value as number).toFixed(6))]));

describe("a rectangle on a picture", () => {
  it("is moved up to the edge of the picture", () => {
    expect(near(moved(rectangle, { x: 0.1, y: -0.1 }))).toEqual({ x: 0.3, y: 0.1, width: 0.2, height: 0.4 });
    expect(near(moved(rectangle, { x: 2, y: -2 }))).toEqual({ x: 0.8, y: 0, width: 0.2, height: 0.4 });
  });

  it("is resized by each corner, with the opposite one fixed", () => {
    const by = { x: 0.05, y: 0.05 };
    expect(near(resized(rectangle, "se", by))).toEqual({ x: 0.2, y: 0.2, width: 0.25, height: 0.45 });
    expect(near(resized(rectangle, "nw", by))).toEqual({ x: 0.25, y: 0.25, width: 0.15, height: 0.35 });
    expect(near(resized(rectangle, "ne", by))).toEqual({ x: 0.2, y: 0.25, width: 0.25, height: 0.35 });
    expect(near(resized(rectangle, "sw", by))).toEqual({ x: 0.25, y: 0.2, width: 0.15, height: 0.45 });
  });

  it("is never inverted, and never leaves the picture", () => {
    expect(near(resized(rectangle, "se", { x: -1, y: 1 }))).toEqual({ x: 0.2, y: 0.2, width: LEAST_SIDE, height: 0.8 });
    expect(near(resized(rectangle, "nw", { x: 1, y: -1 }))).toEqual({ x: 0.39, y: 0, width: LEAST_SIDE, height: 0.6 });
  });

  it("is made from two corners in any order, and clipped to the picture", () => {
    expect(near(spanned({ x: 0.5, y: 0.1 }, { x: 0.25, y: 1.5 }))).toEqual({
      x: 0.25,
      y: 0.1,
      width: 0.25,
      height: 0.9,
    });
  });

  it("around a point at the edge stays within the picture", () => {
    expect(near(around({ x: 1, y: 0 }, 0.2, 0.1))).toEqual({ x: 0.8, y: 0, width: 0.2, height: 0.1 });
  });

  it("is whole pixels of the picture, at least one, and none outside", () => {
    const picture = { width: 7, height: 3 };
    for (let step = 0; step <= 100; step += 1) {
      const { x, y, width, height } = toPixels(
        { x: step / 100, y: step / 100, width: 1 - step / 100, height: 0 },
        picture,
      );
      expect([x, y, width, height].every(Number.isInteger)).toBe(true);
      expect(x + width).toBeLessThanOrEqual(7);
      expect(y + height).toBeLessThanOrEqual(3);
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(1);
    }
  });

  it("is unchanged when converted from pixels to fractions and back", () => {
    const picture = { width: 1283, height: 857 };
    const note = { x: 11, y: 856, width: 1272, height: 1 };
    expect(toPixels(ofPixels(note, picture), picture)).toEqual(note);
  });
});

describe("a box placed beside an element", () => {
  const window = { width: 400, height: 300 };
  const box = { width: 200, height: 100 };
  const at = (left: number, top: number) => ({ left, top, right: left + 50, bottom: top + 50 });

  it("is placed below it, or above it if there is no room", () => {
    expect(placeBeside(at(20, 20), box, window)).toEqual({ x: 20, y: 80 });
    expect(placeBeside(at(20, 240), box, window)).toEqual({ x: 20, y: 130 });
  });

  it("stays within the window on every side", () => {
    expect(placeBeside(at(380, 20), box, window).x).toBe(192);
    expect(placeBeside(at(-80, 20), box, window).x).toBe(8);
    expect(placeBeside(at(20, 100), { width: 200, height: 250 }, window).y).toBe(42);
    expect(placeBeside(at(20, 100), { width: 200, height: 900 }, window).y).toBe(8);
  });
});
