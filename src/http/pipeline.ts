/** The steps of a request, in order: cheap checks first, so that a request that will be refused costs little. */
import { admitByHead } from "./admission.js";
import type { RequestListener } from "node:http";
import { type PreparedRows, prepareRows } from "../../rest/adapter/prepared.js";
import { referenceFiles } from "../../rest/openapi/reference-files.js";
import { table } from "../../rest/table.js";
import type { Board } from "../board.js";
import { andThen, attempt } from "../lib/maybe-promise.js";
import type { HeavyLane } from "../runtime/limits/heavy-lane.js";
import { ConcurrencyLimit, shed } from "./backpressure.js";
import type { Proxies } from "./caller.js";
import { compose, describeRequest, Exchange, type Step } from "./exchange.js";
import { graphqlFailures, restFailures } from "./failures.js";
import { files } from "./files.js";
import { type Operations, runOperation } from "./graphql.js";
import { options, preflight } from "./methods.js";
import { chooseRequestId, observe } from "./observe.js";
import { pageSteps } from "./pages.js";
import { explorer, reference } from "./reference.js";
import { respond } from "./respond.js";
import { admitByBody, readBody, runRow } from "./rest.js";
import { type PipelineName, Router } from "./router.js";
import { service } from "./service.js";
import { site } from "./site.js";

interface Parts {
  proxies: Proxies;
  lane: HeavyLane;
  operations: Operations;
  drain: { readonly isDraining: boolean };
}

/** The same for every board of a process, as its schema is. */
let preparedRows: PreparedRows | undefined;

function stepsOf(board: Board, { lane, operations, drain }: Parts): Record<PipelineName, readonly Step[]> {
  const { config } = board;
  const { schema } = operations;
  const shedding = shed(new ConcurrencyLimit(config), lane, config);
  const rows = (preparedRows ??= prepareRows(schema, table));
  const pages = pageSteps(board, operations);
  const row = [admitByHead, readBody(rows), admitByBody(rows), pages.missing, runRow(rows)];
  const people = site([
    [/^\/data\/./, files(board)],
    [/^\/graphql\/?$/i, explorer()],
    [/^\/(?:openapi\.json|docs)/, reference(referenceFiles(schema, table, config))],
    [/^\//, pages.open],
  ]);
  return {
    rest: [observe, restFailures, shedding, options, ...row],
    site: [observe, restFailures, shedding, people, options, ...row],
    graphql: [observe, graphqlFailures, shedding, preflight, people, runOperation(operations)],
    service: [observe, restFailures, service(drain), shedding, options, ...row],
  };
}

/** Every part that waits for the end of a response adds a listener; Node warns of a leak beyond ten. */
const MOST_LISTENERS = 20;

/** Handles every request of a server. An error outside the steps closes only the connection of its request. */
export function serveExchanges(board: Board, parts: Parts): RequestListener {
  const router = new Router(table);
  const steps = stepsOf(board, parts);
  const pipelines = Object.fromEntries(Object.entries(steps).map(([name, each]) => [name, compose(each)])) as Record<
    PipelineName,
    ReturnType<typeof compose>
  >;
  return (request, response) => {
    response.setMaxListeners(MOST_LISTENERS);
    const id = chooseRequestId(request);
    const answer = () => {
      const exchange = new Exchange(request, response, { board, proxies: parts.proxies, router, id });
      return andThen(pipelines[exchange.destination.pipeline](exchange), (made) => respond(exchange, made));
    };
    void attempt(answer, (error) => {
      const req = describeRequest(id, request, request.socket.remoteAddress ?? "");
      board.log.error({ err: error, req }, "a response could not be sent");
      response.destroy();
    });
  };
}
