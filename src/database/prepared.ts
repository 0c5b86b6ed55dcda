/** Longer statements, of searches with many terms, are not prepared, since each connection keeps text and plan until it closes. */
const MAX_TEXT = 16_384;

/** Names of prepared statements. A connection parses a statement once per name, and may plan it once. */
export class StatementNames {
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

  /** The name of a statement; undefined if it should not be prepared. */
  of(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined || this.names.size >= this.limit || text.length > MAX_TEXT) return known;
    const name = `${this.prefix}_${(this.serial += 1)}`;
    this.names.set(text, name);
    return name;
  }

  /** Gives the statements new names, because those prepared under the old names no longer fit the tables. */
  forget(text?: string): void {
    if (text === undefined) this.names.clear();
    else this.names.delete(text);
  }
}
