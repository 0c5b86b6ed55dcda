/** The REST interface's own steps: authentication and limits, the parameters of the body, the row. */
import { isOpenBeforeLogin } from "../../graphql/shared/access.js";
import { requireAccessTo } from "../../graphql/shared/file-fields.js";
import { answerRow } from "../../rest/adapter/answer.js";
import {
  fieldParams,
  formParams,
  isNesting,
  jsonParams,
  mergeParams,
  own,
  type Params,
  placeFile,
} from "../../rest/adapter/params.js";
import type { PreparedRows } from "../../rest/adapter/prepared.js";
import type { ResourceRow } from "../../rest/adapter/row.js";
import type { Config } from "../config.js";
import { BoardError, failure, requireFound } from "../errors.js";
import { isSignedIn } from "../runtime/auth/viewer.js";
import { senderOf } from "../runtime/limits/bytes-in-flight.js";
import { HEAVY_LENGTH } from "../runtime/limits/heavy-lane.js";
import { SEARCH_BYTES } from "../search/bounds.js";
import { andThen, type MaybePromise } from "../lib/maybe-promise.js";
import { currentViewer, hasParameters, settle } from "./admission.js";
import { contentTypeOf, hasBody, readText } from "./body.js";
import type { Answer, Exchange, Step } from "./exchange.js";
import { IncomingFiles } from "./incoming-files.js";
import { type AdmitFile, type Field, readMultipart } from "./multipart.js";
import { contextOf } from "./request-context.js";

/**
 * The parameters of query and body, merged. The body of a request without a row is not read.
 * @throws BoardError 424 for a write with a body of a type that has no parameters, which would be ignored
 */
export const readBody =
  (rows: PreparedRows): Step =>
  (exchange, next) => {
    if (rowsAsked(exchange).length === 0) return next();
    if (hasParameters(exchange)) return withBody(exchange, rows, next);
    if (hasBody(exchange.request) && exchange.method !== "GET") throw failure("unsupported_body");
    return next();
  };

async function withBody(exchange: Exchange, rows: PreparedRows, next: () => MaybePromise<Answer>): Promise<Answer> {
  const { params: url } = exchange;
  await using files = new IncomingFiles(exchange.board);
  try {
    exchange.params = mergeParams(url, await bodyParams(exchange, fileAdmission(exchange, rows, files)));
  } catch (unreadable) {
    await settle(exchange, url); // counted as well
    throw unreadable;
  }
  return await next();
}

/** Number of records in an ordinary request: a page of posts of default length. */
const RECORDS_OF_ORDINARY = 20;

