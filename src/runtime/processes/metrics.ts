/**
 * `/metrics` of several server processes: the one that gets the request asks the primary process, which collects
 * the readings of all; each sends them on request, and when it exits.
 */
import cluster from "node:cluster";
import { receive, Requests, sendToPrimary } from "../../lib/ipc.js";
import type { Metrics, Readings } from "../telemetry/metrics.js";

/** To the primary process. */
export type MetricsMessage =
  /** requests the metrics of all processes; the response is `scraped` with this number */
  | { is: "scrape"; id: number }
  /** the readings of this process; `id` is that of the request, null when it exits */
  | { is: "readings"; id: number | null; families: Readings };

/** From the primary process. */
export type MetricsRequest =
  | { is: "read"; id: number }
  /** all readings, summed, as text */
  | { is: "scraped"; id: number; text: string };

/** Milliseconds; the primary process waits for the others for a part of it. */
const TIMEOUT = 3_000;

const scrapes = new Requests<string>();
let current: Promise<string> | undefined;

/**
 * The readings of all server processes together, as text; undefined if this is the only one. Requests that come while they are read
 * get the same text.
 * @throws BoardError 503 if the primary process does not respond
 */
export async function readProcesses(): Promise<string | undefined> {
  if (!cluster.isWorker) return undefined;
  current ??= scrape().finally(() => (current = undefined));
  return current;
}

async function scrape(): Promise<string> {
  using _replies = receive<MetricsRequest>(process, { scraped: ({ id, text }) => scrapes.take(id)?.resolve(text) });
  return await scrapes.ask((id) => sendToPrimary({ is: "scrape", id } satisfies MetricsMessage), TIMEOUT);
}

/** Reports this process's readings whenever the primary process asks, and when disposed of. A single process does nothing. */
export function reportMetrics(metrics: Metrics): AsyncDisposable {
  if (!cluster.isWorker) return { [Symbol.asyncDispose]: () => Promise.resolve() };
  const report = async (id: number | null): Promise<void> =>
    sendToPrimary({ is: "readings", id, families: await metrics.read() } satisfies MetricsMessage);
  const receiving = receive<MetricsRequest>(process, { read: ({ id }) => report(id) });
  return {
    async [Symbol.asyncDispose]() {
      receiving[Symbol.dispose]();
      await report(null);
    },
  };
}
