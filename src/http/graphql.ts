/** The steps for GraphQL: viewer, limits and context before Apollo, and the files of a multipart body. */
import { type ApolloServer, HeaderMap } from "@apollo/server";
import type { FormattedExecutionResult, GraphQLSchema } from "graphql";
import Negotiator from "negotiator";
import { PREFLIGHT_HEADERS } from "../../graphql/apollo.js";
import type { GraphQLContext } from "../../graphql/context.js";
import type { KnownOperations } from "../../graphql/known-operations.js";
import { boundDocument, HEAVY_DOCUMENT_LENGTH, isHeavyDocument } from "../../graphql/shared/admission.js";
import { requireAccessTo } from "../../graphql/shared/file-fields.js";
import { MultipartOperation } from "../../graphql/shared/multipart-operation.js";
import { failure } from "../errors.js";
import { parseJson } from "../lib/json.js";
import type { Pieces } from "../lib/pieces.js";
import { senderOf } from "../runtime/limits/bytes-in-flight.js";
import { HEAVY_LENGTH } from "../runtime/limits/heavy-lane.js";
import type { Viewer } from "../runtime/auth/viewer.js";
import { admit, currentViewer, urlParams } from "./admission.js";
import { contentTypeOf, hasBody, readText } from "./body.js";
import type { Exchange, Step } from "./exchange.js";
import { IncomingFiles } from "./incoming-files.js";
import { readMultipart } from "./multipart.js";
import { contextOf } from "./request-context.js";
import { requireSameSite } from "./session.js";

/**
 * Credentials are in the header, the query of the URL or the cookies, never in the body. Whether it is a write, which
 * needs more than cookies, is known when the operation is parsed (`graphql/apollo.ts`); before the body is read, requests that
 * any page could send without a CORS preflight (everything but JSON) are accepted from pages of this site only.
 */
export const runOperation =
  ({ apollo, known, schema, write }: Operations): Step =>
  async (exchange) => {
    const viewer = await admit(exchange, await urlParams(exchange));
    requirePreflight(exchange);
    if (exchange.method === "POST" && !isJson(exchange)) requireSameSite(exchange, viewer);
    await using files = new IncomingFiles(exchange.board);
    const body = await readBody(exchange, viewer, schema, files);
    const context = contextOf(exchange, await currentViewer(exchange, viewer), false);
    boundDocument(body);
    const type = exchange.method === "POST" ? typeOfAnswer(exchange) : undefined;
    const result = type === undefined ? null : await known.answer(body, context);
    if (type !== undefined && result)
      return { status: 200, headers: { "Content-Type": type, ...NOT_STORED }, body: write(result) };
    await documentInTurn(exchange, body);
    const { query, request } = exchange;
    const method = exchange.method === "HEAD" ? "GET" : exchange.method; // `respond.ts` leaves out the body
    const search = query === null ? "" : `?${query}`;
    const answer = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: method.toUpperCase(), headers: headerMap(request.headers), search, body },
      context: () => Promise.resolve(context),
    });
    if (answer.body.kind !== "complete") throw new TypeError("nothing here is answered in parts");
    return {
      status: answer.status ?? 200,
      headers: Object.fromEntries([...answer.headers].map(([name, value]) => [NAMES[name] ?? name, value])),
      body: answer.body.string as string | Pieces,
    };
  };

export interface Operations {
  apollo: ApolloServer<GraphQLContext>;
  known: KnownOperations;
  schema: GraphQLSchema;
  write: (result: FormattedExecutionResult) => string | Pieces;
}

const NOT_STORED = { "Cache-Control": "no-store" };
/** As in Apollo, in order of preference. */
const TYPES = ["application/json; charset=utf-8", "application/graphql-response+json; charset=utf-8"];

/** The media type that a client prefers, as Apollo chooses it; undefined for neither. */
export const typeOfAnswer = ({ request: { headers } }: Exchange): string | undefined =>
  headers.accept ? new Negotiator({ headers }).mediaType(TYPES) : TYPES[0];

const isJson = ({ request }: Exchange): boolean => hasBody(request) && contentTypeOf(request) === "application/json";

/** Types of bodies that a page may send to another site without a preflight; a request without one may be a link. */
const SIMPLE_TYPES = new Set(["", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]);

/**
 * Refuses requests that a page of another site could send without a preflight. Apollo checks the same, after it has the body.
 * @throws BoardError 403
 */
function requirePreflight(exchange: Exchange): void {
  if (!SIMPLE_TYPES.has(contentTypeOf(exchange.request))) return;
  if (!PREFLIGHT_HEADERS.some((name) => exchange.header(name))) throw failure("preflight_required");
}

/** The body for Apollo, read before the request counts. @throws BoardError 424, 503 */
async function readBody(
  exchange: Exchange,
  viewer: Viewer,
  schema: GraphQLSchema,
  files: IncomingFiles,
): Promise<unknown> {
  const { request, board } = exchange;
  if (contentTypeOf(request) === "multipart/form-data") return readOperation(exchange, viewer, schema, files);
  const text = isJson(exchange) ? await readText(request, board.config.MAX_BODY_BYTES) : null;
  await exchange.beginWork();
  if (text !== null && text.length > HEAVY_LENGTH) await exchange.heavy?.begin();
  return text === null ? undefined : parseJson(text);
}

/** Makes a long document wait for its turn before Apollo reads it; `graphql/apollo.ts` ends the turn. */
async function documentInTurn({ method, query: search, heavy }: Exchange, body: unknown): Promise<void> {
  const { query } = (body ?? {}) as { query?: unknown };
  const isLong = method !== "POST" && (search?.length ?? 0) > HEAVY_DOCUMENT_LENGTH;
  if (isLong || (typeof query === "string" && isHeavyDocument(query))) await heavy?.begin();
}

/** The operation in a multipart body, with its files; only files that the operation uses are kept. */
async function readOperation(
  exchange: Exchange,
  viewer: Viewer,
  schema: GraphQLSchema,
  incoming: IncomingFiles,
): Promise<unknown> {
  const { request, board, address } = exchange;
  let operation: MultipartOperation | undefined;
  const { fields, files } = await readMultipart(request, board.config, (name, before) => {
    operation ??= MultipartOperation.read(before);
    const fileFields = operation.fileFields(schema, name);
    if (fileFields.length === 0) return null;
    requireAccessTo(fileFields, viewer);
    return (stream) => incoming.receive(stream, senderOf({ address, viewer }));
  });
  await exchange.beginWork();
  operation ??= MultipartOperation.read(fields);
  return operation.withFiles(files);
}

function headerMap(headers: Exchange["request"]["headers"]): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(", ") : value);
  return map;
}

/** Names as the exchange spells them, over which these win. */
const NAMES: Readonly<Record<string, string>> = {
  "cache-control": "Cache-Control",
  "content-type": "Content-Type",
  allow: "Allow",
  "retry-after": "Retry-After",
};
