/** Makes a router of the table: every row at its path with `.json` and `.xml`. */
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from "express";
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

/**
 * Takes in a request: its parameters, read when it is known who asks; and the method that it means, set on it.
 * @param matches rows of its path that it may mean; where there are none, nothing of its body is read
 * @throws BoardError 403, 421, 424
 */
export type ReceiveRequest = (request: Request, response: Response, matches: readonly Match[]) => Promise<RestRequest>;

/** A row that a path leads to. */
export interface Match {
  row: ResourceRow;
  /** ids in the path */
  path: Params;
  format: Format;
}

export const matchOf = (matches: readonly Match[], method: string): Match | undefined =>
  matches.find(({ row }) => row.method === (method === "HEAD" ? "GET" : method));

/** Where a request has the rows of its path, whatever their methods. */
const MATCHES = Symbol("matches");
type Matched = Request & { [MATCHES]?: Match[] };

export function restRouter(rows: readonly ResourceRow[], prepared: PreparedRows, receive: ReceiveRequest): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const row of rows) {
    const match: RequestHandler = (request: Matched, _response, next) => {
      const path = pathIds(request.params, row.idOr);
      const format = formatAsked(request);
      const isAsked = request.method === "OPTIONS" || (path !== null && format !== null);
      if (isAsked) (request[MATCHES] ??= []).push({ row, path: path ?? {}, format: format ?? "json" });
      next();
    };
    router.all(`${row.path}.:format`, match);
    router.all(row.path, match);
  }
  router.use(answerer(rows, prepared, receive));
  return router;
}

/** Answers by the row that the request means, of those that its path has. */
function answerer(rows: readonly ResourceRow[], prepared: PreparedRows, receive: ReceiveRequest): RequestHandler {
  const shown = new Set(rows.filter(({ method }) => method === "GET").map(({ path }) => path));
  return async (request: Matched, response, next) => {
    if (request.method === "OPTIONS") return tellMethods(request[MATCHES] ?? [], response, next);
    const matches = (request[MATCHES] ?? []).filter(({ row }) => mayMean(request.method, row.method));
    const { params, context } = await receive(request, response, matches);
    const match = matchOf(matches, request.method);
    const chosen = match && prepared.get(chosenRow(match.row, params))?.();
    if (!chosen) return next();
    const { row, path, format } = match;
    const unknown = chosen.unknownKeys(params);
    if (unknown !== null) response.set("X-Unknown-Parameters", unknown);
    const isCreate = row.method === "POST" && shown.has(`${row.path}/:id`);
    if (row.method === "GET") await answerRead(chosen, { params, path }, context, response, format);
    else await answerWrite(chosen, { params, path }, context, response, format, isCreate);
  };
}

function tellMethods(matches: readonly Match[], response: Response, next: NextFunction): void {
  if (matches.length === 0) return next();
  const methods = new Set(matches.flatMap(({ row }) => (row.method === "GET" ? ["GET", "HEAD"] : [row.method])));
  const allowed = [...methods].join(", ");
  response.set("Allow", allowed).type("text/plain").send(allowed);
}

/** A POST may mean any method, which only its parameters say. */
const mayMean = (sent: string, method: string): boolean =>
  sent === "POST" || method === (sent === "HEAD" ? "GET" : sent === "PATCH" ? "PUT" : sent);

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
    if (context.session.isUsed) context.session.refuseForeignPage();
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
