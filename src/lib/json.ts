/** JSON that strangers send, bounded in depth before anything of it is made: what walks through it later does so by recursion. */

/** Levels that a value of ours never has, by far. */
const MOST_LEVELS = 64;

const OPENING = new Set([0x5b, 0x7b]); // [ {
const CLOSING = new Set([0x5d, 0x7d]); // ] }
const QUOTE = 0x22;
const ESCAPE = 0x5c;

/** A text that is no JSON, or goes deeper than it may. */
export class UnreadableJson extends Error {
  override name = "UnreadableJson";
}

/** @throws UnreadableJson for a text that has more levels than 64, in one pass over it */
export function checkDepth(text: string): void {
  let depth = 0;
  let isText = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isText) {
      if (code === ESCAPE) index += 1;
      else if (code === QUOTE) isText = false;
    } else if (code === QUOTE) isText = true;
    else if (OPENING.has(code)) {
      depth += 1;
      if (depth > MOST_LEVELS) throw new UnreadableJson(`more than ${MOST_LEVELS} levels`);
    } else if (CLOSING.has(code)) depth -= 1;
  }
}

/** The value of a text. @throws UnreadableJson */
export function parseJson(text: string): unknown {
  checkDepth(text);
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new UnreadableJson("no JSON", { cause });
  }
}
