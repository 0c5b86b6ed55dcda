/** Records out of a running site, page by page through its REST interface, by ascending numbers. */
import { type Kind, kindRow } from "./kinds.js";
import { idOf } from "./records.js";
import type { SiteClient } from "./site-client.js";
import { type Batch, ImportError, type Source } from "./source.js";

const MAX_ID = 2_147_483_647;

/** Numbers that are asked for at once, so that an address stays within what servers take. */
const IDS_AT_ONCE = 100;

/** An address as records are remembered under: without query, fragment and slashes at its end. @throws ImportError */
export function siteUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new ImportError(`${text} is not an http or https address.`);
  if (url.username || url.password)
    throw new ImportError("Credentials belong into IMPORT_LOGIN and IMPORT_API_KEY, not into the address.");
  const folders = url.pathname.split("/").filter(Boolean);
  return [url.origin, ...folders].join("/");
}

/** A site whose lists are paged by `page=a<id>`. */
export class SiteSource implements Source {
  readonly isSeekable = true;
  readonly base: string;

  /** @param url by `siteUrl` */
  constructor(
    url: string,
    private readonly client: SiteClient,
    readonly name = url,
  ) {
    this.base = `${url}/`;
  }

  async *batches(kind: Kind, after: number): AsyncIterable<Batch> {
    const total = await this.newest(kind);
    for (let last = after; ;) {
      const rows = await this.page(kind, `a${last}`, kindRow(kind).pageSize);
      if (rows.length === 0) return;
      const records = ascending(rows).filter((row) => (idOf(row) ?? 0) > last);
      const next = idOf(records.at(-1));
      if (next === null) throw new ImportError(`${this.base} does not list ${kind} by their numbers (page=a${last}).`);
      yield { records, done: next, total: Math.max(total, next) };
      last = next;
    }
  }

  async byIds(kind: Kind, ids: readonly number[]): Promise<unknown[]> {
    const records: unknown[] = [];
    const { params, byIds } = kindRow(kind);
    for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
      const some = ids.slice(at, at + IDS_AT_ONCE);
      const [name, value] = byIds(some.join(","));
      const query = { ...params, [name]: value, limit: String(IDS_AT_ONCE) };
      const wanted = new Set(some);
      const rows = await this.client.list(`/${kind}.json`, query);
      records.push(...ascending(rows).filter((row) => wanted.has(idOf(row) ?? 0)));
    }
    return records;
  }

  /** The greatest number in the list, for the progress bar; also sets the list's length when it is empty. */
  private async newest(kind: Kind): Promise<number> {
    const [row] = await this.page(kind, `b${MAX_ID}`, 1);
    return idOf(row) ?? 0;
  }

  private page(kind: Kind, page: string, limit: number): Promise<unknown[]> {
    return this.client.list(`/${kind}.json`, { ...kindRow(kind).params, page, limit: String(limit) });
  }
}

/** Sites list the newest first, even after an id. Records without an id can't be distinguished from earlier ones. */
const ascending = (rows: readonly unknown[]): unknown[] =>
  rows.filter((row) => idOf(row) !== null).sort((a, b) => (idOf(a) ?? 0) - (idOf(b) ?? 0));
