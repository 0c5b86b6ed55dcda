/** The families of `definitions.ts` as objects of prom-client. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { DEFINITIONS, type MetricDefinition, type MetricKey } from "./definitions.js";

interface Kinds {
  counter: Counter;
  gauge: Gauge;
  histogram: Histogram;
}

export type Families = { [Key in MetricKey]: Kinds[(typeof DEFINITIONS)[Key]["kind"]] };

function make(definition: MetricDefinition, register: Registry): Kinds[keyof Kinds] {
  const { kind, name, help, labels = {}, buckets = [], across: aggregator = "sum" } = definition;
  const options = { name, help, labelNames: Object.keys(labels), registers: [register] };
  if (kind === "counter") return new Counter({ ...options, aggregator });
  if (kind === "gauge") return new Gauge({ ...options, aggregator });
  return new Histogram({ ...options, aggregator, buckets: [...buckets] });
}

/** @param own registry of values that are summed over processes @param shared registry of values that are the same for all */
export const makeFamilies = (own: Registry, shared: Registry): Families =>
  Object.fromEntries(
    Object.entries<MetricDefinition>(DEFINITIONS).map(([key, definition]) => [
      key,
      make(definition, definition.isShared ? shared : own),
    ]),
  ) as Families;
