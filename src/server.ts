/** The HTTP server: every middleware in the order in which a request meets it. */
import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ApolloServerPluginDrainHttpServer } from "@apollo/server/plugin/drainHttpServer";
import { expressMiddleware } from "@as-integrations/express5";
import compression from "compression";
import cookieParser from "cookie-parser";
import cors from "cors";
import express, { type Express, type Request } from "express";
import type { GraphQLSchema } from "graphql";
import helmet from "helmet";
import { createApollo } from "../graphql/apollo.js";
import { serveExplorer } from "../graphql/explorer/explorer.js";
import { buildGraphQLSchema } from "../graphql/schema.js";
import { multipartRequest } from "../graphql/shared/upload.js";
import { restRouter } from "../rest/adapter/router.js";
import { serveReference } from "../rest/openapi/serve.js";
import { table } from "../rest/table.js";
import type { Board } from "./board.js";
import { backpressure } from "./server/backpressure.js";
import { boundConnections } from "./server/connections.js";
import { serveFiles } from "./server/files.js";
import { graphqlFailure, notFound, restFailure } from "./server/failures.js";
import { health } from "./server/health.js";
import { countRequest, requestLog, timeRequest } from "./server/request-log.js";
import { receiveRequest, restRequestOf } from "./server/rest-request.js";
import { serveSubscriptions } from "./server/subscriptions.js";
import { graphqlContext, graphqlRequest } from "./server/graphql-request.js";
import { addressOf } from "./server/viewer.js";

const DRAIN_MILLISECONDS = 10_000;

/** A server that listens. */
export interface RunningServer extends AsyncDisposable {
  /** `http://host:port` */
  readonly url: string;
}

let schema: GraphQLSchema | undefined;

/** The schema is the same for every board of a process. */
export const sharedSchema = (): GraphQLSchema => (schema ??= buildGraphQLSchema());

/** Any site may read, without the cookies of its visitors; what else than the body it may see. */
const CORS = {
  origin: "*",
  exposedHeaders: [
    "Location",
    "Retry-After",
    "X-Api-Limit",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "X-Request-Id",
  ],
};

/** Milliseconds; by itself Node would look only twice a minute who is late. */
const timeouts = (requestTimeout: number) => ({
  requestTimeout,
  headersTimeout: Math.min(20_000, requestTimeout),
  connectionsCheckingInterval: Math.min(5_000, requestTimeout / 2),
  keepAliveTimeout: 65_000,
});

/** Starts to listen. @throws the system's error when the address can't be had */
export async function listen(board: Board): Promise<RunningServer> {
  const app = express();
  // a search may fill a long URL, and is to be refused in words; Node's own 431 has none
  const http = createHttpServer({ ...timeouts(board.config.REQUEST_TIMEOUT_MS), maxHeaderSize: 65_536 }, app);
  boundConnections(http, board.config.MAX_CONNECTIONS);
  const apollo = createApollo(sharedSchema(), board.config, board.log, [
    ApolloServerPluginDrainHttpServer({ httpServer: http, stopGracePeriodMillis: DRAIN_MILLISECONDS }),
  ]);
  await apollo.start();
  mount(app, board, expressMiddleware(apollo, { context: ({ req }) => Promise.resolve(graphqlContext(req)) }));
  await board.events.listen();
  try {
    await started(http, board.config.HOST, board.config.PORT);
  } catch (error) {
    await apollo.stop();
    throw error;
  }
  const subscriptions = serveSubscriptions(http, board, sharedSchema(), addressOfHandshake(app));
  const stop = async () => {
    await subscriptions[Symbol.asyncDispose]();
    await apollo.stop();
  };
  return { url: urlOf(http, board.config.HOST), [Symbol.asyncDispose]: stop };
}

/** A handshake meets no middleware; what it was sent by is read out of it as Express does, with `trust proxy`. */
const addressOfHandshake =
  (app: Express) =>
  (request: IncomingMessage): string =>
    addressOf(Object.setPrototypeOf(request, app.request) as Request);

function mount(app: Express, board: Board, graphql: express.RequestHandler): void {
  const { config } = board;
  app.disable("x-powered-by");
  app.set("etag", "weak");
  app.set("query parser", false);
  if (config.TRUST_PROXY)
    app.set("trust proxy", /^\d+$/.test(config.TRUST_PROXY) ? Number(config.TRUST_PROXY) : config.TRUST_PROXY);

  app.use(requestLog(board));
  app.use(countRequest);
  if (config.SERVER_TIMING) app.use(timeRequest);
  app.use(health(board));
  app.use(backpressure(config));
  app.use(
    helmet({
      // of what no page of ours says otherwise: an answer that a browser shows loads, runs and frames nothing
      contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
      crossOriginResourcePolicy: { policy: "cross-origin" },
      strictTransportSecurity: false,
    }),
  );
  app.use("/data", serveFiles(board.storage));
  app.use(compression());
  app.use(cookieParser(board.secret));

  app.use("/graphql", cors(CORS));
  app.use("/graphql", serveExplorer());
  app.use("/graphql", graphqlRequest(board));
  app.use("/graphql", express.json({ limit: config.MAX_BODY_BYTES }));
  app.use("/graphql", multipartRequest);
  app.use("/graphql", graphql);
  app.use("/graphql", graphqlFailure(board));

  // The router goes on to answer OPTIONS with the methods of the path.
  app.use(cors({ ...CORS, preflightContinue: true }));
  app.use(serveReference(sharedSchema(), table, config));
  app.use(receiveRequest(board));
  app.use(restRouter(sharedSchema(), table, restRequestOf));
  app.use(notFound);
  app.use(restFailure(board));
}

const started = (http: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, host, () => {
      http.off("error", reject);
      resolve();
    });
  });

function urlOf(http: Server, host: string): string {
  const { port } = http.address() as AddressInfo;
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
