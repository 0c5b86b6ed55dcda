/**
 * Subscriptions: the graphql-ws protocol on /graphql. A connection proves who it is when it opens, as requests do, and may
 * only subscribe: everything else goes over HTTP, where it is counted.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import cookieParser from "cookie-parser";
import type { Request, Response } from "express";
import {
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
import { extensionsOf, limitingRules, MAX_TOKENS } from "../../graphql/apollo.js";
import type { GraphQLContext } from "../../graphql/context.js";
import { createLoaders } from "../../graphql/loaders.js";
import { findCredentials } from "../auth/credentials.js";
import type { Viewer } from "../auth/viewer.js";
import type { Board } from "../board.js";
import { toBoardError } from "../database/faults.js";
import { failure } from "../errors.js";
import { sessionCookies } from "./session.js";

const MAX_SUBSCRIPTIONS = 20;
const MAX_CONNECTIONS = 50;
const MAX_MESSAGE_BYTES = 100_000;

/** What is known of a connection once it is open. */
interface Connection extends Record<string, unknown> {
  viewer: Viewer;
}

/** Serves subscriptions on the server's /graphql. */
export function serveSubscriptions(http: Server, board: Board, schema: GraphQLSchema): AsyncDisposable {
  const sockets = new WebSocketServer({ server: http, path: "/graphql", maxPayload: MAX_MESSAGE_BYTES });
  const connections = new Map<string, number>();
  const rules = [...specifiedRules, ...limitingRules(board.config)];
  const server = useServer<Record<string, unknown>, { connection?: Connection }>(
    {
      schema,
      validate: (against, document) => validate(against, document, rules),
      onConnect: async ({ extra, connectionParams }) => {
        const address = addressOf(extra.request);
        if ((connections.get(address) ?? 0) >= MAX_CONNECTIONS) return false;
        try {
          extra.connection = { viewer: await viewerOf(board, extra.request, connectionParams ?? {}, address) };
        } catch {
          return false; // closed with 4403 Forbidden
        }
        connections.set(address, (connections.get(address) ?? 0) + 1);
        return true;
      },
      onDisconnect: ({ extra }) => {
        const address = addressOf(extra.request);
        connections.set(address, Math.max(0, (connections.get(address) ?? 0) - 1));
        if (connections.get(address) === 0) connections.delete(address);
      },
      onSubscribe: ({ subscriptions }, _id, payload) => {
        if (Object.keys(subscriptions).length > MAX_SUBSCRIPTIONS) return [refusal("too many subscriptions")];
        return isSubscription(payload) ? undefined : [refusal("only subscriptions are taken here")];
      },
      context: ({ extra }) => contextOf(board, extra.request, extra.connection?.viewer as Viewer),
      onError: (_context, _id, _payload, errors) => errors.map(inWordsOfTheTable),
      onNext: (_context, _id, _payload, _args, { errors, ...result }) =>
        errors ? { ...result, errors: errors.map(inWordsOfTheTable) } : undefined,
    },
    sockets,
  );
  return { [Symbol.asyncDispose]: async () => server.dispose() };
}

/** What can't be read is let through, for the error that it gets everywhere. */
function isSubscription({ query, operationName }: SubscribePayload): boolean {
  try {
    const operation = getOperationAST(parse(query, { maxTokens: MAX_TOKENS }), operationName);
    return operation === null || operation === undefined || operation.operation === OperationTypeNode.SUBSCRIPTION;
  } catch {
    return true;
  }
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

const addressOf = (request: IncomingMessage): string => request.socket.remoteAddress ?? "0.0.0.0";

/**
 * Credentials are the connection's parameters (`authorization`, or `login` with `api_key`), the header, or the session's
 * cookies, which count only for a page of this site.
 * @throws BoardError 403, 421
 */
async function viewerOf(
  board: Board,
  request: IncomingMessage,
  params: Record<string, unknown>,
  address: string,
): Promise<Viewer> {
  const { authorization } = { ...request.headers, ...params } as { authorization?: string };
  const cookies = isOwnPage(board, request) ? cookiesOf(board, request as Request) : {};
  const viewer = await board.authenticator.authenticate(findCredentials({ authorization, params, cookies }), address);
  const allowance = await board.limiter.request(viewer, address);
  if (allowance.exceeded) throw failure("hourly_limit", { limit: allowance.limit });
  if (board.config.REQUIRE_LOGIN && viewer.id === null) throw failure("login_required");
  return viewer;
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

const contextOf = (board: Board, request: IncomingMessage, viewer: Viewer): GraphQLContext => ({
  requestId: randomUUID(),
  viewer,
  address: addressOf(request),
  baseUrl: board.config.PUBLIC_URL ?? `http://${request.headers.host ?? "localhost"}`,
  log: board.log,
  board,
  loaders: createLoaders(board, viewer),
  session: { start: () => undefined, end: () => undefined, csrfToken: () => "" },
});
