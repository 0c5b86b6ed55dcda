/** Texts that PostgreSQL and XML can store, and that HTML can contain. */

const isHighSurrogate = (code: number): boolean => (code & 0xfc00) === 0xd800;
const isLowSurrogate = (code: number): boolean => (code & 0xfc00) === 0xdc00;

/** Length in characters, as PostgreSQL counts them: an emoji is one. Allocates nothing, since texts may be as long as a body. */
export function lengthOf(text: string): number {
  let pairs = 0;
  for (let index = 1; index < text.length; index += 1) {
    if (!isLowSurrogate(text.charCodeAt(index)) || !isHighSurrogate(text.charCodeAt(index - 1))) continue;
    pairs += 1;
    index += 1;
  }
  return text.length - pairs;
}

/** Maximum memory of a text: V8 stores two bytes per character, or one if all are ASCII. */
export const bytesOf = (text: string): number =>
  Buffer.byteLength(text) === text.length ? text.length : 2 * text.length;

/** True for text that can be stored and compared: no NUL and no half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** A visible character: not a space, control, format, filler or code point that is no character. */
const SEEN = /[^\s\p{Cc}\p{Cf}\p{Noncharacter_Code_Point}\u{16FE4}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/u;

/** True for text without visible characters. */
export const isBlank = (text: string): boolean => !SEEN.test(text);

/** Windows programs put it at the start of texts. */
const BYTE_ORDER_MARK = "\ufeff";

export const withoutByteOrderMark = (text: string): string =>
  text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;

/** Decodes percent-encoded text; null if its escapes are invalid. */
export function decodeUri(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as HTML, also within an attribute's quotes. */
export const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");
