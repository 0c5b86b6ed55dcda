/** Caches keyed by texts of callers are limited in bytes, including the keys. */
import { describe, expect, it } from "vitest";
import { SearchNames, StatementNames } from "../../src/database/prepared.js";
import { TagCache } from "../../src/tagging/tag-cache.js";
import { renderDText } from "../../src/text/dtext.js";
import { renderedTexts, renderPreview, renderStored } from "../../src/text/rendered.js";

const cache = () => new TagCache({ byKeys: () => ({ query: () => Promise.reject(new Error("nothing is read")) }) });

describe("cached estimates of meta-tags", () => {
  const estimate = { metatagShare: 0.25, metatagCost: 100 };

  it("are cached for ordinary searches", () => {
    const tags = cache();
    tags.estimates.set('[{"type":"metatag","name":"score","value":">10"}]', estimate);
    expect(tags.estimates.get('[{"type":"metatag","name":"score","value":">10"}]')).toBe(estimate);
  });

  it("are not cached for long texts", () => {
    const tags = cache();
    tags.estimates.set("x".repeat(2_000), estimate);
    expect(tags.estimates.get("x".repeat(2_000))).toBeUndefined();
  });

  it("take at most a megabyte: the oldest are dropped", () => {
    const tags = cache();
    const key = (i: number) => String(i).padStart(900, "x");
    for (let i = 0; i < 2_000; i += 1) tags.estimates.set(key(i), estimate);
    const kept = Array.from({ length: 2_000 }, (_, i) => i).filter((i) => tags.estimates.get(key(i)) !== undefined);
    expect(kept.length).toBe(909);
    expect(kept[0]).toBe(1_091);
  });
});

describe("rendered texts of comments and notes", () => {
  it("are cached up to 8,000,000 characters, then the oldest are dropped", async () => {
    // the longest comments, of as many lines as they can have: 52,503 characters each with their HTML
    const text = (i: number) => `${100 + i}\n`.padEnd(15_000, "a\n");
    for (let i = 0; i < 200; i += 1) expect(await renderStored(text(i))).toBe(renderDText(text(i)));
    const kept = Array.from({ length: 200 }, (_, i) => i).filter((i) => renderedTexts.has(text(i)));
    expect([kept.length, kept[0]]).toEqual([151, 49]);
  });
});

describe("many long texts that are rendered at once", () => {
  it.each([
    ["stored ones", renderStored],
    ["previews", renderPreview],
  ])("leave a turn of the event loop for everything else after each: %s", async (kind, render) => {
    let [turns, isOver] = [0, false];
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const texts = Array.from({ length: 50 }, (_, i) => `${kind} ${i} `.padEnd(15_000, "*[b]x[/b] "));
    const rendered = await Promise.all(texts.map((text) => Promise.resolve(render(text))));
    isOver = true;
    expect(rendered).toEqual(texts.map((text) => renderDText(text)));
    expect(turns).toBeGreaterThanOrEqual(50);
  });
});

describe("names of prepared statements", () => {
  it("are given to a limited number of texts, none of them long", () => {
    const names = new StatementNames("x", 2);
    expect(names.of("s".repeat(16_385))).toBeUndefined();
    expect([names.of("a"), names.of("b"), names.of("c"), names.of("a")]).toEqual(["x_1", "x_2", undefined, "x_1"]);
  });

  it("are given to the searches that were used last", () => {
    const names = new SearchNames("x", 2);
    expect(names.of("s".repeat(16_385))).toBeUndefined();
    expect(["a", "b", "a", "c", "a", "b"].map((text) => names.of(text))).toEqual(
      ["x_1", "x_2", "x_1", "x_3", "x_1", "x_4"], // "c" replaced "b"
    );
  });
});
