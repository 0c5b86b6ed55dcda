/** Reads records from a site's REST interface, page by page, in ascending order of ids. */
import { type Batch, ImportError, type Kind, kindRow, type Source } from "./source.js";
import { idOf } from "./records.js";
import type { SiteClient } from "./site-client.js";
import { MAX_INT } from "../../lib/integers.js";

/** Ids in one request: servers limit the length of URLs. */
const IDS_PER_REQUEST = 100;

/** The normalised URL of a site: without query, fragment and trailing slashes. @throws ImportError */
export function siteUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new ImportError(`${text} is not an http or https URL.`);
  if (url.username || url.password)
    throw new ImportError("Credentials belong in IMPORT_LOGIN and IMPORT_API_KEY, not in the URL.");
  const folders = url.pathname.split("/").filter(Boolean);
  return [url.origin, ...folders].join("/");
}

/** A site whose lists are paged by `page=a<id>`. */
export class SiteSource implements Source {
  readonly isSeekable = true;
  readonly base: string;

  constructor(
    private readonly client: SiteClient,
    readonly name = client.options.url,
  ) {
    this.base = `${client.options.url}/`;
  }

  async *batches(kind: Kind, after: number): AsyncIterable<Batch> {
    const [newest] = await this.page(kind, `b${MAX_INT}`, 1); // for an estimate of the total
    for (let last = after; ;) {
      const rows = await this.page(kind, `a${last}`, kindRow(kind).pageSize);
      if (rows.length === 0) return;
      const records = ascending(rows).filter((row) => (idOf(row) ?? 0) > last);
      const next = idOf(records.at(-1));
      if (next === null) throw new ImportError(`${this.base} does not list ${kind} by id (page=a${last}).`);
      yield { records, done: next, total: Math.max(idOf(newest) ?? 0, next) };
      last = next;
    }
  }

  async byIds(kind: Kind, ids: readonly number[]): Promise<unknown[]> {
    const records: unknown[] = [];
    const { params, byIds } = kindRow(kind);
    for (let at = 0; at < ids.length; at += IDS_PER_REQUEST) {
      const some = ids.slice(at, at + IDS_PER_REQUEST);
      const [name, value] = byIds(some.join(","));
      const query = { ...params, [name]: value, limit: String(IDS_PER_REQUEST) };
      const wanted = new Set(some);
      const rows = await this.client.list(`/${kind}.json`, query);
      records.push(...ascending(rows).filter((row) => wanted.has(idOf(row) ?? 0)));
    }
    return records;
  }

  private page(kind: Kind, page: string, limit: number): Promise<unknown[]> {
    return this.client.list(`/${kind}.json`, { ...kindRow(kind).params, page, limit: String(limit) });
  }
}

/** Sorts records, which sites list newest first even after an id, and drops those without an id. */
const ascending = (rows: readonly unknown[]): unknown[] =>
  rows.filter((row) => idOf(row) !== null).sort((a, b) => (idOf(a) ?? 0) - (idOf(b) ?? 0));
