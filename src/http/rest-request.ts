/** What is made of a REST request before it meets its row: who asks, parameters, method, context. */
import type { Request, RequestHandler, Response } from "express";
import { requireAccessTo } from "../../graphql/shared/file-fields.js";
import {
  fieldParams,
  jsonParams,
  mergeParams,
  own,
  type Params,
  parseBrackets,
  placeFile,
  queryParams,
} from "../../rest/adapter/params.js";
import type { PreparedRows } from "../../rest/adapter/prepared.js";
import { type Match, matchOf, type ReceiveRequest } from "../../rest/adapter/router.js";
import type { Board } from "../board.js";
import { BoardError, failure } from "../errors.js";
import { senderOf } from "../runtime/limits/bytes-in-flight.js";
import { HEAVY_LENGTH } from "../runtime/limits/heavy-lane.js";
import { Admission, hasParameters } from "./admission.js";
import { beginWork, heavyWorkOf } from "./backpressure.js";
import { contentTypeOf, readText } from "./body.js";
import { fileReceiver } from "./incoming-files.js";
import { type AdmitFile, type Field, readMultipart } from "./multipart.js";
import { contextOf } from "./request-context.js";
import { addressOf, requireLogin } from "./viewer.js";

/** Where a request has what is known of who sends it. */
const ADMISSION = Symbol("admission");
type Admitted = Request & { [ADMISSION]?: Admission };

/** Who asks, and how often, by all but the body; before the path is looked at. */
export function admitRequest(board: Board): RequestHandler {
  return async (request, response, next) => {
    // What may be asked, and from where, is told to everybody: browsers ask it without credentials, before each write.
    if (request.method === "OPTIONS") return next();
    const admission = new Admission(board, request, response);
    await admission.byHead();
    (request as Admitted)[ADMISSION] = admission;
    next();
  };
}

/** Receives requests whose path has rows; what has none is not read. */
export function requestReceiver(board: Board, rows: PreparedRows): ReceiveRequest {
  return async (request, response, matches) => {
    const admission = (request as Admitted)[ADMISSION] as Admission;
    const url = queryParams(request);
    const read = matches.length > 0 && hasParameters(request);
    const admitFile = fileAdmission(board, rows, { request, response, admission, matches, url });
    const body = read
      ? await bodyParams(board, request, admitFile).catch(async (unreadable: unknown) => {
          await admission.settle(url); // it counts as well
          throw unreadable;
        })
      : {};
    const params = mergeParams(url, body);
    const viewer = await admission.settle(params);
    request.method = methodOf(request, params);
    requireLogin(board, viewer, request.method, request.path);
    await beginWork(request);
    return { params, context: contextOf(board, request, response, viewer, true) };
  };
}

/** The parameters of the body. @throws BoardError 424 for malformed or too large bodies; what `admitFile` throws */
async function bodyParams(board: Board, request: Request, admitFile: AdmitFile): Promise<Params> {
  const type = contentTypeOf(request);
  if (type === "multipart/form-data") {
    const { fields, files } = await readMultipart(request, board.config, admitFile);
    const params = fieldParams(fields);
    for (const { name, spooled } of files) if (spooled) placeFile(params, name, spooled);
    return params;
  }
  const body = await readText(request, board.config.MAX_BODY_BYTES);
  await beginWork(request); // to read a great body takes longer than most answers
  const read = () => (type.endsWith("json") ? jsonParams(body) : parseBrackets(body));
  return body.length > HEAVY_LENGTH ? heavyWorkOf(request).run(read) : read();
}

interface Arriving {
  request: Request;
  response: Response;
  admission: Admission;
  matches: readonly Match[];
  url: Params;
}

/** A file is received where the row takes one and its gate lets the viewer in, who has to be known when it begins. */
function fileAdmission(
  board: Board,
  rows: PreparedRows,
  { request, response, admission, matches, url }: Arriving,
): AdmitFile {
  const receive = fileReceiver(board, response);
  return async (_name, fields: readonly Field[]) => {
    const params = mergeParams(url, fieldParams(fields));
    const match = matchOf(matches, methodOf(request, params));
    const fileFields = (match && rows.get(match.row)?.().fileFields) ?? [];
    if (fileFields.length === 0) return null;
    const viewer = await admission.settle(params);
    try {
      requireAccessTo(fileFields, viewer);
    } catch (error) {
      const isUnknown = error instanceof BoardError && error.key === "login_required";
      throw isUnknown ? failure("login_before_file", {}, { cause: error }) : error;
    }
    return (stream) => receive(stream, senderOf({ address: addressOf(request), viewer }));
  };
}

/** A POST may say that it means another method; PATCH is PUT. */
function methodOf(request: Request, params: Params): string {
  const said = own(params, "_method") ?? request.get("x-http-method-override");
  const asked = typeof said === "string" ? said.toUpperCase() : "";
  const isSaid = request.method === "POST" && ["GET", "PUT", "PATCH", "DELETE"].includes(asked);
  const method = isSaid ? asked : request.method;
  return method === "PATCH" ? "PUT" : method;
}
