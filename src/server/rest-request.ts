/** What is made of a REST request before it meets its row: parameters, method, viewer, context. */
import type { Request, RequestHandler, Response } from "express";
import { createLoaders, type Loaders } from "../../graphql/loaders.js";
import type { GraphQLContext } from "../../graphql/context.js";
import { type BodyLimits, bodyParams, mergeParams, own, type Params, queryParams } from "../../rest/adapter/params.js";
import type { ReceiveFile } from "../../rest/adapter/multipart.js";
import type { RestRequest } from "../../rest/adapter/router.js";
import type { Viewer } from "../auth/viewer.js";
import type { Board } from "../board.js";
import type { Spooled } from "../services/media-intake.js";
import { logOf } from "./request-log.js";
import { requestIdOf } from "./request-record.js";
import { sessionOf } from "./session.js";
import { addressOf, admit, charge, requireLogin } from "./viewer.js";

/** Where a request has what was received with it. */
const RECEIVED = Symbol("received");
type Received = Request & { [RECEIVED]?: RestRequest };

export const restRequestOf = (request: Request): RestRequest => (request as Received)[RECEIVED] as RestRequest;

/** Room for the boundaries and fields around a file, in bytes. */
const MULTIPART_OVERHEAD = 4 * 1024 * 1024;

export function receiveRequest(board: Board): RequestHandler {
  const limits = {
    maxBody: board.config.MAX_BODY_BYTES,
    maxMultipart: board.config.MAX_UPLOAD_BYTES + MULTIPART_OVERHEAD,
  };
  return async (request, response, next) => {
    // What may be asked, and from where, is told to everybody: browsers ask it without credentials, before each write.
    if (request.method === "OPTIONS") return next();
    const received: Promise<Spooled>[] = [];
    response.once("close", () => void removeAll(received));
    const receive: ReceiveFile = (stream) => {
      const file = board.intake.spool(stream);
      received.push(file);
      return file.then((spooled) => ({ spooled }));
    };
    const params = await paramsOf(request, limits, receive).catch(async (unreadable: unknown) => {
      // It counts as well, for whom header and cookies say that it is from.
      await admit(board, request, response, {});
      throw unreadable;
    });
    overrideMethod(request, params);
    const viewer = await admit(board, request, response, params);
    requireLogin(board, viewer, request.method, request.path);
    (request as Received)[RECEIVED] = { params, context: contextOf(board, request, response, viewer) };
    next();
  };
}

/** Query and body, merged; the body wins. @throws BoardError 424 */
async function paramsOf(request: Request, limits: BodyLimits, receive: ReceiveFile): Promise<Params> {
  const body = await bodyParams(request, limits, receive);
  return mergeParams(queryParams(request), body);
}

/** Whatever became of the request, what it brought along is not left lying about. */
async function removeAll(received: Promise<Spooled>[]): Promise<void> {
  await Promise.allSettled(received.map(async (file) => (await file).remove()));
}

/** A POST may say that it means another method; PATCH is PUT. */
function overrideMethod(request: Request, params: Params): void {
  const said = own(params, "_method") ?? request.get("x-http-method-override");
  if (request.method === "POST" && typeof said === "string") {
    const method = said.toUpperCase();
    if (["GET", "PUT", "PATCH", "DELETE"].includes(method)) request.method = method;
  }
  if (request.method === "PATCH") request.method = "PUT";
}

/** What resolvers get, for either door. */
export function contextOf(board: Board, request: Request, response: Response, viewer: Viewer): GraphQLContext {
  let loaders: Loaders | undefined;
  const address = addressOf(request);
  return {
    requestId: requestIdOf(request),
    viewer,
    address,
    charge: (times) => charge(board, response, { viewer, address }, times),
    baseUrl: board.config.PUBLIC_URL ?? `${request.protocol}://${request.host}`,
    log: logOf(request, board),
    board,
    get loaders() {
      return (loaders ??= createLoaders(board, viewer));
    },
    session: sessionOf(request, response, board.secret, board.config.PUBLIC_URL),
  };
}
