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
  let splitter: ArraySplitter | LineSplitter | null = null;
  const buffer = new RecordBuffer();
  for await (const chunk of chunks) {
    const text: string = splitter ? chunk : chunk.replace(/^[\uFEFF\s]+/u, "");
    if (text === "") continue;
    splitter ??= text.startsWith("[") ? new ArraySplitter(buffer) : new LineSplitter(buffer);
    yield* splitter.split(text);
  }
  yield* buffer.flush();
}

class LineSplitter {
  constructor(private readonly buffer: RecordBuffer) {}

  *split(chunk: string): Iterable<RecordText> {
    let start = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", start)) {
      this.buffer.add(chunk.slice(start, end));
      start = end + 1;
      yield* this.buffer.flush();
    }
    this.buffer.add(chunk.slice(start));
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Tracks strings and brackets, and splits at the commas between the items of the outermost array. */
class ArraySplitter {
  private depth = 0;
  private inString = false;
  private isEscaped = false;

  constructor(private readonly buffer: RecordBuffer) {}

  *split(chunk: string): Iterable<RecordText> {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      if (this.inString) this.trackString(code);
      else if (code === QUOTE) this.inString = true;
      else if (OPENING.has(code) && (this.depth += 1) === 1) start = at + 1;
      else if ((code === COMMA && this.depth === 1) || (CLOSING.has(code) && (this.depth -= 1) === 0)) {
        this.buffer.add(chunk.slice(start, at));
        start = at + 1;
        yield* this.buffer.flush();
      }
    }
    if (this.depth > 0) this.buffer.add(chunk.slice(start));
  }

  private trackString(code: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (code === BACKSLASH) this.isEscaped = true;
    else if (code === QUOTE) this.inString = false;
  }
}
