/** Metrics of several processes, in the process that started them. */
import cluster from "node:cluster";
import { Counter, Registry } from "prom-client";
import { expect, it } from "vitest";
import { MetricsAggregator } from "../../src/runtime/processes/metrics-aggregator.js";

it("leaves out metrics of kinds that only a newer release knows, also once their process has ended", async () => {
  const registry = new Registry();
  new Counter({ name: "uploads_total", help: "Uploads.", registers: [registry] }).inc(3);
  const [known] = await registry.getMetricsAsJSON();
  const families = [known, { ...known, name: "newer_total", aggregator: "median" }, { name: "another_total" }];
  const sent: unknown[] = [];
  const worker = { id: 1, isConnected: () => true, send: (message: unknown) => void sent.push(message) };

  using _aggregator = new MetricsAggregator();
  cluster.emit("message", worker, { is: "readings", id: null, families });
  const text = "# HELP uploads_total Uploads.\n# TYPE uploads_total counter\nuploads_total 3\n";
  cluster.emit("message", worker, { is: "scrape", id: 1 });
  await expect.poll(() => sent, { timeout: 5_000 }).toEqual([{ is: "scraped", id: 1, text }]);
  cluster.emit("disconnect", worker);
  cluster.emit("message", worker, { is: "scrape", id: 2 });
  await expect.poll(() => sent, { timeout: 5_000 }).toHaveLength(2);
  expect(sent[1]).toEqual({ is: "scraped", id: 2, text });
});
