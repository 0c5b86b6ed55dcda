/**
 * `/metrics` of several server processes: the one that gets the request asks the primary process, which collects
 * the readings of all; each sends them on request, and when it exits.
 */
import cluster from "node:cluster";
import { overloaded } from "../../errors.js";
import { isOf, sendToPrimary } from "../../lib/ipc.js";
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

export const isMetricsMessage = (message: unknown): message is MetricsMessage =>
  isOf<MetricsMessage>(message, ["scrape", "readings"]);

const isRequest = (message: unknown): message is MetricsRequest => isOf<MetricsRequest>(message, ["read", "scraped"]);

const send: (message: MetricsMessage) => Promise<void> = sendToPrimary;

let lastId = 0;
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
  const id = (lastId += 1);
  let onMessage: (message: unknown) => void = () => undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      onMessage = (message) =>
        void (isRequest(message) && message.is === "scraped" && message.id === id && resolve(message.text));
      timer = setTimeout(() => reject(overloaded()), TIMEOUT);
      process.on("message", onMessage);
      void send({ is: "scrape", id });
    });
  } finally {
    clearTimeout(timer);
    process.off("message", onMessage);
  }
}

/** Reports this process's readings whenever the primary process asks, and when disposed of. A single process does nothing. */
export function reportMetrics(metrics: Metrics): AsyncDisposable {
  if (!cluster.isWorker) return { [Symbol.asyncDispose]: () => Promise.resolve() };
  const report = async (id: number | null): Promise<void> =>
    send({ is: "readings", id, families: await metrics.read() });
  const onMessage = (message: unknown): void =>
    void (isRequest(message) && message.is === "read" && report(message.id));
  process.on("message", onMessage);
  return {
    async [Symbol.asyncDispose]() {
      process.off("message", onMessage);
      await report(null);
    },
  };
}