/** What may be a limit among the terms of a search of posts: a part of another term may only look like one. */
const LIMIT_AMONG_TERMS = /\b(?:limit|random):["']?(\d+)/gi;

/** How many ordinary requests a request for this many records counts as. A limit may be within a search, as any parameter, or among its terms. */
function weightOf(params: Params, { MAX_PER_PAGE }: Pick<Config, "MAX_PER_PAGE">): number {
  const search = own(params, "search");
  const places = [params, ...(isNesting(search) ? [search] : [])];
  const tags = places.map((place) => own(place, "tags")).find((text) => typeof text === "string") ?? "";
  const amongTerms = [...tags.slice(0, SEARCH_BYTES).matchAll(LIMIT_AMONG_TERMS)].map(([, digits]) => Number(digits));
  const limits = [...places.map((place) => own(place, "limit")), Math.max(0, ...amongTerms)];
  const limit = limits.find((each) => (typeof each === "string" ? each.trim() !== "" : (each ?? null) !== null));
  const records = typeof limit === "object" ? 0 : Number(limit); // invalid limits are refused when they are coerced
  return Math.max(1, Math.ceil(Math.min(records, MAX_PER_PAGE) / RECORDS_OF_ORDINARY) || 1);
}

/** Authenticates by credentials in the body too, and applies a method override; from then on the request counts. */
export const admitByBody =
  (rows: PreparedRows): Step =>
  (exchange, next) => {
    const { params, board } = exchange;
    const begun = andThen(settle(exchange, params), (viewer) => {
      exchange.viewer = viewer;
      exchange.method = methodOf(exchange, params);
      if (board.config.REQUIRE_LOGIN && !isSignedIn(viewer)) requireOpen(rows, rowOf(exchange));
      return exchange.beginWork(weightOf(params, board.config));
    });
    return andThen(begun, next);
  };

/** @throws BoardError 403 unless visitors may run the row before they sign in, as to sign up, in and out */
function requireOpen(rows: PreparedRows, row: ResourceRow | undefined): void {
  const fields = row && rows.get(row)?.().rootFields;
  if (!fields?.every(isOpenBeforeLogin)) throw failure("login_required");
}

export const runRow =
  (rows: PreparedRows): Step =>
  (exchange) => {
    const row = requireFound(rowOf(exchange));
    const { params, destination, format } = exchange;
    return andThen(currentViewer(exchange, exchange.viewer), (viewer) =>
      answerRow(rows, row, { params, path: destination.idsOf(row) }, contextOf(exchange, viewer, true), format),
    );
  };

/** The possible rows of a request: any for a POST, whose parameters decide. Without an extension it has to accept JSON or XML. */
function rowsAsked({ destination, request, path }: Exchange): ResourceRow[] {
  const { rows, format } = destination;
  const { accept = "", "content-type": type = "" } = request.headers;
  const isAsked = format !== null || /\b(json|xml)\b/i.test(accept) || path === "/session" || /json/i.test(type);
  return isAsked ? rows.filter((row) => mayMean(request.method ?? "", row.method)) : [];
}

const mayMean = (sent: string, method: string): boolean =>
  sent === "POST" || method === (sent === "HEAD" ? "GET" : sent === "PATCH" ? "PUT" : sent);

/** The row of a request, once its sender and method are known; undefined if there is none. */
export const rowOf = (exchange: Exchange): ResourceRow | undefined => rowFor(exchange, exchange.method);

function rowFor(exchange: Exchange, method: string): ResourceRow | undefined {
  const isHead = method === "HEAD";
  const row = rowsAsked(exchange).find((each) => each.method === (isHead ? "GET" : method));
  return isHead ? (row?.head ?? row) : row;
}

/** The method after an override by a POST; PATCH is PUT. */
function methodOf(exchange: Exchange, params: Params): string {
  const { method: sent = "" } = exchange.request;
  const said = own(params, "_method") ?? exchange.header("x-http-method-override");
  const asked = typeof said === "string" ? said.toUpperCase() : "";
  const isSaid = sent === "POST" && ["GET", "PUT", "PATCH", "DELETE"].includes(asked);
  const method = isSaid ? asked : sent;
  return method === "PATCH" ? "PUT" : method;
}

/** @throws BoardError 424 for malformed or too large bodies; 403, 421 for its file */
async function bodyParams(exchange: Exchange, admitFile: AdmitFile): Promise<Params> {
  const { request, board } = exchange;
  const type = contentTypeOf(request);
  if (type === "multipart/form-data") {
    const { fields, files } = await readMultipart(request, board.config, admitFile);
    const params = fieldParams(fields);
    for (const { name, received } of files) if (received) placeFile(params, name, received);
    return params;
  }
  const body = await readText(request, board.config.MAX_BODY_BYTES);
  await exchange.beginWork(); // reading a large body takes longer than most responses
  const read = () => (type.endsWith("json") ? jsonParams(body) : formParams(body));
  return exchange.heavy && body.length > HEAVY_LENGTH ? exchange.heavy.run(read) : read();
}

/** A file is received if the row accepts one and its minimum level lets the viewer in, who has to be known when the file begins. */
function fileAdmission(exchange: Exchange, rows: PreparedRows, files: IncomingFiles): AdmitFile {
  const { params: url } = exchange;
  return async (_name, fields: readonly Field[]) => {
    const params = mergeParams(url, fieldParams(fields));
    const row = rowFor(exchange, methodOf(exchange, params));
    const fileFields = (row && rows.get(row)?.().fileFields) ?? [];
    if (fileFields.length === 0) return null;
    const viewer = await settle(exchange, params);
    try {
      requireAccessTo(fileFields, viewer);
    } catch (error) {
      const isUnknown = error instanceof BoardError && error.key === "login_required";
      throw isUnknown ? failure("login_before_file", {}, { cause: error }) : error;
    }
    return (stream) => files.receive(stream, senderOf({ address: exchange.address, viewer }));
  };
}
