/** Longer statements, of searches with many terms, have no name: each connection would keep their text and plan until it closes. */
const MAX_TEXT = 16_384;

/** Names for prepared statements: a connection that has met a name has parsed the statement, and may have planned it. */
export class StatementNames {
  private readonly names = new Map<string, string>();
  private serial = 0;

  /**
   * @param prefix of the names, by which different sets of a connection differ
   * @param limit how many there may be: a connection never forgets one. What comes later has no name
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

  /** Gives the statements new names, because those prepared under the old names no longer fit the tables. */
  forget(text?: string): void {
    if (text === undefined) this.names.clear();
    else this.names.delete(text);
  }
}
