/** Makes a router of the table: every row at its path with `.json` and `.xml`. */
import { type Request, type RequestHandler, type Response, Router } from "express";
import type { GraphQLContext } from "../../graphql/context.js";
import { chosenRow } from "./choice.js";
import { type Format, formatOf, send, sendSuccess } from "./envelope.js";
import type { Params } from "./params.js";
import {
  type Asked,
  directAnswer,
  documentAnswer,
  isDirect,
  type Prepared,
  type PreparedRows,
  textOf,
  viewed,
} from "./prepared.js";
import type { Json, ResourceRow } from "./row.js";

/** What the server gives each request before it comes here. */
export interface RestRequest {
  /** query and body parameters, merged */
  params: Params;
  context: GraphQLContext;
}

export function restRouter(
  rows: readonly ResourceRow[],
  prepared: PreparedRows,
  of: (request: Request) => RestRequest,
): Router {
  const shown = new Set(rows.filter(({ method }) => method === "GET").map(({ path }) => path));
  const router = Router({ caseSensitive: true, strict: true });
  for (const row of rows) {
    const isCreate = row.method === "POST" && shown.has(`${row.path}/:id`);
    const method = row.method.toLowerCase() as "get" | "post" | "put" | "delete";
    const handler: RequestHandler = async (request, response, next) => {
      const path = pathIds(request.params, row.idOr);
      const format = formatAsked(request);
      if (!path || !format) return next();
      const { params, context } = of(request);
      const chosen = prepared.get(chosenRow(row, params))?.();
      if (!chosen) return next();
      if (row.method === "GET") await answerRead(chosen, { params, path }, context, response, format);
      else await answerWrite(chosen, { params, path }, context, response, format, isCreate);
    };
    router[method](`${row.path}.:format`, handler);
    router[method](row.path, handler);
  }
  return router;
}

/**
 * The ids in the path as numbers in text; null when one is no number. An id too large for any record is kept as -1.
 * @param idOr where a name in the place of `id` goes; of the two, the other one is set to nothing
 */
function pathIds(params: Request["params"], idOr?: string): Params | null {
  const ids: Params = idOr ? { id: undefined, [idOr]: undefined } : {};
  for (const [name, value] of Object.entries(params)) {
    if (name === "format") continue;
    if (typeof value !== "string") return null;
    const id = idOf(value);
    if (id !== null) ids[name] = id;
    else if (idOr && name === "id") ids[idOr] = value;
    else return null;
  }
  return ids;
}

/** A number in a path, as text; -1 for one that no record can have, null for what is no number. */
export const idOf = (text: string): string | null => {
  if (!/^\d+$/.test(text)) return null;
  return Number(text) <= 2_147_483_647 ? text : "-1";
};

/** The extension decides; without one, only a request that names JSON or XML is answered. */
function formatAsked(request: Request): Format | null {
  const { format } = request.params;
  if (format !== undefined) return format === "json" || format === "xml" ? format : null;
  const accept = request.headers.accept ?? "";
  const type = request.headers["content-type"] ?? "";
  return /\b(json|xml)\b/.test(accept) || request.path === "/session" || /json/.test(type) ? formatOf(request) : null;
}

async function answerRead(
  prepared: Prepared,
  asked: Asked,
  context: GraphQLContext,
  response: Response,
  format: Format,
): Promise<void> {
  const { row, hasPayload } = prepared;
  if (hasPayload) {
    // a link is followed with the cookies, also from another site; where it writes, that is refused
    if (context.viewer.proof === "cookie") context.session.refuseForeignPage();
  } else await context.board.replicas?.choose(context);
  const value = isDirect(row)
    ? await (await directAnswer(prepared, row, context, asked)).answer()
    : await answerOf(prepared, context, asked);
  send(response, row.status ?? 200, format, textOf(prepared, value, asked, format));
}

/** What the document answers; of a mutation, when it is known how far it wrote: its viewer's next read is not to miss it. */
async function answerOf(prepared: Prepared, context: GraphQLContext, asked: Asked): Promise<Json> {
  try {
    return await documentAnswer(prepared, context, asked);
  } finally {
    if (prepared.hasPayload) await context.board.replicas?.wrote(context);
  }
}

async function answerWrite(
  prepared: Prepared,
  asked: Asked,
  context: GraphQLContext,
  response: Response,
  format: Format,
  isCreate: boolean,
): Promise<void> {
  const { row } = prepared;
  const record = viewed(row, await answerOf(prepared, context, asked));
  if (isCreate) locate(response, row, record);
  sendSuccess(response, format, row.status ?? 200, record);
}

/** Where the created record is. */
function locate(response: Response, row: ResourceRow, record: Json): void {
  if (typeof record.id === "number") response.set("Location", `${row.path}/${record.id}`);
}
