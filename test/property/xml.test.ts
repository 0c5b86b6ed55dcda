/** Any text of a record yields well-formed XML with the same text, except for characters that XML 1.0 excludes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Element, xml2js } from "xml-js";
import { framed } from "../../src/lib/pieces.js";
import { documentXml, envelopeXml, listXml, recordXml } from "../../rest/adapter/xml.js";

const OUTSIDE = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const held = (text: string): string => text.replace(OUTSIDE, "");

const NASTY = [
  "<",
  ">",
  "&",
  "&amp;",
  "&lt;",
  "&#0;",
  "]]>",
  "<![CDATA[",
  "<!--",
  "?>",
  '"',
  "'",
  "\0",
  "\u0008",
  "\u001f",
];
const MORE = [
  "\t",
  "\n",
  "\r\n",
  "\r",
  "\ud800",
  "\udc00",
  "\u{1f431}",
  "\ufffe",
  "\uffff",
  "\u00a0",
  "\u202e",
  "é",
  "a",
  " ",
];
const piece = fc.oneof(fc.constantFrom(...NASTY, ...MORE), fc.string({ unit: "binary" }), fc.string());
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

/** As every parser of XML 1.0 sees the ends of lines (2.11), which this one leaves alone. */
const parsed = (xml: string): string => xml.replace(/\r\n?/g, "\n");
/** The same for a document of which only attributes have blanks other than spaces (3.3.3). */
const parsedAttributes = (xml: string): string => xml.replace(/[\t\n\r]/g, " ");

const read = (xml: string): Element =>
  (xml2js(parsed(xml), { captureSpacesBetweenElements: true }) as Element).elements?.[0] ?? {};
const textOf = (element: Element | undefined): string =>
  (element?.elements ?? []).map((each) => String(each.text ?? each.cdata)).join("");

describe("recordXml", () => {
  it("round-trips texts", () => {
    fc.assert(
      fc.property(text, (value) => {
        const root = read(framed(documentXml(), [recordXml("post", { source: value }, { isList: false })]));
        expect([root.name, root.elements?.length, textOf(root.elements?.[0])]).toEqual(["post", 1, held(value)]);
      }),
      { numRuns: 500 },
    );
  });

  it("has one element for each record of a list and each string of an array, whatever their content", () => {
    fc.assert(
      fc.property(fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 4 }), (lists) => {
        const records = lists.map((names) => ({ other_names: names }));
        const texts = records.map((record) => recordXml("wiki_page", record, { isList: true }));
        const root = read(framed(listXml("wiki_pages", texts.length), texts));
        expect([root.name, root.attributes]).toEqual(["wiki-pages", { type: "array" }]);
        const names = (root.elements ?? []).map((page) => page.elements?.[0]?.elements?.map(textOf) ?? []);
        expect(names).toEqual(lists.map((list) => list.map(held)));
      }),
      { numRuns: 200 },
    );
  });

  it("has type attributes for values other than strings, and nil for null", () => {
    const record = {
      is_old: true,
      post_count: 3,
      score: 0.5,
      parent_id: null,
      name: null,
      made: "2026-01-02T03:04:05.678+00:00",
    };
    const shape = {
      isList: false,
      fields: { parent_id: { type: "integer", isList: false }, made: { type: "dateTime", isList: false } },
    } as const;
    expect(framed(documentXml(), [recordXml("tag_alias", record, shape)])).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><tag-alias><is-old type="boolean">true</is-old>' +
        '<post-count type="integer">3</post-count><score type="float">0.5</score><parent-id type="integer" nil="true"/>' +
        '<name nil="true"/><made type="dateTime">2026-01-02T03:04:05+00:00</made></tag-alias>',
    );
  });
});

describe("envelopeXml", () => {
  it("round-trips reasons, on one line of one element", () => {
    fc.assert(
      fc.property(text, (reason) => {
        const root = read(parsedAttributes(envelopeXml({ success: false, reason })));
        expect([root.name, root.elements]).toEqual(["response", undefined]);
        expect(root.attributes).toEqual({ success: "false", reason: held(reason) });
      }),
      { numRuns: 500 },
    );
  });
});
