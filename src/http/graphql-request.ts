/** What is made of a GraphQL request before it meets Apollo: viewer, limits, context, and the files of a multipart body. */
import type { Request, RequestHandler } from "express";
import type { GraphQLSchema } from "graphql";
import { PREFLIGHT_HEADERS } from "../../graphql/apollo.js";
import type { GraphQLContext } from "../../graphql/context.js";
import { requireAccessTo } from "../../graphql/shared/file-fields.js";
import { HEAVY_DOCUMENT_LENGTH, isHeavyDocument } from "../../graphql/shared/admission.js";
import { MultipartOperation } from "../../graphql/shared/multipart-operation.js";
import type { Board } from "../board.js";
import { failure } from "../errors.js";
import { senderOf } from "../runtime/limits/bytes-in-flight.js";
import { HEAVY_LENGTH } from "../runtime/limits/heavy-lane.js";
import { urlParams } from "./admission.js";
import { parseJson } from "../lib/json.js";
import { beginWork, heavyWorkOf } from "./backpressure.js";
import { contentTypeOf, hasBody, readText } from "./body.js";
import { fileReceiver } from "./incoming-files.js";
import { readMultipart } from "./multipart.js";
import { contextOf } from "./request-context.js";
import { requireSameSite } from "./session.js";
import { admit } from "./viewer.js";

/** Where a request has its context. */
const CONTEXT = Symbol("context");
type WithContext = Request & { [CONTEXT]?: GraphQLContext };

export const graphqlContext = (request: Request): GraphQLContext => (request as WithContext)[CONTEXT] as GraphQLContext;

/**
 * Credentials come in the header, the query of the URL or the cookies; a body is only the query. Whether it is a write, which
 * needs more than cookies, is known when the operation is (`graphql/apollo.ts`); before its body is read, what any page may
 * send without being asked first (everything but JSON) is taken from pages of this site only.
 */
export function graphqlRequest(board: Board): RequestHandler {
  return async (request, response, next) => {
    const viewer = await admit(board, request, response, await urlParams(board, request, response));
    requirePreflight(request);
    if (request.method === "POST" && !request.is("application/json")) requireSameSite(request, viewer, board);
    (request as WithContext)[CONTEXT] = contextOf(board, request, response, viewer, false);
    next();
  };
}

/** Types of bodies that a page may send to another site without asking; a request without one may be a link. */
const SIMPLE_TYPES = new Set(["", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]);

/**
 * What a page of another site could send without its browser asking first. Apollo checks the same, when it has the body.
 * @throws BoardError 403
 */
function requirePreflight(request: Request): void {
  if (!SIMPLE_TYPES.has(contentTypeOf(request))) return;
  if (!PREFLIGHT_HEADERS.some((name) => request.get(name))) throw failure("preflight_required");
}

/** Receives a body of JSON, and begins the work on what has arrived. @throws BoardError 424, 503 */
export function jsonRequest(mostBytes: number): RequestHandler {
  return async (request, _response, next) => {
    const isJson = hasBody(request) && request.is("application/json");
    const text = isJson ? await readText(request, mostBytes) : null;
    if (contentTypeOf(request) !== "multipart/form-data") await beginWork(request);
    if (text !== null && text.length > HEAVY_LENGTH) await heavyWorkOf(request).begin();
    request.body = text === null ? undefined : parseJson(text); // Apollo looks whether it was set
    next();
  };
}

/** Receives a multipart body as the operation that it has, with its files; only a file that the operation takes is kept. */
export function multipartRequest(board: Board, schema: GraphQLSchema): RequestHandler {
  return async (request, response, next) => {
    if (contentTypeOf(request) !== "multipart/form-data") return next();
    const context = graphqlContext(request);
    const receive = fileReceiver(board, response);
    let operation: MultipartOperation | undefined;
    const { fields, files } = await readMultipart(request, board.config, (name, before) => {
      operation ??= MultipartOperation.read(before);
      const fileFields = operation.fileFields(schema, name);
      if (fileFields.length === 0) return null;
      requireAccessTo(fileFields, context.viewer);
      return (stream) => receive(stream, senderOf(context));
    });
    await beginWork(request);
    operation ??= MultipartOperation.read(fields);
    request.body = operation.withFiles(files);
    next();
  };
}

/** Has a document that takes long wait for its turn, before Apollo reads it; `graphql/apollo.ts` says when that is over. */
export const documentInTurn: RequestHandler = async (request, _response, next) => {
  const { query } = (request.body ?? {}) as { query?: unknown };
  const isLong = request.method === "GET" && request.originalUrl.length > HEAVY_DOCUMENT_LENGTH;
  if (isLong || (typeof query === "string" && isHeavyDocument(query))) await heavyWorkOf(request).begin();
  next();
};
