/** The HTTP server: every middleware in the order in which a request meets it. */
import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ApolloServerPluginDrainHttpServer } from "@apollo/server/plugin/drainHttpServer";
import { expressMiddleware } from "@as-integrations/express5";
import compression from "compression";
import cookieParser from "cookie-parser";
import cors from "cors";
import express, { type Express } from "express";
import type { GraphQLSchema } from "graphql";
import { createApollo } from "../../graphql/apollo.js";
import { serveExplorer } from "../../graphql/explorer/explorer.js";
import { buildGraphQLSchema } from "../../graphql/schema.js";
import { boundDocument } from "../../graphql/shared/admission.js";
import { errorFormat } from "../../graphql/shared/errors.js";
import { Gate } from "../../graphql/shared/gate.js";
import { type PreparedRows, prepareRows } from "../../rest/adapter/prepared.js";
import { quickReads } from "../../rest/adapter/quick.js";
import { restRouter } from "../../rest/adapter/router.js";
import { referenceSheets } from "../../rest/openapi/sheets.js";
import { table } from "../../rest/table.js";
import { knownDocuments, Pages } from "../../web/server/serve.js";
import type { Board } from "../board.js";
import { HeavyLane } from "../runtime/limits/heavy-lane.js";
import { addressKey } from "../runtime/limits/limiter.js";
import { backpressure, Workload } from "./backpressure.js";
import { boundHeaders } from "./bounded-headers.js";
import { boundConnections } from "./connections.js";
import { Farewell } from "./farewell.js";
import { serveFiles } from "./files.js";
import { graphqlFailure, notFound, restFailure } from "./failures.js";
import { health } from "./health.js";
import { serveMetrics } from "./metrics.js";
import { requestLog, timeRequest } from "./request-log.js";
import { serveReference } from "./reference.js";
import { recordRequest, RequestRecorder } from "./request-record.js";
import { admitRequest, requestReceiver } from "./rest-request.js";
import { routesOf } from "./routes.js";
import { CORS, securityHeaders } from "./static-headers.js";
import { serveSubscriptions } from "./subscriptions.js";
import { documentInTurn, graphqlContext, graphqlRequest, multipartRequest, jsonRequest } from "./graphql-request.js";
import { discardUnread } from "./unread-body.js";
import { viewOf } from "./request-view.js";
import { addressOf } from "./viewer.js";
import { pageServer } from "./page-request.js";
import { boundPipelining } from "./pipelining.js";
import { inTurns, Turns } from "./turns.js";
import { visitorsDoor } from "./visitors.js";

const DRAIN_MILLISECONDS = 10_000;

/** A server that listens. */
export interface RunningServer extends AsyncDisposable {
  /** `http://host:port` */
  readonly url: string;
  /** Serves on for DRAIN_MS, and has balancers send requests elsewhere meanwhile. */
  leave(): Promise<void>;
  /**
   * Leaves the port to another process, and settles when everything that is asked by then is answered.
   * @param told called when nothing new is taken, and waited for
   */
  handOver(told: () => Promise<void>): Promise<void>;
}

let schema: GraphQLSchema | undefined;

