/**
 * Checks that the generated files in the repository equal a fresh build: generates them and compares. Differing files are left
 * in their new form, to be reviewed and committed.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { at } from "./setup/paths.mjs";
import { run, SetupError } from "./setup/run.mjs";

/** The generators in order, each with its requirements and the files that it writes. */
const GENERATORS = [
  {
    needs: "codegen.yml",
    command: ["npm", "run", "-s", "codegen"],
    files: [
      "graphql/schema.graphql",
      "docs/configuration.md",
      "docs/errors.md",
      "docs/metrics.md",
      "docs/permissions.md",
      "docs/search.md",
    ],
  },
];

const digest = (file) =>
  existsSync(at(file)) &&
  createHash("sha256")
    .update(readFileSync(at(file)))
    .digest("hex");

async function drifted({ needs, command: [program, ...args], files }) {
  if (!existsSync(at(needs))) return [];
  const before = files.map(digest);
  await run(`"${program} ${args.join(" ")}" failed`, program, args);
  return files.filter((file, index) => digest(file) !== before[index]);
}

try {
  const stale = [];
  for (const generator of GENERATORS) stale.push(...(await drifted(generator)));
  for (const file of stale) console.error(`${file} was not what a fresh build makes; commit the new one`);
  process.exitCode = stale.length ? 1 : 0;
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
}
