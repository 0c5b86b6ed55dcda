/** Makes a router of the table: every row at its path with `.json` and `.xml`. */
import { type Request, type RequestHandler, type Response, Router } from "express";
import { type GraphQLSchema, OperationTypeNode } from "graphql";
import type { GraphQLContext } from "../../graphql/context.js";
import { failure } from "../../src/errors.js";
import { coerceVariables } from "./coerce.js";
import { type Format, formatOf, send, sendSuccess } from "./envelope.js";
import { compile, operationOf, rootValue, type Run } from "./execute.js";
import { isNesting, own, type Params } from "./params.js";
import type { Json, ResourceRow } from "./row.js";
import { restSchema } from "./schema.js";
import { type Shape, shapeOf } from "./shape.js";
import { listXml, recordXml } from "./xml.js";

/** What the server gives each request before it comes here. */
export interface RestRequest {
  /** query and body parameters, merged */
  params: Params;
  context: GraphQLContext;
}

/** What is made of a row once: the compiled document, and what it answers. */
interface Prepared {
  row: ResourceRow;
  schema: GraphQLSchema;
  isWrite: boolean;
  run: Run;
  shape: Shape;
}

export function restRouter(
  schema: GraphQLSchema,
  rows: readonly ResourceRow[],
  of: (request: Request) => RestRequest,
): Router {
  const spelled = restSchema(schema);
  const router = Router({ caseSensitive: true, strict: true });
  for (const row of rows) {
    const prepared = lazily(() => prepare(spelled, row));
    const method = row.method.toLowerCase() as "get" | "post" | "put" | "delete";
    const handler: RequestHandler = async (request, response, next) => {
      const path = pathIds(request.params);
      const format = formatAsked(request);
      if (!path || !format) return next();
      await answer(prepared(), path, of(request), response, format, request);
    };
    router[method](`${row.path}.:format`, handler);
    router[method](row.path, handler);
  }
  return router;
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function prepare(schema: GraphQLSchema, row: ResourceRow): Prepared {
  const { document } = row;
  const isWrite = operationOf(document).operation === OperationTypeNode.MUTATION;
  return { row, schema, isWrite, run: compile(schema, document), shape: shapeOf(schema, document) };
}

/** The ids in the path as numbers in text; null when one is no number. An id too large for any record is kept as -1. */
function pathIds(params: Request["params"]): Params | null {
  const ids: Params = {};
  for (const [name, value] of Object.entries(params)) {
    if (name === "format") continue;
    if (typeof value !== "string" || !/^\d+$/.test(value)) return null;
    ids[name] = Number(value) <= 2_147_483_647 ? value : "-1";
  }
  return ids;
}

/** The extension decides; without one, only a request that names JSON or XML is answered. */
function formatAsked(request: Request): Format | null {
  const { format } = request.params;
  if (format !== undefined) return format === "json" || format === "xml" ? format : null;
  const accept = request.headers.accept ?? "";
  const type = request.headers["content-type"] ?? "";
  return /\b(json|xml)\b/.test(accept) || request.path === "/session" || /json/.test(type) ? formatOf(request) : null;
}

async function answer(
  { row, schema, isWrite, run, shape }: Prepared,
  path: Params,
  { params, context }: RestRequest,
  response: Response,
  format: Format,
  request: Request,
): Promise<void> {
  const operation = operationOf(row.document);
  const variables = coerceVariables(schema, operation, { params, path, scope: row.resource });
  const result = await run(context, variables);
  const value = rootValue(result, (error) => context.log.warn({ err: error }, "field left out"));
  if (value === null || value === undefined) throw failure("not_found");
  const status = row.status ?? 200;
  if (isWrite) {
    const record = viewed(row, recordOf(value as Json));
    if (row.method === "POST" && request.params.id === undefined) locate(response, row, record);
    return sendSuccess(response, format, status, record);
  }
  const only = onlyOf(params);
  const nodes = isNesting(value) ? own(value, "nodes") : undefined;
  const take = (record: Json) => pick(viewed(row, record), only);
  const list = Array.isArray(nodes) ? (nodes as Json[]).map(take) : null;
  const record = list ?? take(value as Json);
  if (format === "json") return send(response, status, format, JSON.stringify(record));
  const inner = list ? (shape.fields?.nodes ?? shape) : shape;
  const xml = list ? listXml(row.plural, row.resource, list, inner) : recordXml(row.resource, record as Json, inner);
  send(response, status, format, xml);
}

const viewed = (row: ResourceRow, record: Json): Json => (row.view ? row.view(record) : record);

/** A payload's record: its objects' fields and its own scalars on one level. */
function recordOf(payload: Json): Json {
  const record: Json = {};
  for (const [key, value] of Object.entries(payload)) {
    if (isNesting(value)) Object.assign(record, value);
    else record[key] = value;
  }
  return record;
}

/** Where the created record is. */
function locate(response: Response, row: ResourceRow, record: Json): void {
  if (!row.path.includes(":") && typeof record.id === "number") response.set("Location", `${row.path}/${record.id}`);
}

/** `only=id,name,creator[name]`: the top-level fields to answer; null for all. */
function onlyOf(params: Params): Set<string> | null {
  const only = own(params, "only");
  if (typeof only !== "string" || only.trim() === "") return null;
  return new Set(
    only
      .replace(/\[[^\]]*\]/g, "")
      .split(",")
      .map((name) => name.trim()),
  );
}

const pick = (record: Json, only: Set<string> | null): Json =>
  only ? Object.fromEntries(Object.entries(record).filter(([key]) => only.has(key))) : record;
