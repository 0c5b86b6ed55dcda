/**
 * Parameters: the query and the body (urlencoded, multipart or JSON), with bracket names or the same nesting, merged; the
 * body wins. The result has own properties only, at most five levels of them.
 */
import qs from "qs";
import { failure } from "../../src/errors.js";
import { parseJson } from "../../src/lib/json.js";
import { type FileUpload, toUpload } from "../../graphql/shared/file-fields.js";
import type { Json } from "./row.js";

export type Params = Record<string, unknown>;

const MAX_DEPTH = 5;
const MAX_PARAMETERS = 1000;

/** @param given a form, or values by their bracket names. Of several values of a name, the last one counts, unless the name ends with `[]`. @throws BoardError 424 for too many or too deeply nested names */
export function parseBrackets(given: string | Params, options?: qs.IParseOptions): Params {
  try {
    return qs.parse(typeof given === "string" ? withBlanks(given) : (given as Record<string, string>), {
      ...options,
      depth: MAX_DEPTH,
      strictDepth: true,
      parameterLimit: MAX_PARAMETERS,
      arrayLimit: MAX_PARAMETERS,
      throwOnLimitExceeded: true,
      duplicates: "last",
      plainObjects: true,
    });
  } catch (error) {
    if (error instanceof RangeError) throw failure("too_many_parameters", {}, { cause: error });
    throw failure("malformed_body", {}, { cause: error });
  }
}

/** The parameters of a form. @throws BoardError 424 as `parseBrackets`, and where percent signs encode no UTF-8, which a URL may have */
export const formParams = (text: string): Params => parseBrackets(text, { decoder: decodeURIComponent });

const [PLUS, BLANK] = [0x2b, 0x20];

/** The text with blanks for its plus signs. The library's own replacement of a megabyte of them takes a tenth of a second. */
function withBlanks(text: string): string {
  if (!text.includes("+")) return text;
  const bytes = Buffer.from(text);
  for (let index = 0; index < bytes.length; index += 1) if (bytes[index] === PLUS) bytes[index] = BLANK;
  return bytes.toString();
}

/** The parameters of a JSON body, nested or by bracket names. @throws BoardError 424 if it is not an object, or too large; as `parseBrackets` */
export function jsonParams(text: string): Params {
  if (text.trim() === "") return {};
  const value = parseJson(text);
  if (!isNesting(value)) throw failure("malformed_body");
  const bracketed = Object.entries(value).filter(([name]) => name.includes("["));
  return bracketed.length === 0 ? value : mergeParams(value, parseBrackets(Object.fromEntries(bracketed)));
}

/** The parameters of the fields of a form. @throws BoardError 424 as `parseBrackets` */
export function fieldParams(fields: readonly (readonly [name: string, value: string])[]): Params {
  // it replaces half a surrogate pair, as a part in UTF-16 may have, for which encodeURIComponent throws
  return parseBrackets(new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString());
}

/** Puts a file at its bracket name: `upload[file]` into `upload`, as `file`. */
export function placeFile(params: Params, name: string, received: NonNullable<FileUpload["received"]>): void {
  const [, outer = "", inner] = /^([^[\]]+)(?:\[([^[\]]+)\])?$/.exec(name) ?? [];
  const file = toUpload(received);
  if (inner === undefined) {
    params[outer] = file;
    return;
  }
  const existing = own(params, outer);
  const target = typeof existing === "object" && existing !== null ? (existing as Params) : {};
  params[outer] = Object.assign(target, { [inner]: file });
}

export const isNesting = (value: unknown): value is Params =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Merges both deeply; the second wins. */
export function mergeParams(first: Params, second: Params): Params {
  const merged: Params = Object.assign(Object.create(null) as Params, first);
  for (const [key, value] of Object.entries(second)) {
    const other = own(merged, key);
    merged[key] = isNesting(other) && isNesting(value) ? mergeParams(other, value) : value;
  }
  return merged;
}

/** A property of the object itself, never of its prototype. */
export const own = (params: Params, key: string): unknown => (Object.hasOwn(params, key) ? params[key] : undefined);

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/** Characters of `only`; far more than the names of all fields have. */
const LONGEST_ONLY = 10_000;

/**
 * The fields that `only` names, without those that it names of their objects in brackets.
 * @returns null for all
 * @throws BoardError 424 for a longer text than any list of fields, and for what is neither a text nor a list of texts
 */
export function onlyOf(params: Params): ReadonlySet<string> | null {
  const given = own(params, "only") ?? "";
  const only = isTexts(given) ? given.join() : given;
  if (typeof only !== "string" || only.length > LONGEST_ONLY) throw failure("invalid_parameter", { parameter: "only" });
  if (only.trim() === "") return null;
  let depth = 0;
  const outside = only.replace(/[[\]]|[^[\]]+/g, (part) => {
    if (part === "[") depth += 1;
    else if (part === "]") depth = Math.max(0, depth - 1);
    else if (depth === 0) return part;
    return "";
  });
  return new Set(outside.split(",").map((name) => name.trim()));
}

export const pick = (record: Json, only: ReadonlySet<string> | null): Json =>
  only ? Object.fromEntries(Object.entries(record).filter(([key]) => only.has(key))) : record;
