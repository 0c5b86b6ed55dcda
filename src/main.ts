/** The process: configuration -> board -> server -> wait for a signal -> dispose. */
import { openBoard } from "./board.js";
import { loadConfig } from "./config.js";
import { explainFailure } from "./lib/explain.js";
import { listen } from "./server.js";
import { signalled } from "./lib/signals.js";

async function main(): Promise<void> {
  const stop = signalled();
  const config = loadConfig();
  await using board = await openBoard(config);
  if (stop.aborted) return;
  await using server = await listen(board);
  announce(server.url);
  await stop.wait();
  board.log.info("stopping");
}

function announce(url: string): void {
  process.stdout.write(`
Graphbooru is up.

  REST       ${url}/posts.json
  GraphQL    ${url}/graphql
  Reference  ${url}/docs
  Health     ${url}/healthz

  First account, in another terminal:
    npm run -s board -- user create NAME PASSWORD admin

`);
}

try {
  await main();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
}
