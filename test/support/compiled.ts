/**
 * The board's modules as the build compiled them, in place of their sources: Node loads them itself. Compiled once more by Vite, each use of an
 * import would be a call of a getter, and starting a worker would take twice as long.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "vitest/config";
import { ROOT } from "./project.js";

const MODULES = path.join(ROOT, ".cache/setup/modules");

/** Of the paths of these modules, for `server.deps.external`. */
export const COMPILED = /\/\.cache\/setup\/modules\//;

/** Resolves relative imports to compiled modules where there are any. While it watches, the sources are used, which change. */
export function compiledModules(): Plugin {
  let isWatching = false;
  return {
    name: "compiled-modules",
    enforce: "pre",
    configureVitest({ vitest }) {
      isWatching = vitest.config.watch;
    },
    resolveId(source, importer) {
      if (isWatching || importer === undefined || !/^\.\.?\//.test(source)) return null;
      const file = path.join(MODULES, path.relative(ROOT, path.resolve(path.dirname(importer), source)));
      return existsSync(file) ? file : null;
    },
  };
}
