/** What is made of a GraphQL request before it meets Apollo: viewer, limits, context. */
import type { Request, RequestHandler } from "express";
import type { GraphQLContext } from "../../graphql/context.js";
import { queryParams } from "../../rest/adapter/params.js";
import type { Board } from "../board.js";
import { contextOf } from "./rest-request.js";
import { admit, requireLogin } from "./viewer.js";

/** Where a request has its context. */
const CONTEXT = Symbol("context");
type WithContext = Request & { [CONTEXT]?: GraphQLContext };

export const graphqlContext = (request: Request): GraphQLContext => (request as WithContext)[CONTEXT] as GraphQLContext;

/** Credentials come in the header, the query of the URL or the cookies; a body is only the query. */
export function graphqlRequest(board: Board): RequestHandler {
  return async (request, response, next) => {
    response.once("finish", () => readToEnd(request));
    const viewer = await admit(board, request, response, queryParams(request));
    requireLogin(board, viewer, request.method, request.originalUrl);
    (request as WithContext)[CONTEXT] = contextOf(board, request, response, viewer);
    next();
  };
}

/** A file that nobody wanted, or not to its end, would keep the connection from its next request. */
function readToEnd(request: Request): void {
  request.unpipe();
  request.resume();
}
