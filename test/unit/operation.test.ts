/** docs/operation.md can't go stale: what it names exists. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { variables } from "../../src/config.js";
import { FAILURES } from "../../src/errors.js";
import { DEFINITIONS, type MetricDefinition } from "../../src/runtime/telemetry/definitions.js";

const page = readFileSync(path.resolve(import.meta.dirname, "../../docs/operation.md"), "utf8");
const found = (pattern: RegExp): string[] => [...new Set([...page.matchAll(pattern)].map(([, word]) => word ?? ""))];

const families = Object.values<MetricDefinition>(DEFINITIONS);
/** Names of series: those of histograms have three each. */
const series = families.flatMap(({ name, kind }) =>
  kind === "histogram" ? ["", "_bucket", "_sum", "_count"].map((end) => name + end) : [name],
);

describe("docs/operation.md", () => {
  it("names existing metrics", () => {
    const named = found(/\b((?:graphbooru|nodejs|process)_[a-z0-9_]+)/g);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !series.includes(name))).toEqual([]);
  });

  it("names existing reasons", () => {
    expect(found(/reason="(\w+)"/g).filter((reason) => !Object.hasOwn(FAILURES, reason))).toEqual([]);
  });

  it("names existing settings", () => {
    const named = found(/`([A-Z]+(?:_[A-Z]+)+)\b/g);
    expect(named).toContain("METRICS_TOKEN");
    expect(named.filter((name) => !Object.hasOwn(variables.shape, name))).toEqual([]);
  });
});

describe("the definitions", () => {
  it("follow Prometheus' conventions: unique names, base units, _total for counters, a sentence of help", () => {
    expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
    for (const { name, kind, help } of families) {
      expect(name).toMatch(/^(graphbooru|nodejs|process)_[a-z0-9]+(_[a-z0-9]+)*$/);
      expect([name, name.endsWith("_total")]).toEqual([name, kind === "counter"]);
      expect([name, kind !== "histogram" || name.endsWith("_seconds")]).toEqual([name, true]);
      expect(name).not.toMatch(/_(ms|milliseconds|kb|mb|minutes|percent)(_|$)/);
      expect(help).toMatch(/^[A-Z].+\.$/);
    }
  });

  it("of histograms have increasing buckets", () => {
    for (const { name, buckets, kind } of families) {
      expect([name, buckets !== undefined]).toEqual([name, kind === "histogram"]);
      expect([name, buckets?.toSorted((a, b) => a - b)]).toEqual([name, buckets]);
    }
  });
});
