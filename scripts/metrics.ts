/** Generates docs/metrics.md from the definitions. */
import { DEFINITIONS, type MetricDefinition } from "../src/runtime/telemetry/definitions.js";

function row({ name, kind, help, labels = {}, across }: MetricDefinition): string {
  const kindOf = across === undefined || across === "sum" ? kind : `${kind}, ${across} of all processes`;
  const explained = Object.entries(labels).map(([label, values]) => `\`${label}\`: ${values}`);
  return `| \`${name}\` | ${kindOf} | ${help} | ${explained.join("<br>")} |`;
}

function histogram({ name, buckets = [] }: MetricDefinition): string {
  return `* \`${name}\`: ${buckets.join(", ")}`;
}

/** The page, without its first line. */
export function metricsReference(): string {
  const definitions = Object.values<MetricDefinition>(DEFINITIONS);
  return `
# Metrics

The metrics of \`GET /metrics\`, in Prometheus' text format. Access and alerts are described in [operation.md](operation.md).

With several processes (\`WORKERS\`), each returns the values of all of them together, including those that have ended; gauges are sums
unless stated otherwise. Every label has few values, none chosen by clients.

| Metric | Type | Meaning | Labels |
|---|---|---|---|
${definitions.map(row).join("\n")}

Upper bounds of the histograms' buckets, in seconds:

${definitions
  .filter(({ kind }) => kind === "histogram")
  .map(histogram)
  .join("\n")}
`;
}
