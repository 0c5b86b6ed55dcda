/** Reads that need nothing of a request but its URL: the rows with a `direct` way, found by their paths without a router. */
import type { Format } from "./envelope.js";
import { type Params, parseBrackets } from "./params.js";
import { directAnswer, type DirectRow, isDirect, type PreparedRows, textOf } from "./prepared.js";
import { idOf } from "./router.js";
import type { DirectContext, ResourceRow } from "./row.js";

/** A question that was found. */
export interface QuickRead {
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
  const pattern = row.path.split("/");
  return (path, query) => {
    const [, pathOf, format] = WITH_FORMAT.exec(path) ?? [];
    const ids = pathOf === undefined ? null : idsIn(pathOf.split("/"), pattern);
    if (!ids) return null;
    const read = async (context: DirectContext) => {
      const prepared = rows.get(row)?.();
      if (!prepared) throw new TypeError(`${row.path} is not prepared`);
      const asked = { path: ids, params: parseBrackets(query) };
      const { source, answer } = await directAnswer(prepared, row, context, asked);
      return { source, text: async () => textOf(prepared, await answer(), asked, format as Format) };
    };
    return { format: format as Format, read };
  };
}

const WITH_FORMAT = /^([^.]*)\.(json|xml)$/;

/** The ids in a path, by the names that the pattern has for them; null when it is another path. */
function idsIn(path: readonly string[], pattern: readonly string[]): Params | null {
  if (path.length !== pattern.length) return null;
  const ids: Params = {};
  for (const [index, part] of pattern.entries()) {
    const given = path[index] ?? "";
    const id = part.startsWith(":") ? idOf(given) : null;
    if (id !== null) ids[part.slice(1)] = id;
    else if (given !== part) return null;
  }
  return ids;
}
