/**
 * Subscriptions: the graphql-ws protocol on /graphql. A connection proves who it is when it opens, as requests do, and may
 * only subscribe: everything else goes over HTTP. What a subscription asks for has the limits of a query, and beginning one
 * counts towards the hourly limit as a query of its cost does.
 */
import type { IncomingMessage, Server } from "node:http";
import cookieParser from "cookie-parser";
import type { Request, Response } from "express";
import {
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import type { SubscribePayload } from "graphql-ws";
import { useServer } from "graphql-ws/use/ws";
import { WebSocketServer } from "ws";
import { costOrRefusal, extensionsOf, limitingRules, MAX_TOKENS } from "../../graphql/apollo.js";
import { requestsOf } from "../../graphql/shared/complexity.js";
import { findCredentials } from "../auth/credentials.js";
import type { Board } from "../board.js";
import { toBoardError } from "../database/faults.js";
import { failure } from "../errors.js";
import type { BoardEvent } from "../events/events.js";
import { addressKey } from "../limits/limiter.js";
import { type Listener, listeningContext } from "./listener.js";
import { sessionCookies } from "./session.js";
import { Tally } from "./tally.js";

/** Of one connection. */
const MAX_SUBSCRIPTIONS = 20;
/** Of one address, behind which there may be many users. */
const MAX_CONNECTIONS = 50;
/** Of one user, wherever they come from. */
const MAX_USER_CONNECTIONS = 20;
const MAX_MESSAGE_BYTES = 100_000;
/** Code of the close frame, by the protocol. */
const FORBIDDEN = 4403;

/** The client's address of a handshake. */
export type AddressOf = (request: IncomingMessage) => string;

type Extra = { listener?: Listener };

/** Serves subscriptions on the server's /graphql. */
export function serveSubscriptions(
  http: Server,
  board: Board,
  schema: GraphQLSchema,
  addressOf: AddressOf,
): AsyncDisposable {
  const sockets = new WebSocketServer({ server: http, path: "/graphql", maxPayload: MAX_MESSAGE_BYTES });
  const [byAddress, byUser] = [new Tally(MAX_CONNECTIONS), new Tally(MAX_USER_CONNECTIONS)];
  const listeners = new Set<Listener>();
  const rules = [...specifiedRules, ...limitingRules(board.config)];
  const server = useServer<Record<string, unknown>, Extra>(
    {
      schema,
      validate: (against, document) => validate(against, document, rules),
      onConnect: async ({ extra, connectionParams }) => {
        const { request, socket } = extra;
        const address = addressOf(request);
        /** Whether there is room for it; it is kept until the connection closes. */
        const enter = (tally: Tally, key: string): boolean => {
          if (socket.readyState !== socket.OPEN || !tally.take(key)) return false;
          socket.once("close", () => tally.giveBack(key));
          return true;
        };
        if (!enter(byAddress, addressKey(address))) return false;
        const proved = await prove(board, request, connectionParams ?? {}, address).catch(() => null);
        if (!proved) return false; // closed with 4403 Forbidden
        if (proved.viewer.id !== null && !enter(byUser, String(proved.viewer.id))) return false;
        const { host } = request.headers;
        const listener = { ...proved, address, host, close: () => socket.close(FORBIDDEN, "Forbidden") };
        extra.listener = listener;
        listeners.add(listener);
        socket.once("close", () => listeners.delete(listener));
        return true;
      },
      onSubscribe: async ({ subscriptions, extra }, _id, payload) => {
        if (Object.keys(subscriptions).length > MAX_SUBSCRIPTIONS) return [refusal("too many subscriptions")];
        if (!isSubscription(payload)) return [refusal("only subscriptions are taken here")];
        return admitted(board, schema, extra.listener as Listener, payload);
      },
      context: ({ extra }) => listeningContext(board, extra.listener as Listener),
      onError: (_context, _id, _payload, errors) => errors.map(inWordsOfTheTable),
      onNext: (_context, _id, _payload, _args, { errors, ...result }) =>
        errors ? { ...result, errors: errors.map(inWordsOfTheTable) } : undefined,
    },
    sockets,
  );
  const closeSession = closingSessions(listeners);
  board.events.addEventListener("session_ended", closeSession);
  return {
    [Symbol.asyncDispose]: async () => {
      board.events.removeEventListener("session_ended", closeSession);
      await server.dispose();
    },
  };
}

/** Cuts off what listens with a user's cookies; other pages of that user connect again, those that signed out are visitors. */
function closingSessions(listeners: ReadonlySet<Listener>): (event: Event) => void {
  return (event) => {
    const { about } = (event as CustomEvent<BoardEvent>).detail;
    for (const listener of listeners) {
      if (listener.viewer.proof === "cookie" && listener.viewer.id === about) listener.close();
    }
  };
}

/**
 * Counts a subscription as a query of its cost is counted.
 * @returns why it is refused, if it is
 */
async function admitted(
  board: Board,
  schema: GraphQLSchema,
  { viewer, address }: Listener,
  { query, operationName = null, variables }: SubscribePayload,
): Promise<readonly GraphQLError[] | undefined> {
  const document = parsed(query);
  if (!document) return undefined; // as validation is going to say
  const { GRAPHQL_MAX_COMPLEXITY: most } = board.config;
  try {
    const cost = costOrRefusal({ schema, document, operationName, variables: variables ?? {} });
    if (cost > most) throw failure("query_too_costly", { quality: `costly (${cost} of ${most})` });
    const requests = requestsOf({ document, operationName }, cost);
    const { exceeded, limit, reset } = await board.limiter.request(viewer, address, requests);
    if (exceeded) throw failure("hourly_limit", { limit }, { retryAfter: reset });
    return undefined;
  } catch (error) {
    const cause = error instanceof GraphQLError ? error.originalError : error;
    const refused = toBoardError(cause);
    board.telemetry.metrics.failed(refused.key);
    return [new GraphQLError(refused.reason, { extensions: extensionsOf(refused), originalError: refused })];
  }
}

/** The document; null for what can't be read. */
function parsed(query: string): DocumentNode | null {
  try {
    return parse(query, { maxTokens: MAX_TOKENS });
  } catch {
    return null;
  }
}

/** What can't be read is let through, for the error that it gets everywhere. */
function isSubscription({ query, operationName }: SubscribePayload): boolean {
  const document = parsed(query);
  const operation = document && getOperationAST(document, operationName);
  return !operation || operation.operation === OperationTypeNode.SUBSCRIPTION;
}

const refusal = (message: string): GraphQLError => {
  const error = failure("invalid_query", { message });
  return new GraphQLError(message, { extensions: extensionsOf(error), originalError: error });
};

/** Errors of resolvers with the table's code and reason; those of validation as they are. */
function inWordsOfTheTable(error: GraphQLError | GraphQLFormattedError): GraphQLFormattedError {
  if (!(error instanceof GraphQLError)) return error;
  if (!error.originalError) return error.toJSON();
  const cause = toBoardError(error.originalError);
  return { ...error.toJSON(), message: cause.reason, extensions: extensionsOf(cause) };
}

/**
 * Credentials are the connection's parameters (`authorization`, or `login` with `api_key`), the header, or the session's
 * cookies, which count only for a page of this site.
 * @throws BoardError 403, 421
 */
async function prove(
  board: Board,
  request: IncomingMessage,
  params: Record<string, unknown>,
  address: string,
): Promise<Pick<Listener, "credentials" | "viewer">> {
  const { authorization } = { ...request.headers, ...params } as { authorization?: string };
  const cookies = isOwnPage(board, request) ? cookiesOf(board, request as Request) : {};
  const credentials = findCredentials({ authorization, params, cookies });
  const viewer = await board.authenticator.authenticate(credentials, address);
  const allowance = await board.limiter.request(viewer, address);
  if (allowance.exceeded) throw failure("hourly_limit", { limit: allowance.limit });
  if (board.config.REQUIRE_LOGIN && viewer.id === null) throw failure("login_required");
  return { viewer, credentials: viewer.id === null ? null : credentials };
}

/** Browsers name the page's origin in every WebSocket handshake. */
function isOwnPage(board: Board, { headers }: IncomingMessage): boolean {
  const { origin } = headers;
  if (!origin || !URL.canParse(origin)) return false;
  return origin === board.config.PUBLIC_URL || new URL(origin).host === headers.host;
}

/** The middleware wants no more of a request than its headers, so that a handshake will do. */
function cookiesOf(board: Board, request: Request): ReturnType<typeof sessionCookies> {
  cookieParser(board.secret)(request, {} as Response, () => undefined);
  return sessionCookies(request);
}
