/** Tests of replicas without a replica: the configuration, and code that would mix reads from two servers. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type ConfigError, loadConfig } from "../../src/config.js";
import { withSettings } from "../../src/database/settings.js";

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
};

describe("DATABASE_REPLICA_URLS", () => {
  const DATABASE_URL = "postgres://primary/board";

  it("is a list of URLs, by default empty, to which settings of the connections are added", () => {
    expect(loadConfig({}).DATABASE_REPLICA_URLS).toEqual([]);
    const DATABASE_REPLICA_URLS = "postgres://one/board, postgresql://two/board";
    expect(loadConfig({ DATABASE_URL, DATABASE_REPLICA_URLS }).DATABASE_REPLICA_URLS).toEqual([
      withSettings("postgres://one/board"),
      withSettings("postgresql://two/board"),
    ]);
  });

  it("accepts only PostgreSQL URLs", () => {
    expect(faultsOf({ DATABASE_URL, DATABASE_REPLICA_URLS: "postgres://one/board,two" })).toEqual([
      "DATABASE_REPLICA_URLS: each must be a URL that starts with postgres:// or postgresql://, its password percent-encoded",
    ]);
  });

  it("needs DATABASE_URL", () => {
    expect(faultsOf({ DATABASE_REPLICA_URLS: "postgres://one/board" })).toEqual([
      "DATABASE_REPLICA_URLS: the embedded database has no replicas; it needs DATABASE_URL",
    ]);
  });
});

/** What jobs and commands do alone. */
const BESIDE_REQUESTS = ["src/operations/storage-audit.ts", "src/resources/tag-relations/tag-relation.apply.ts"];

describe("findUnique outside of transactions", () => {
  // Prisma joins those of one moment into one statement, of any requests: one server would answer for another
  it("is used by no request", () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes("__generated__"))
      .map((file) => path.posix.join("src", file));
    const asking = files.filter((file) => /\bdatabase\.\w+\.findUnique/.test(readFileSync(file, "utf8")));
    expect(asking.toSorted()).toEqual(BESIDE_REQUESTS);
  });
});
