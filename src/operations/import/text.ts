/** Splits the text of a dump into records, with at most one of them in memory. */

/** Maximum length of a record in characters. */
export const MAX_RECORD = 8 * 1024 * 1024;

/** A record as text; null if it is too long. */
export type RecordText = string | null;

/** Buffers the text of one record, and drops it if it is too long. */
class RecordBuffer {
  private parts: string[] = [];
  private length = 0;

  add(text: string): void {
    this.length += text.length;
    if (this.length <= MAX_RECORD) this.parts.push(text);
    else this.parts = [];
  }

  /** Returns the record, unless it is blank, and starts the next one. */
  *flush(): Iterable<RecordText> {
    const text: RecordText = this.length > MAX_RECORD ? null : this.parts.join("");
    this.parts = [];
    this.length = 0;
    if (text === null || text.trim() !== "") yield text;
  }
}

/**
 * The records of newline-delimited JSON, or of a JSON array if the text begins with a bracket.
 * @param chunks the text, split at any position
 */
export async function* recordTexts(chunks: AsyncIterable<string>): AsyncIterable<RecordText> {
  let split: Split | null = null;
  const buffer = new RecordBuffer();
  for await (const chunk of chunks) {
    const text: string = split ? chunk : chunk.replace(/^[\uFEFF\s]+/u, "");
    if (text === "") continue;
    split ??= text.startsWith("[") ? arraySplitter(buffer) : lineSplitter(buffer);
    yield* split(text);
  }
  yield* buffer.flush();
}

/** Yields the records that end in a chunk. */
type Split = (chunk: string) => Iterable<RecordText>;

const lineSplitter = (buffer: RecordBuffer): Split =>
  function* (chunk) {
    const [first = "", ...lines] = chunk.split("\n");
    buffer.add(first);
    for (const line of lines) {
      yield* buffer.flush();
      buffer.add(line);
    }
  };

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Tracks strings and brackets, and splits at the commas between the items of the outermost array. */
function arraySplitter(buffer: RecordBuffer): Split {
  let depth = 0;
  let [inString, isEscaped] = [false, false];
  return function* (chunk) {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      if (isEscaped) isEscaped = false;
      else if (inString) {
        if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) inString = false;
      } else if (code === QUOTE) inString = true;
      else if (OPENING.has(code) && (depth += 1) === 1) start = at + 1;
      else if ((code === COMMA && depth === 1) || (CLOSING.has(code) && (depth -= 1) === 0)) {
        buffer.add(chunk.slice(start, at));
        start = at + 1;
        yield* buffer.flush();
      }
    }
    if (depth > 0) buffer.add(chunk.slice(start));
  };
}
