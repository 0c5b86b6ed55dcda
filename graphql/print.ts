/** Prints the schema into `graphql/schema.graphql`; with `--check`, fails when the file differs. */
import { readFileSync, writeFileSync } from "node:fs";
import { lexicographicSortSchema, printSchema } from "graphql";
import { buildGraphQLSchema } from "./schema.js";

const HEADER = "# Printed from the resolver classes by `npm run codegen`. Do not edit.\n\n";
const file = "graphql/schema.graphql";
const printed = `${HEADER}${printSchema(lexicographicSortSchema(buildGraphQLSchema()))}\n`;

if (process.argv.includes("--check")) {
  if (readFileSync(file, "utf8") !== printed) throw new Error(`${file} is stale: run npm run codegen`);
} else {
  writeFileSync(file, printed);
}
