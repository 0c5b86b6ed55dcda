/** `npm run test:faults`: what goes wrong around the board. Apart from the other tests, since it takes long and both cores. */
import { defineConfig, mergeConfig } from "vitest/config";
import common from "./vitest.config.js";

const faults = defineConfig({
  test: { maxWorkers: 1, testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } },
});

const config = mergeConfig(common, faults);
// merged lists are added to each other; these take the other's place
config.test = { ...config.test, include: ["test/faults/**/*.test.ts"], exclude: [] };
export default config;
