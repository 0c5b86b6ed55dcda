/** Makes a router of the table: every row at its path with `.json` and `.xml`. */
import { type Request, type RequestHandler, type Response, Router } from "express";
import { type GraphQLSchema, OperationTypeNode } from "graphql";
import type { GraphQLContext } from "../../graphql/context.js";
import { failure } from "../../src/errors.js";
import { Together } from "../../src/lib/together.js";
import { chosenRow, variantsOf } from "./choice.js";
import { coerceVariables } from "./coerce.js";
import { type Format, formatOf, send, sendSuccess } from "./envelope.js";
import { compile, operationOf, rootValue, type Run, type Variables } from "./execute.js";
import { isNesting, own, type Params } from "./params.js";
import { projector } from "./project.js";
import type { Json, ResourceRow } from "./row.js";
import { restSchema } from "./schema.js";
import { recordShapeOf, type Shape, shapeOf } from "./shape.js";
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
  /** whether it answers a mutation's payload, with the record in it */
  hasPayload: boolean;
  /** whether what it makes can be shown at its own path */
  isCreate: boolean;
  run: Run;
  /** answers that are being made for several visitors at once */
  together: Together<Body>;
  /** what a `direct` value becomes */
  project: ReturnType<typeof projector>;
  shape: Shape;
}

export function restRouter(
  schema: GraphQLSchema,
  rows: readonly ResourceRow[],
  of: (request: Request) => RestRequest,
): Router {
  const spelled = restSchema(schema);
  const shown = new Set(rows.filter(({ method }) => method === "GET").map(({ path }) => path));
  const router = Router({ caseSensitive: true, strict: true });
  for (const row of rows) {
    const isCreate = row.method === "POST" && shown.has(`${row.path}/:id`);
    const prepared = new Map(variantsOf(row).map((each) => [each, lazily(() => prepare(spelled, each, isCreate))]));
    const method = row.method.toLowerCase() as "get" | "post" | "put" | "delete";
    const handler: RequestHandler = async (request, response, next) => {
      const path = pathIds(request.params, row.idOr);
      const format = formatAsked(request);
      if (!path || !format) return next();
      const received = of(request);
      const chosen = prepared.get(chosenRow(row, received.params));
      if (chosen) await answer(chosen(), path, received, response, format);
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

function prepare(schema: GraphQLSchema, row: ResourceRow, isCreate: boolean): Prepared {
  const { document } = row;
  const hasPayload = operationOf(document).operation === OperationTypeNode.MUTATION;
  const shape = shapeOf(schema, document);
  const answered = hasPayload ? recordShapeOf(shape) : shape;
  return {
    row,
    schema,
    hasPayload,
    isCreate,
    run: compile(schema, document),
    together: new Together(),
    project: projector(document),
    shape: answered,
  };
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
    if (/^\d+$/.test(value)) ids[name] = Number(value) <= 2_147_483_647 ? value : "-1";
    else if (idOr && name === "id") ids[idOr] = value;
    else return null;
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
  prepared: Prepared,
  path: Params,
  { params, context }: RestRequest,
  response: Response,
  format: Format,
): Promise<void> {
  const { row, schema, hasPayload } = prepared;
  // a link is followed with the cookies, also from another site; where it writes, that is refused
  if (row.method === "GET" && hasPayload && context.viewer.proof === "cookie") context.session.refuseForeignPage();
  const variables = coerceVariables(schema, operationOf(row.document), { params, path, scope: row.resource });
  const only = onlyOf(params);
  const read = async (): Promise<Json> => {
    const value = await valueOf(prepared, context, variables);
    if (!isNesting(value)) throw failure("not_found");
    return hasPayload ? recordOf(value) : value;
  };
  if (row.method !== "GET") return answerWrite(prepared, await read(), response, format);
  const write = async () => madeOnce(bodyOf(prepared, await read(), only, format), response);
  const body = isShared(row, context) ? prepared.together.do(keyOf(context, format, only, variables), write) : write();
  const { bytes, etag } = await body;
  send(response.set("ETag", etag), row.status ?? 200, format, bytes);
}

/** An answer as it is sent, whoever it is sent to. */
interface Body {
  bytes: Buffer;
  etag: string;
}

function madeOnce(text: string, { app }: Response): Body {
  const bytes = Buffer.from(text);
  const etagOf = app.get("etag fn") as (body: Buffer) => string;
  return { bytes, etag: etagOf(bytes) };
}

/** What everybody is shown alike is made once for all visitors who ask for it at the same time. */
const isShared = (row: ResourceRow, { viewer }: GraphQLContext): boolean =>
  row.direct !== undefined && viewer.id === null;

const keyOf = ({ baseUrl }: GraphQLContext, format: Format, only: Set<string> | null, variables: Variables): string =>
  JSON.stringify([baseUrl, format, only && [...only], variables]);

async function valueOf({ row, run, project }: Prepared, context: GraphQLContext, variables: Variables) {
  if (row.direct) {
    const value = await row.direct(context, variables);
    return value && project(value);
  }
  return rootValue(await run(context, variables), (error) => context.log.warn({ err: error }, "field left out"));
}

function answerWrite({ row, isCreate }: Prepared, answered: Json, response: Response, format: Format): void {
  const record = viewed(row, answered);
  if (isCreate) locate(response, row, record);
  sendSuccess(response, format, row.status ?? 200, record);
}

function bodyOf({ row, shape }: Prepared, value: Json, only: Set<string> | null, format: Format): string {
  const nodes = own(value, "nodes");
  const take = (record: Json) => pick(viewed(row, record), only);
  const answered = Array.isArray(nodes) ? (nodes as Json[]).map(take) : take(value);
  if (format === "json") return JSON.stringify(answered);
  return Array.isArray(answered)
    ? listXml(row.plural, row.resource, answered, shape.fields?.nodes ?? shape)
    : recordXml(row.resource, answered, shape);
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
  if (typeof record.id === "number") response.set("Location", `${row.path}/${record.id}`);
}

/** `only=id,name,creator[name]`: the top-level fields to answer; null for all. */
function onlyOf(params: Params): Set<string> | null {
  const only = own(params, "only");
  if (typeof only !== "string" || only.trim() === "") return null;
  return new Set(
    only
      .replace(/\[[^[\]]*\]/g, "")
      .split(",")
      .map((name) => name.trim()),
  );
}

const pick = (record: Json, only: Set<string> | null): Json =>
  only ? Object.fromEntries(Object.entries(record).filter(([key]) => only.has(key))) : record;
