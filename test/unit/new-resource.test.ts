/**
 * The size of a resource with versions, counted for favorite groups, which were written by following ARCHITECTURE.md. The number of files that
 * mention a resource shows whether it is described in one place.
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, readProjectFile } from "../support/project.js";

const PRODUCT = ["prisma", "src", "graphql", "rest"];

/** Made by `npm run codegen`. */
const GENERATED = /__generated__|^graphql\/schema\.graphql$/;
const OWN = /favorite-groups?[./]|_favorite_groups\//;
const WORDS = /favorite[-_ ]?groups?|favgroup/i;

const files = PRODUCT.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).split(path.sep).join("/")),
).filter((file) => !GENERATED.test(file));

const mentions = (file: string): string[] =>
  readProjectFile(file)
    .split("\n")
    .filter((line) => WORDS.test(line));

const own = files.filter((file) => OWN.test(file));
const others = files.filter((file) => !OWN.test(file) && mentions(file).length > 0);

describe("a resource with versions", () => {
  it("is known to the schema of its relations, to three registries, and to the search where it has meta-tags", () => {
    expect(others.sort()).toEqual([
      "graphql/schema.ts",
      "prisma/schema/user.prisma",
      "rest/table.ts",
      "src/resources/registry.ts",
      "src/search/posts/metatags/index.ts",
    ]);
  });

  it("takes at most 650 lines of code", () => {
    const code = own.filter((file) => !file.startsWith("prisma/"));
    const lines = code.map((file) => readProjectFile(file).split("\n").length - 1);
    const added = others.map((file) => mentions(file).length);
    expect(code.length).toBeGreaterThan(5);
    expect([...lines, ...added].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(650);
  });
});
