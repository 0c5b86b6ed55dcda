/** The process: configuration -> board -> server -> wait for a signal -> dispose. With `WORKERS`, several of them. */
import cluster from "node:cluster";
import { existsSync } from "node:fs";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { type Config, loadConfig } from "./config.js";
import { explainFailure } from "./runtime/explain.js";
import { receive } from "./lib/ipc.js";
import { projectRoot } from "./lib/project-root.js";
import { type Stop, listenForSignals } from "./lib/signals.js";
import type { Logger } from "./runtime/telemetry/log.js";
import { type PrimaryMessage, showLife, stopAccepting, tellPrimary } from "./runtime/processes/messages.js";

/**
 * Limits the growth of the heap between garbage collections to a third. V8 would let it grow to several times the live size on
 * machines with enough memory, so that a client's large requests would take hundreds of megabytes for minutes.
 * Only after the start, whose objects stay alive.
 */
const collectSooner = (): void => setFlagsFromString("--heap-growing-percent=33");

async function main(): Promise<void> {
  const stop = listenForSignals();
  const config = loadConfig();
  if (cluster.isWorker) return serveAsWorker(config, stop);
  if (config.WORKERS === 1) return serve(config, stop, announce);
  const { servePrimary } = await import("./runtime/processes/primary.js");
  return servePrimary(config, stop, announce);
}

/** One of several processes. The primary process handles reloads, and sends this one a message to retire. */
function serveAsWorker(config: Config, stop: Stop): Promise<void> {
  showLife();
  stop.onReload(() => undefined);
  receive<PrimaryMessage>(process, { retire: () => stop.end("retire") });
  return serve(config, stop, (url) => {
    collectSooner();
    void tellPrimary({ is: "listening", url });
  });
}

/** Loads the board only here: it would take half of the memory of a first process that serves nothing. */
async function serve(config: Config, stop: Stop, ready: (url: string) => void): Promise<void> {
  const [{ openBoard }, { listen }, { reportMetrics }] = await Promise.all([
    import("./board.js"),
    import("./http/server.js"),
    import("./runtime/processes/metrics.js"),
  ]);
  let log: Logger | undefined;
  if (!cluster.isWorker) stop.onReload(() => log?.warn("a reload (SIGHUP) takes WORKERS=2 or more; nothing is done"));
  await using board = await openBoard(config);
  log = board.log;
  // not an error: after a rollback, the file may contain settings of the newer release
  const { unknownSettings: names } = config;
  if (names.length > 0) log.warn({ names }, "unknown names in ENV_FILE are ignored");
  if (stop.aborted) return;
  await using _readings = reportMetrics(board.telemetry.metrics);
  await using server = await listen(board);
  ready(server.url);
  const reason = await stop.wait();
  board.log.info("stopping");
  if (reason === "terminate") await server.drain();
  if (reason === "retire") await server.stop(stopAccepting);
}

function announce(url: string): void {
  collectSooner();
  process.stdout.once("error", () => undefined); // standard output is closed, or its disk is full: the board keeps serving
  process.stdout.write(`
Graphbooru is up.

  Pages      ${url}/
  REST       ${url}/posts.json
  GraphQL    ${url}/graphql
  Reference  ${url}/docs
  Health     ${url}/healthz

${firstSteps(url)}

`);
}

/** Commands to begin with. A release has no npm scripts: `npm run` would build it first, from sources that aren't there. */
function firstSteps(url: string): string {
  if (existsSync(path.join(projectRoot(), "scripts/setup.mjs")))
    return `  In another terminal, with the same settings, create demo posts and a first account:
    npm run demo -- ${url}
    npm run -s board -- user create NAME PASSWORD admin`;
  return `  In another terminal, with the same settings, create a first account:
    node ${path.join(projectRoot(), "dist/src/cli.js")} user create NAME PASSWORD admin`;
}

try {
  await main();
  process.exit(0);
} catch (error) {
  const reason = explainFailure(error);
  if (cluster.isWorker) await tellPrimary({ is: "failed", reason }); // which logs it once, however many fail
  else process.stderr.write(`${reason}\n`);
  process.exit(1);
}
