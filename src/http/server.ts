/** The HTTP server: connections, requests through the pipeline, WebSockets, and how it stops. */
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ApolloServerPluginDrainHttpServer } from "@apollo/server/plugin/drainHttpServer";
import type { GraphQLSchema } from "graphql";
import { boundedResponse, createApollo } from "../../graphql/apollo.js";
import { KnownOperations } from "../../graphql/known-operations.js";
import { buildGraphQLSchema } from "../../graphql/schema.js";
import { errorFormat } from "../../graphql/shared/errors.js";
import { OperationLimits } from "../../graphql/shared/operation-limits.js";
import { knownDocuments } from "../../web/server/serve.js";
import type { Board } from "../board.js";
import { HeavyLane } from "../runtime/limits/heavy-lane.js";
import { addressKey } from "../runtime/limits/limiter.js";
import { boundChunks, boundHeaders, IncomingRequest, refuseAmbiguous, useOriginForm } from "./incoming-request.js";
import { Proxies } from "./caller.js";
import { boundConnections } from "./connections.js";
import { Drain } from "./drain.js";
import { serveExchanges } from "./pipeline.js";
import { boundPipelining, inTurns, Turns } from "./turns.js";
import { serveSubscriptions } from "./subscriptions.js";
import { answerUnparsed, MAX_HEAD_BYTES } from "./unparsed.js";

const DRAIN_MILLISECONDS = 10_000;

export interface RunningServer extends AsyncDisposable {
  /** `http://host:port` */
  readonly url: string;
  /** Keeps serving for DRAIN_MS, while load balancers send requests elsewhere. */
  drain(): Promise<void>;
  /**
   * Stops accepting connections, since another process has the port, and settles when all requests in progress are answered.
   * @param onStopAccepting called and awaited once no new connections are accepted
   */
  stop(onStopAccepting: () => Promise<void>): Promise<void>;
}

let builtSchema: GraphQLSchema | undefined;

/** The schema is the same for every board of a process. */
export const sharedSchema = (): GraphQLSchema => (builtSchema ??= buildGraphQLSchema());

/** Milliseconds; by default Node checks only twice a minute for requests that are late. */
const timeouts = (requestTimeout: number) => ({
  requestTimeout,
  headersTimeout: Math.min(20_000, requestTimeout),
  connectionsCheckingInterval: Math.min(5_000, requestTimeout / 2),
  keepAliveTimeout: 65_000,
});

/** Starts listening. @throws the system's error if the address is not available */
export async function listen(board: Board): Promise<RunningServer> {
  const { config } = board;
  const { metrics } = board.telemetry;
  const proxies = new Proxies(config.TRUST_PROXY);
  const options = {
    ...timeouts(config.REQUEST_TIMEOUT_MS),
    maxHeaderSize: MAX_HEAD_BYTES,
    IncomingMessage: IncomingRequest,
  };
  const http = createHttpServer(options);
  http.maxHeadersCount = 0; // Node would drop those after a thousand, such as what a proxy appends; MAX_HEAD_BYTES limits them
  answerUnparsed(http, (key) => metrics.failed(key));
  for (const event of ["request", "upgrade"])
    http.prependListener(event, boundHeaders).prependListener(event, useOriginForm);
  http.prependListener("request", boundChunks);
  // Node would answer an unknown Expect itself, without any limit
  http.on("checkExpectation", (request, response) => void http.emit("request", request, response));
  const unended = boundConnections(http, {
    most: config.MAX_CONNECTIONS,
    mostOfAddress: config.MAX_CONNECTIONS_PER_ADDRESS,
    isProxy: (address) => proxies.isProxy(address),
    clientOf: (request: IncomingMessage) => proxies.clientIp(request),
    onRefused: () => metrics.families.connectionsRefused.inc(),
  });
  const [turns, lane] = [new Turns(), new HeavyLane()];
  const drain = new Drain(http, unended);
  const drainPlugin = ApolloServerPluginDrainHttpServer({
    httpServer: http,
    stopGracePeriodMillis: DRAIN_MILLISECONDS,
  });
  const schema = sharedSchema();
  const shared = { schema, limits: new OperationLimits(schema, config), format: errorFormat(schema, board) };
  const apollo = createApollo(shared, board, [drainPlugin], knownDocuments);
  await apollo.start();
  const known = new KnownOperations(knownDocuments, shared);
  const operations = { apollo, known, schema, write: boundedResponse(board) };
  const serve = serveExchanges(board, { proxies, lane, operations, drain });
  const begin = inTurns(turns, (request) => addressKey(proxies.clientIp(request)), serve);
  http.on("request", boundPipelining(refuseAmbiguous(begin)));
  await board.events.listen();
  await board.replicas?.watch();
  try {
    await once(http.listen(config.PORT, config.HOST), "listening");
  } catch (error) {
    await apollo.stop();
    throw error;
  }
  const measuring = metrics.measureProcess();
  const subscriptions = serveSubscriptions(http, board, shared, { turns, lane }, proxies);
  let ended: PromiseLike<void> | undefined;
  const endSubscriptions = () => (ended ??= subscriptions[Symbol.asyncDispose]());
  const { DRAIN_MS, REQUEST_TIMEOUT_MS } = config;
  return {
    url: urlOf(http, config.HOST),
    drain: () => drain.wait(DRAIN_MS),
    stop(onStopAccepting) {
      const close = () => {
        void endSubscriptions(); // clients reconnect to the process that has the port now
        return onStopAccepting();
      };
      return drain.stop(close, DRAIN_MS, REQUEST_TIMEOUT_MS);
    },
    async [Symbol.asyncDispose]() {
      await endSubscriptions();
      await apollo.stop();
      measuring[Symbol.dispose]();
    },
  };
}

function urlOf(http: Server, host: string): string {
  const { port } = http.address() as AddressInfo;
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
