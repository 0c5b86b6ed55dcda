/** Tests: one embedded PostgreSQL per run (test/support/global-setup.ts), three workers for two cores. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { COMPILED, compiledModules } from "./test/support/compiled.js";
import { LongestFirst } from "./test/support/longest-first.js";

const graphql = fileURLToPath(new URL("node_modules/graphql/index.js", import.meta.url));

export default defineConfig({
  plugins: [compiledModules()],
  resolve: {
    // our code would get graphql's ESM build and its libraries the CommonJS one, and schemas of the two don't mix
    alias: [{ find: /^graphql$/, replacement: graphql }],
  },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/faults/**"], // `npm run test:faults`
    globalSetup: "test/support/global-setup.ts",
    setupFiles: "test/support/seed.ts",
    pool: "forks", // native packages (sharp, bcrypt) are at home in processes
    maxWorkers: 3, // for two cores: one waits for PostgreSQL, a browser or a server while the others compute
    execArgv: ["--max-semi-space-size=64"], // megabytes; with Node's 16, garbage collection takes a few per cent more
    sequence: { sequencer: LongestFirst },
    isolate: false, // files share their imports, which saves a third of the time; each still has a board of its own
    testTimeout: 90_000, // ten times what any takes on a quiet machine: a busy one is no failure
    hookTimeout: 180_000, // a board of ninety posts, each uploaded
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } }, // what happens soon may take a while on a busy machine
    server: { deps: { external: [COMPILED] } },
    deps: { interopDefault: false }, // the default export of a CommonJS package is what it is in Node
    env: { NODE_ENV: "test" },
  },
});
