import { describe, expect, it } from "vitest";
import { framed, framedParts, pieceOf, Pieces } from "../../src/lib/pieces.js";

const LIST = { head: "[", separator: ",", tail: "]" };
const framedOf = (texts: readonly string[], frame = LIST): Pieces => new Pieces(framedParts(frame, texts.map(pieceOf)));
const textOf = (pieces: Pieces): string => {
  const buffer = Buffer.alloc(pieces.length + 10, "x");
  pieces.writeTo(buffer);
  return buffer.toString("utf8", 0, pieces.length);
};

describe("Pieces", () => {
  it.each([[[]], [["one"]], [["one", "zwölf ☃", "", "three"]]])("write what joining %j writes", (texts) => {
    const pieces = framedOf(texts);
    expect([textOf(pieces), String(pieces)]).toEqual([framed(LIST, texts), framed(LIST, texts)]);
  });

  it("have a hash that depends on content, order and frame", () => {
    const hash = (texts: string[], frame = LIST) => framedOf(texts, frame).hash;
    expect(hash(["one", "two"])).toBe(hash(["one", "two"]));
    const others = [hash(["two", "one"]), hash(["one"]), hash(["onetwo"]), hash(["one", "two"], { ...LIST, tail: "" })];
    expect(new Set([hash(["one", "two"]), ...others]).size).toBe(5);
  });
});
