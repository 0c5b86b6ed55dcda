import { LRUCache } from "lru-cache";

/** Longer statements, of searches with many terms, are not prepared, since each connection keeps text and plan until it closes. */
const MAX_TEXT = 16_384;

/** Names of prepared statements. A connection parses a statement once per name, and may plan it once. */
export interface Names {
  /** The name of a statement; undefined if it should not be prepared. */
  of(text: string): string | undefined;
  /** Gives a statement a new name, because what was prepared under the old one no longer fits the tables. */
  forget(text: string): void;
}

/** Names of the statements of the program: the first ones keep theirs. */
export class StatementNames implements Names {
  private readonly names = new Map<string, string>();
  private serial = 0;

  /**
   * @param prefix distinguishes several sets of names on a connection
   * @param limit maximum number of names, since connections never drop a statement; later statements get none
   */
  constructor(
    private readonly prefix: string,
    private readonly limit: number,
  ) {}

  of(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined || this.names.size >= this.limit || text.length > MAX_TEXT) return known;
    const name = `${this.prefix}_${(this.serial += 1)}`;
    this.names.set(text, name);
    return name;
  }

  /** @param text without it, all statements get new names */
  forget(text?: string): void {
    if (text === undefined) this.names.clear();
    else this.names.delete(text);
  }
}

/** Names of searches, whose texts are as many as users like: those used last have one. Old names are not used again. */
export class SearchNames implements Names {
  private serial = 0;
  private readonly names: LRUCache<string, string>;

  /** @param limit maximum number of names; what connections prepared under older ones is bounded by their pool (`deadline.ts`) */
  constructor(prefix: string, limit: number) {
    this.names = new LRUCache({ max: limit, memoMethod: () => `${prefix}_${(this.serial += 1)}` });
  }

  of(text: string): string | undefined {
    return text.length > MAX_TEXT ? undefined : this.names.memo(text);
  }

  forget(text: string): void {
    this.names.delete(text);
  }
}
