/** docs/metrics.md out of the definitions. */
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

What \`GET /metrics\` tells, in Prometheus' text format. Who may read it, and what to make of it, is in [operation.md](operation.md).

With several processes (\`WORKERS\`), whichever is asked answers for all of them together, those included that have ended; gauges are sums,
where not said otherwise. Every label has few values, none of them out of a request.

| Family | Kind | Meaning | Labels |
|---|---|---|---|
${definitions.map(row).join("\n")}

Upper bounds of the histograms' buckets, in seconds:

${definitions
  .filter(({ kind }) => kind === "histogram")
  .map(histogram)
  .join("\n")}
`;
}