/** The schema is the same for every board of a process. */
export const sharedSchema = (): GraphQLSchema => (schema ??= buildGraphQLSchema());

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
  const workload = new Workload(board.config);
  const rows = prepareRows(sharedSchema(), table);
  const recorder = new RequestRecorder(board.telemetry, routesOf(table));
  const [turns, lane] = [new Turns(), new HeavyLane()];
  const view = (request: IncomingMessage) => viewOf(app, request);
  const door = visitorsDoor(app, board, { recorder, workload, find: quickReads(rows) });
  // a search may fill a long URL, and is to be refused in words; Node's own 431 has none
  const http = createHttpServer(
    { ...timeouts(board.config.REQUEST_TIMEOUT_MS), maxHeaderSize: 65_536 },
    boundPipelining(inTurns(turns, (request) => addressKey(addressOf(view(request))), door)),
  );
  for (const event of ["request", "upgrade"]) http.prependListener(event, boundHeaders);
  const { metrics } = board.telemetry;
  boundConnections(http, {
    most: board.config.MAX_CONNECTIONS,
    mostOfAddress: board.config.MAX_CONNECTIONS_PER_ADDRESS,
    isProxy: (address) => (app.get("trust proxy fn") as (address: string, hop: number) => boolean)(address, 0),
    clientOf: (request) => addressOf(view(request)),
    onRefused: () => metrics.families.connectionsRefused.inc(),
  });
  http.on("connection", () => turns.connected());
  const farewell = new Farewell(http);
  const drain = ApolloServerPluginDrainHttpServer({ httpServer: http, stopGracePeriodMillis: DRAIN_MILLISECONDS });
  const gate = new Gate(sharedSchema(), board.config);
  const shared = { schema: sharedSchema(), gate, format: errorFormat(sharedSchema(), board) };
  const apollo = createApollo(shared, board, [drain], knownDocuments);
  await apollo.start();
  const graphql = expressMiddleware(apollo, { context: ({ req }) => Promise.resolve(graphqlContext(req)) });
  const pages = new Pages(pageServer(board, apollo));
  mount(app, board, { recorder, workload, lane, rows, graphql, farewell, pages });
  await board.events.listen();
  await board.replicas?.watch();
  try {
    await started(http, board.config.HOST, board.config.PORT);
  } catch (error) {
    await apollo.stop();
    throw error;
  }
  const measuring = metrics.measureProcess();
  const subscriptions = serveSubscriptions(http, board, shared, { turns, lane }, view);
  let ended: PromiseLike<void> | undefined;
  const endSubscriptions = () => (ended ??= subscriptions[Symbol.asyncDispose]());
  const { DRAIN_MS, REQUEST_TIMEOUT_MS } = board.config;
  return {
    url: urlOf(http, board.config.HOST),
    leave: () => farewell.leave(DRAIN_MS),
    handOver(told) {
      const close = () => {
        void endSubscriptions(); // clients connect again, to the process that has the port by now
        return told();
      };
      return farewell.handOver(close, DRAIN_MS, REQUEST_TIMEOUT_MS);
    },
    async [Symbol.asyncDispose]() {
      await endSubscriptions();
      await apollo.stop();
      measuring[Symbol.dispose]();
    },
  };
}

interface Parts {
  recorder: RequestRecorder;
  workload: Workload;
  lane: HeavyLane;
  rows: PreparedRows;
  graphql: express.RequestHandler;
  farewell: Farewell;
  pages: Pages;
}

function mount(app: Express, board: Board, { recorder, workload, lane, rows, graphql, farewell, pages }: Parts): void {
  const { config } = board;
  app.disable("x-powered-by");
  app.set("etag", "weak");
  app.set("query parser", false);
  if (config.TRUST_PROXY)
    app.set("trust proxy", /^\d+$/.test(config.TRUST_PROXY) ? Number(config.TRUST_PROXY) : config.TRUST_PROXY);

  app.use(requestLog(board));
  app.use(recordRequest(recorder));
  if (config.SERVER_TIMING) app.use(timeRequest);
  app.use(discardUnread);
  app.use(health(board, farewell));
  app.use(serveMetrics(board));
  app.use(backpressure(workload, lane, config));
  app.use(securityHeaders);
  app.use("/data", serveFiles(board));
  app.use(compression());
  app.use(cookieParser(board.secret));

  app.use("/graphql", cors(CORS));
  app.use("/graphql", serveExplorer());
  app.use("/graphql", graphqlRequest(board));
  app.use("/graphql", jsonRequest(config.MAX_BODY_BYTES));
  app.use("/graphql", multipartRequest(board, sharedSchema()));
  app.use("/graphql", boundDocument);
  app.use("/graphql", documentInTurn);
  app.use("/graphql", graphql);
  app.use("/graphql", graphqlFailure(board));

  app.use(pages.serve);

  // The router goes on to answer OPTIONS with the methods of the path.
  app.use(cors({ ...CORS, preflightContinue: true }));
  app.use(serveReference(referenceSheets(sharedSchema(), table, config)));
  app.use(admitRequest(board));
  app.use(restRouter(table, rows, requestReceiver(board, rows)));
  app.use(pages.serveMissing);
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
