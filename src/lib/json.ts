/**
 * Limits for JSON from clients, checked before parsing: later code processes it recursively, and
 * an object of many keys takes fifty times as long to parse as a text of the same length.
 */
import { failure } from "../errors.js";

/** Maximum depth; far more than any valid value has. */
export const MOST_LEVELS = 64;
/** Keys of all objects together; as many as the parameters of a form. */
export const MOST_KEYS = 1_000;
/** Lists, objects and values in them, all together: more than twice the longest accepted list. */
export const MOST_VALUES = 50_000;
/** Characters of a number. */
const LONGEST_NUMBER = 1_000;

const ESCAPE = 0x5c;

/** Kinds of characters outside of strings: a literal is a number or one of the words true, false and null. */
const [LITERAL, BLANK, TEXT, OPENING, CLOSING, COMMA, COLON] = [0, 1, 2, 3, 4, 5, 6];

/** The kind of a character outside of strings, by its code; codes beyond the table are invalid. */
const SIGNS = new Uint8Array(128);
const SIGNS_OF: readonly [characters: string, sign: number][] = [
  [" \t\r\n", BLANK],
  ['"', TEXT],
  ["[{", OPENING],
  ["]}", CLOSING],
  [",", COMMA],
  [":", COLON],
];
for (const [characters, sign] of SIGNS_OF) for (const each of characters) SIGNS[each.charCodeAt(0)] = sign;

/** The end of the string that starts at a quote; the end of the text if it is not closed. */
function endOfText(json: string, start: number): number {
  for (let at = start; ;) {
    at = json.indexOf('"', at + 1);
    if (at < 0) return json.length;
    let before = at;
    while (json.charCodeAt(before - 1) === ESCAPE) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
}

/**
 * Scans a text once, which need not be valid JSON.
 * @throws BoardError 424 for too many levels, keys, values or digits
 */
function checkJson(json: string): void {
  let [depth, keys, values, digits] = [0, 0, 0, 0];
  for (let index = 0; index < json.length; index += 1) {
    const sign = SIGNS[json.charCodeAt(index)] ?? LITERAL;
    if (sign === LITERAL) {
      digits += 1;
      if (digits > LONGEST_NUMBER) throw failure("malformed_body");
      continue;
    }
    digits = 0;
    if (sign === TEXT) index = endOfText(json, index);
    else if (sign === CLOSING) depth -= 1;
    else if (sign === COLON) keys += 1;
    else if (sign !== BLANK) values += 1;
    if (sign === OPENING) depth += 1;
    if (depth > MOST_LEVELS) throw failure("malformed_body");
    if (keys > MOST_KEYS) throw failure("too_many_parameters");
    if (values > MOST_VALUES) throw failure("too_many_values", { parameter: "the body", limit: MOST_VALUES });
  }
}

/** Parses a text. @throws BoardError 424 for invalid JSON, or over the limits */
export function parseJson(json: string): unknown {
  checkJson(json);
  try {
    return JSON.parse(json) as unknown;
  } catch (cause) {
    throw failure("malformed_body", {}, { cause });
  }
}

/** The value of a text, without any limits; undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
