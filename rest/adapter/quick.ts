/** Reads that need nothing of a request but its URL: the rows with a `direct` way, found by their paths without a router. */
import type { Format } from "./envelope.js";
import { parseBrackets } from "./params.js";
import { directAnswer, type DirectRow, isDirect, type PreparedRows, textOf } from "./prepared.js";
import { idOf } from "./router.js";
import type { DirectContext, ResourceRow } from "./row.js";

/** A question that was found. */
export interface QuickRead {
  /** pattern of the path (`/posts/:id`) */
  pattern: string;
  format: Format;
  /** Reads what the answer is made of. @throws as the row does, when the promise is awaited */
  read(context: DirectContext): Promise<ReadAnswer>;
}

/** What was read. */
export interface ReadAnswer {
  /** the same for the same answer to the same URL; undefined where that is not known */
  source: string | undefined;
  /** The text of the answer. @throws as the row does */
  text(): Promise<string>;
}

/** What a URL's path and query ask of the rows; null for what is to be asked of the router. */
export type FindQuickRead = (path: string, query: string) => QuickRead | null;

export function quickReads(prepared: PreparedRows): FindQuickRead {
  const finds = [...prepared.keys()].filter(isQuick).map((row) => finderOf(row, prepared));
  return (path, query) => {
    for (const find of finds) {
      const found = find(path, query);
      if (found) return found;
    }
    return null;
  };
}

const isQuick = (row: ResourceRow): row is DirectRow =>
  isDirect(row) && row.method === "GET" && !row.choice && !row.idOr;

function finderOf(row: DirectRow, rows: PreparedRows): FindQuickRead {
  const names = [...row.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "");
  const pattern = new RegExp(`^${row.path.replace(/:\w+/g, "(\\d+)")}\\.(json|xml)$`);
  return (path, query) => {
    const [, ...parts] = pattern.exec(path) ?? [];
    const format = parts.at(-1) as Format | undefined;
    if (!format) return null;
    const read = async (context: DirectContext) => {
      const prepared = rows.get(row)?.();
      if (!prepared) throw new TypeError(`${row.path} is not prepared`);
      const ids = Object.fromEntries(names.map((name, index) => [name, idOf(parts[index] ?? "")]));
      const asked = { path: ids, params: parseBrackets(query) };
      const { source, answer } = await directAnswer(prepared, row, context, asked);
      return { source, text: async () => textOf(prepared, await answer(), asked, format) };
    };
    return { pattern: row.path, format, read };
  };
}
