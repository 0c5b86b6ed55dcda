/** Text that PostgreSQL and XML can hold. */

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Length in characters, as PostgreSQL counts them: an emoji is one. */
export const lengthOf = (text: string): number => Array.from(text).length;

/** What a text takes in memory at most. */
export const bytesOf = (text: string): number => 2 * text.length;

/** True for text that can be stored and compared: no NUL and no half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes("\0") && !LONE_SURROGATE.test(text);
