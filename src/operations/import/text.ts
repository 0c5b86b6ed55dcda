/** Cuts the text of a dump into its records, without ever holding more than one of them. */

/** Longest record, in characters: what is longer is no record of ours. */
export const MAX_RECORD = 8 * 1024 * 1024;

/** A record as text, or null in the place of one that is too long. */
export type RecordText = string | null;

/** Gathers the characters of one record, and forgets them when they become too many. */
class Gatherer {
  private parts: string[] = [];
  private length = 0;

  add(text: string): void {
    this.length += text.length;
    if (this.length <= MAX_RECORD) this.parts.push(text);
    else this.parts = [];
  }

  /** What was gathered, unless it is blank; from here on the next record is. */
  *whole(): Iterable<RecordText> {
    const text: RecordText = this.length > MAX_RECORD ? null : this.parts.join("");
    this.parts = [];
    this.length = 0;
    if (text === null || text.trim() !== "") yield text;
  }
}

/**
 * The records of newline-delimited JSON, or of one JSON array where the text begins with a bracket.
 * @param chunks pieces of the text, cut anywhere
 */
export async function* recordTexts(chunks: AsyncIterable<string>): AsyncIterable<RecordText> {
  let cutter: ArrayCutter | LineCutter | null = null;
  const gatherer = new Gatherer();
  for await (const chunk of chunks) {
    const text: string = cutter ? chunk : chunk.replace(/^[\uFEFF\s]+/u, "");
    if (text === "") continue;
    cutter ??= text.startsWith("[") ? new ArrayCutter(gatherer) : new LineCutter(gatherer);
    yield* cutter.cut(text);
  }
  yield* gatherer.whole();
}

class LineCutter {
  constructor(private readonly gatherer: Gatherer) {}

  *cut(chunk: string): Iterable<RecordText> {
    let start = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", start)) {
      this.gatherer.add(chunk.slice(start, end));
      start = end + 1;
      yield* this.gatherer.whole();
    }
    this.gatherer.add(chunk.slice(start));
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Follows strings and brackets, and cuts at the commas between the items of the outermost array. */
class ArrayCutter {
  private depth = 0;
  private inString = false;
  private isEscaped = false;

  constructor(private readonly gatherer: Gatherer) {}

  *cut(chunk: string): Iterable<RecordText> {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      if (this.inString) this.followString(code);
      else if (code === QUOTE) this.inString = true;
      else if (OPENING.has(code) && (this.depth += 1) === 1) start = at + 1;
      else if ((code === COMMA && this.depth === 1) || (CLOSING.has(code) && (this.depth -= 1) === 0)) {
        this.gatherer.add(chunk.slice(start, at));
        start = at + 1;
        yield* this.gatherer.whole();
      }
    }
    if (this.depth > 0) this.gatherer.add(chunk.slice(start));
  }

  private followString(code: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (code === BACKSLASH) this.isEscaped = true;
    else if (code === QUOTE) this.inString = false;
  }
}
