import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scale } from "../../src/resources/notes/note.copy.js";

const picture = (imageWidth: number, imageHeight: number) => ({ imageWidth, imageHeight });

describe("scale", () => {
  it("keeps the relative position, in whole pixels", () => {
    const note = { x: 10, y: 10, width: 33, height: 5 };
    expect(scale(note, picture(100, 100), picture(200, 50))).toEqual({ x: 20, y: 5, width: 66, height: 2 });
    expect(scale(note, picture(100, 100), picture(100, 100))).toEqual(note);
  });

  it("stays within the picture if the note did", () => {
    const size = fc.integer({ min: 1, max: 40_000 });
    fc.assert(
      fc.property(
        size,
        size,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (from, to, a, b) => {
          const x = Math.floor(from * a);
          const width = Math.floor((from - x) * b);
          const scaled = scale({ x, y: x, width, height: width }, picture(from, from), picture(to, to));
          expect(scaled.x).toBeGreaterThanOrEqual(0);
          expect(scaled.x + scaled.width).toBeLessThanOrEqual(to);
        },
      ),
    );
  });
});
