/**
 * A door of its own for what visitors ask all day: the rows with a quick way, without credentials, a body or conditions. It
 * takes the same steps as the Express app (`http/server.ts`), with the same parts, but without the app, whose middlewares and
 * routes take several times as long as making the answer does. Everything else, and everything that goes wrong here, is the
 * app's. `test/rest/visitors.test.ts` holds the answers of both to each other, headers included.
 */
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from "node:http";
import type { Express, Request, Response } from "express";
import type { DirectContext } from "../../graphql/context.js";
import { CONTENT_TYPE } from "../../rest/adapter/envelope.js";
import type { FindQuickRead, QuickRead } from "../../rest/adapter/quick.js";
import { ANONYMOUS } from "../runtime/auth/viewer.js";
import type { Board } from "../board.js";
import { countStatements, type StatementCount } from "../database/statements.js";
import { Together } from "../lib/together.js";
import { statementDeadline } from "../runtime/limits/deadline.js";
import type { Workload } from "./backpressure.js";
import { type EncodedBody, preferredEncoding } from "./encoding.js";
import { restFailure } from "./failures.js";
import { MadeBodies } from "./made-bodies.js";
import { chooseRequestId, logAnswered, serverTiming } from "./request-log.js";
import type { RequestRecord, RequestRecorder } from "./request-record.js";
import { viewOf } from "./request-view.js";
import { timeoutReader } from "./slow-clients.js";
import { CORS_HEADERS, SECURITY_HEADERS } from "./static-headers.js";
import { addressOf, allowanceHeaders, requireAllowance, VARY } from "./viewer.js";

/** What every answer of this door says, and what those say that were admitted; the app says the same in its middlewares. */
const HEADERS: OutgoingHttpHeaders = { ...SECURITY_HEADERS, ...CORS_HEADERS, Vary: "Accept-Encoding" };
const ADMITTED: OutgoingHttpHeaders = { "Cache-Control": "no-cache", Vary: `${VARY}, Accept-Encoding` };

/** One request on its way. */
interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  found: QuickRead;
  /** what of the request Express' own rules are read out of */
  seen: Request;
  record: RequestRecord;
  /** of its caller */
  address: string;
}

interface Parts {
  recorder: RequestRecorder;
  workload: Workload;
  find: FindQuickRead;
}

export function visitorsDoor(app: Express, board: Board, { recorder, workload, find }: Parts): RequestListener {
  if (board.config.REQUIRE_LOGIN) return app;
  const together = new Together<EncodedBody>();
  const made = new MadeBodies(app.get("etag fn") as (body: Buffer) => string);
  const reads = { hits: 0, misses: 0 };
  board.telemetry.metrics.watchCache("answers", reads);
  const fail = restFailure(board);
  const deadline = statementDeadline(board.config, ANONYMOUS.level);

  const baseUrlOf = ({ protocol, host }: Request): string => board.config.PUBLIC_URL ?? `${protocol}://${host}`;

  const timing = ({ milliseconds }: StatementCount): OutgoingHttpHeaders =>
    board.config.SERVER_TIMING ? { "Server-Timing": serverTiming(milliseconds) } : {};

  /** Read once for all who ask the same at the same time. */
  async function bodyOf({ request, found, seen, record, address }: Visit): Promise<EncodedBody> {
    const baseUrl = baseUrlOf(seen);
    const context: DirectContext = { requestId: record.id, viewer: ANONYMOUS, address, baseUrl, log: board.log, board };
    const { replicas } = board;
    const source = replicas ? await countStatements(record, () => replicas.choose(context)) : "";
    let isMade = false;
    const body = await together.do(`${source} ${baseUrl} ${request.url}`, () => {
      isMade = true;
      return countStatements(record, () => made.body(`${baseUrl} ${request.url}`, () => found.read(context)));
    });
    reads[isMade ? "misses" : "hits"] += 1;
    return body;
  }

  async function answer(visit: Visit): Promise<void> {
    const { request, response, found, record, address } = visit;
    const headers: OutgoingHttpHeaders = { "X-Request-Id": record.id, ...HEADERS };
    let endWork: (() => void) | undefined;
    try {
      const allowance = await board.limiter.request(ANONYMOUS, address);
      Object.assign(headers, allowanceHeaders(allowance));
      requireAllowance(allowance);
      Object.assign(headers, ADMITTED);
      endWork = await workload.begin(address);
      const body = await bodyOf(visit);
      const { bytes, encoding } = await body.in(preferredEncoding(request.headers["accept-encoding"]));
      if (encoding !== null) headers["Content-Encoding"] = encoding;
      headers.ETag = body.etag;
      headers["Content-Type"] = CONTENT_TYPE[found.format];
      headers["Content-Length"] = bytes.length;
      response.writeHead(200, { ...headers, ...timing(record) }).end(bytes);
    } catch (error) {
      if (response.headersSent) return void response.destroy();
      for (const [name, value] of Object.entries({ ...headers, ...timing(record) }))
        response.setHeader(name, value as string);
      fail(error, ...asExpress(app, request, response), () => response.destroy());
    } finally {
      endWork?.();
    }
  }

  return (request, response) => {
    const found = workload.isFull ? null : questionOf(request, find);
    if (!found) {
      app(request, response);
      return;
    }
    const seen = viewOf(app, request);
    const id = chooseRequestId(request);
    const record = recorder.begin(request, response, { id, protocol: seen.protocol });
    const visit = { request, response, found, seen, record, address: addressOf(seen) };
    record.deadline = deadline;
    void answer(visit).finally(() => {
      timeoutReader(request.socket, board.config.SEND_TIMEOUT_MS);
      logAnswered(board.log, { ...visit, status: response.statusCode });
    });
  };
}

/** Headers by which somebody may say who they are, what they have, or that more is to come. */
const NOT_PLAIN = ["authorization", "cookie", "if-none-match", "if-modified-since", "transfer-encoding", "expect"];
/** Parameters of credentials, those in brackets, and names that only a parser knows: the app reads them. */
const CREDENTIALS = /(?:^|&)(?:login|api_key|password_hash|[^=&]*[[%])/;

function questionOf(request: IncomingMessage, find: FindQuickRead): QuickRead | null {
  const { method, url = "", headers } = request;
  if (method !== "GET" || NOT_PLAIN.some((name) => headers[name] !== undefined)) return null;
  if (Number(headers["content-length"] ?? 0) > 0) return null;
  const mark = url.indexOf("?");
  const query = mark < 0 ? "" : url.slice(mark + 1);
  if (CREDENTIALS.test(query)) return null;
  return find(mark < 0 ? url : url.slice(0, mark), query);
}

/** What the app makes of a request before its first middleware. */
function asExpress(app: Express, request: IncomingMessage, response: ServerResponse): [Request, Response] {
  const [seen, answer] = [request as Request, response as Response];
  Object.setPrototypeOf(seen, app.request);
  Object.setPrototypeOf(answer, app.response);
  Object.assign(seen, { res: answer, originalUrl: request.url, baseUrl: "" });
  Object.assign(answer, { req: seen, locals: {} });
  return [seen, answer];
}
