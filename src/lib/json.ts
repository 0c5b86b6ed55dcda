/**
 * JSON that strangers send, held to bounds before anything of it is made: what walks through it later does so by recursion, and
 * an object of many keys takes fifty times as long to make as a text of the same length.
 */
import { failure } from "../errors.js";

/** Levels that a value of ours never has, by far. */
const MOST_LEVELS = 64;
/** Keys of all objects together; as many as a form has parameters. */
export const MOST_KEYS = 1_000;
/** Lists, objects and values in them, all together: more than twice the longest list that the board takes. */
export const MOST_VALUES = 50_000;
/** Characters of a number. */
const LONGEST_NUMBER = 1_000;

const ESCAPE = 0x5c;

/** What is outside of texts: a literal is what numbers and the words true, false and null consist of. */
const [LITERAL, BLANK, TEXT, OPENING, CLOSING, COMMA, COLON] = [0, 1, 2, 3, 4, 5, 6];

/** What a character is outside of texts, by its code; one beyond the table is in no JSON. */
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
 * One pass over a text, which need not be JSON.
 * @throws BoardError 424 for more levels, keys, values or digits than are taken
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

/** The value of a text. @throws BoardError 424 for what is no JSON, or too much of it */
export function parseJson(json: string): unknown {
  checkJson(json);
  try {
    return JSON.parse(json) as unknown;
  } catch (cause) {
    throw failure("malformed_body", {}, { cause });
  }
}
