/**
 * Measures edits of tags on the built server: by one member, then by sixteen at once, on a copy of a generated board.
 *
 *   npm run bench:writes -- [--posts 50000] [--data DIR] [--seconds 5]
 */
import { parseArgs } from "node:util";
import { BenchBoard } from "./search/boards.js";
import { BoardCopy } from "./search/copy.js";
import { takeSamples } from "./search/samples.js";
import { startServer } from "./search/server.js";
import { measureEdits, measureParallel } from "./search/writes.js";

const { values: options } = parseArgs({
  options: {
    posts: { type: "string", default: "50000" },
    data: { type: "string" },
    seconds: { type: "string", default: "5" },
  },
});

async function main(): Promise<void> {
  await using board = await BenchBoard.open({ posts: Number(options.posts), seed: 1, dataDir: options.data });
  const { common } = await takeSamples(board.client);
  await using copy = await BoardCopy.make(board);
  const server = await startServer(board.dataDir, copy.url);
  const plan = {
    client: copy.client,
    url: server.url,
    posts: Number(options.posts),
    seconds: Number(options.seconds),
    common,
  };
  const edit = await measureEdits(plan);
  const parallel = await measureParallel(plan);
  await server.end();
  process.stdout.write(
    [
      `one member: p50 ${edit.p50.toFixed(1)} ms, p99 ${edit.p99.toFixed(1)} ms (${edit.edits} edits)`,
      `sixteen: ${parallel.editsPerSecond.toFixed(0)} edits a second, p50 ${parallel.p50.toFixed(1)} ms (${parallel.edits} edits)`,
      `tag counts that are wrong: ${parallel.wrongCounts.length}, deadlocks: ${await copy.deadlocks()}`,
      "",
    ].join("\n"),
  );
}

await main();
process.exit();
