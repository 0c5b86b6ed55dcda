/** Prints the schema into `graphql/schema.graphql`. */
import { writeFileSync } from "node:fs";
import { lexicographicSortSchema, printSchema } from "graphql";
import { buildGraphQLSchema } from "./schema.js";

const HEADER = "# Printed from the resolver classes by `npm run codegen`. Do not edit.\n\n";
writeFileSync("graphql/schema.graphql", `${HEADER}${printSchema(lexicographicSortSchema(buildGraphQLSchema()))}\n`);
