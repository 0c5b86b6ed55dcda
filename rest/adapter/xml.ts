/**
 * XML responses: dasherised elements, `type` attributes for what isn't text, `nil="true"` for null, times without a
 * fraction, lists as `type="array"`. Characters that XML 1.0 can't hold are dropped; those that parsers change are references.
 */
import { type Element, js2xml } from "xml-js";
import { singular, toDashed } from "../../src/lib/case.js";
import type { Json } from "./row.js";
import type { Frame } from "../../src/lib/pieces.js";
import type { Shape, XmlType } from "./shape.js";

const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const DECLARATION = { attributes: { version: "1.0", encoding: "UTF-8" } };
const NO_SHAPE: Shape = { isList: false };

const clean = (text: string): string => text.replace(FORBIDDEN, "");

/** xml-js escapes texts, but takes an `&amp;` in them for an escaped one: so ampersands are escaped first. */
const inText = (text: string): string => clean(text).replace(/&/g, "&amp;");
/** Attributes it leaves alone but for quotes. Parsers make a space of any other blank in them. */
const inAttribute = (text: string): string =>
  clean(text)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/[\t\n\r]/g, (blank) => `&#${blank.charCodeAt(0)};`);

/** Parsers make a line feed of a carriage return, or of both. */
const textFn = (escaped: string): string => escaped.replace(/\r/g, "&#13;");

const write = (document: Element): string => js2xml(document, { compact: false, textFn });

type Attributes = Record<string, string>;

const element = (name: string, attributes: Attributes, elements: Element[] = []): Element => ({
  type: "element",
  name: toDashed(name),
  attributes,
  elements,
});

/** One record: `<post>...</post>`. */
export const recordXml = (name: string, record: Json, shape: Shape): string =>
  write({ elements: [recordElement(name, record, shape)] });

/** The text before and after an element in a document. */
export const documentXml = (): Frame => ({ head: write({ declaration: DECLARATION }), separator: "", tail: "" });

/** The text before and after the records of a listing: `<posts type="array"><post>...</post></posts>`. */
export function listXml(plural: string, records: number): Frame {
  const name = toDashed(plural);
  const { head, separator } = documentXml();
  return records === 0
    ? { head: `${head}<${name} type="array"/>`, separator, tail: "" }
    : { head: `${head}<${name} type="array">`, separator, tail: `</${name}>` };
}

/** The envelope: one empty element with attributes. */
export const envelopeXml = (attributes: Record<string, string | number | boolean>): string =>
  write({
    declaration: DECLARATION,
    elements: [
      element(
        "response",
        Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, inAttribute(String(value))])),
      ),
    ],
  });

const recordElement = (name: string, record: Json, shape: Shape): Element =>
  element(
    name,
    {},
    Object.entries(record).map(([key, value]) => valueElement(key, value, shape.fields?.[key] ?? NO_SHAPE)),
  );

function valueElement(name: string, value: unknown, shape: Shape): Element {
  if (Array.isArray(value)) {
    const items = value.map((item) => valueElement(singular(name), item, { ...shape, isList: false }));
    return element(name, { type: "array" }, items);
  }
  // a view may have joined a list into a text: then its items' type is not the text's
  const type = shape.isList ? typeOf(value) : (shape.type ?? typeOf(value));
  const typed: Attributes = type ? { type } : {};
  if (value === null || value === undefined) return element(name, { ...typed, nil: "true" });
  if (typeof value === "object") return recordElement(name, value as Json, shape);
  return element(name, typed, [{ type: "text", text: inText(xmlText(value, type)) }]);
}

function typeOf(value: unknown): XmlType | undefined {
  if (typeof value === "boolean") return "boolean";
  if (typeof value !== "number") return undefined;
  return Number.isInteger(value) ? "integer" : "float";
}

const xmlText = (value: unknown, type: XmlType | undefined): string =>
  type === "dateTime" ? String(value).replace(/\.\d+(?=[+-])/, "") : String(value);
