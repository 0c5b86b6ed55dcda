/**
 * The steps as data: inputs (files and folders), outputs, and the command that creates them.
 * The lock file is an input of all of them, because another version of a tool may have another output.
 */
import { cpSync, existsSync, mkdirSync, rmSync, renameSync } from "node:fs";
import path from "node:path";
import { installPackages, repairPackages } from "./packages.mjs";
import { at, NOTES } from "./paths.mjs";
import { run } from "./run.mjs";

/** Files that the built program reads at run time and the compiler does not copy. */
const ASSETS = ["graphql/explorer/static", "web/static"];

const node = (failure, script, args, env) => run(failure, process.execPath, [at("node_modules", script), ...args], env);

const generateClient = () =>
  node("The Prisma client could not be generated", "prisma/build/index.js", ["generate"], {
    // the client is WebAssembly and needs no engine; with any executable, Prisma does not download one
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    CHECKPOINT_DISABLE: "1",
  });

const generateDocuments = () =>
  node("The documents' types could not be generated", "@graphql-codegen/cli/esm/bin.js", ["--config", "codegen.yml"]);

const makeExplorer = () =>
  run("The GraphiQL page could not be made", process.execPath, [at("graphql/explorer/build.mjs")]);

const buildPages = () => run("The pages could not be built", process.execPath, [at("web/build.mjs")]);

/** The compiled modules one by one, as they were bundled: the tests import them. */
const MODULES = ".cache/setup/modules";

/** Builds beside `dist` and then replaces it, so that a failed build leaves the old one. */
async function build() {
  const [compiled, fresh, old] = ["compiled", "dist", "dist-old"].map((name) => path.join(NOTES, name));
  for (const folder of [compiled, fresh, old]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  await node("The build failed", "typescript/bin/tsc", ["-p", "tsconfig.build.json", "--outDir", compiled]);
  await run("The build failed", process.execPath, [at("scripts/setup/bundle.mjs"), compiled, fresh]);
  for (const asset of ASSETS.filter((name) => existsSync(at(name)))) {
    cpSync(at(asset), path.join(fresh, asset), { recursive: true });
  }
  if (existsSync(at("dist"))) renameSync(at("dist"), old);
  renameSync(fresh, at("dist"));
  for (const folder of [at(MODULES), old]) rmSync(folder, { recursive: true, force: true });
  renameSync(compiled, at(MODULES));
}

export const steps = [
  {
    name: "packages",
    title: "installing packages",
    inputs: ["package-lock.json"],
    outputs: ["node_modules/.package-lock.json"],
    run: async () => {
      await installPackages();
      await repairPackages();
    },
  },
  {
    name: "prisma",
    title: "generating the Prisma client",
    needs: ["prisma.config.ts", "prisma/schema"],
    inputs: ["package-lock.json", "prisma.config.ts", "prisma/schema"],
    outputs: ["src/database/__generated__"],
    run: generateClient,
  },
  {
    name: "codegen",
    title: "generating the documents' types",
    needs: ["codegen.yml"],
    inputs: ["package-lock.json", "codegen.yml", "graphql/schema.graphql", "web"],
    ignore: /^web\/.*(?<!\.graphql|codegen\.mjs)$/,
    outputs: ["web/server/__generated__/documents.ts"],
    run: generateDocuments,
  },
  {
    name: "explorer",
    title: "making the GraphiQL page",
    needs: ["graphql/explorer/build.mjs"],
    inputs: ["package-lock.json", "graphql/explorer/build.mjs", "graphql/explorer/examples.graphql"],
    outputs: ["graphql/explorer/static/graphiql.html.gz", "graphql/explorer/static/graphiql.json"],
    run: makeExplorer,
  },
  {
    name: "web",
    title: "building the pages",
    needs: ["web/build.mjs"],
    inputs: ["package-lock.json", "web"],
    ignore: /^web\/(static|server|tsconfig)/,
    outputs: ["web/static/manifest.json"],
    run: buildPages,
  },
  {
    name: "build",
    title: "building",
    inputs: [
      "package-lock.json",
      "tsconfig.json",
      "tsconfig.build.json",
      "scripts/setup/bundle.mjs",
      "src",
      "graphql",
      "rest",
      "web",
    ],
    ignore: /^web\/(pages|parts|style)\//,
    outputs: ["dist", MODULES],
    run: build,
  },
];
