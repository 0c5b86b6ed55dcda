/**
 * Sums the metrics of all server processes, in the process that started them. Those of processes that have ended are
 * included: a decreasing sum would look like a restart, and distort rates.
 */
import cluster, { type Worker } from "node:cluster";
import { AggregatorRegistry } from "prom-client";
import { receiveFromAll, Requests, sendToWorker } from "../../lib/ipc.js";
import type { Readings } from "../telemetry/metrics.js";
import type { MetricsMessage, MetricsRequest } from "./metrics.js";

/** Milliseconds; of a process that takes longer, the last readings are used. */
const TIMEOUT_MS = 1_000;

export class MetricsAggregator implements Disposable {
  private readonly latest = new Map<number, Readings>();
  private ended: Readings = [];
  private readonly requests = new Requests<void>();
  private readonly receiving: Disposable;

  /** Starts responding to this process's server processes. */
  constructor() {
    this.receiving = receiveFromAll<MetricsMessage>({
      scrape: ({ id }, worker) => this.answer(worker, id),
      readings: ({ id, families }, worker) => {
        this.latest.set(worker.id, families.filter(canBeSummed));
        if (id !== null) this.requests.take(id)?.resolve();
      },
    });
    cluster.on("disconnect", this.forget);
    cluster.on("exit", this.forgetLater);
  }

  /** Messages may arrive until "disconnect", which may come after "exit", and never comes if a message was truncated. */
  private readonly forgetLater = (worker: Worker): void => {
    setTimeout(() => this.forget(worker), TIMEOUT_MS).unref();
  };

  private readonly forget = ({ id }: Worker): void => {
    const counted = this.latest.get(id)?.filter(({ type }) => String(type) !== "gauge") ?? [];
    this.ended = sum([this.ended, counted]);
    this.latest.delete(id);
  };

  private async answer(worker: Worker, id: number): Promise<void> {
    const workers = Object.values(cluster.workers ?? {}).filter((each) => each?.isConnected()) as Worker[];
    await Promise.allSettled(workers.map((each) => this.read(each)));
    const text = await AggregatorRegistry.aggregate([this.ended, ...this.latest.values()]).metrics();
    sendToWorker(worker, { is: "scraped", id, text } satisfies MetricsRequest);
  }

  /** Settles when the process has reported. @throws Error after a timeout */
  private read(worker: Worker): Promise<void> {
    const ask = (id: number) => sendToWorker(worker, { is: "read", id } satisfies MetricsRequest);
    return this.requests.ask(ask, TIMEOUT_MS);
  }

  [Symbol.dispose](): void {
    this.receiving[Symbol.dispose]();
    cluster.off("disconnect", this.forget);
    cluster.off("exit", this.forgetLater);
  }
}

/** A process of a newer release may have kinds of metrics that this one doesn't know. */
function canBeSummed(family: Readings[number]): boolean {
  try {
    sum([[family]]);
    return true;
  } catch {
    return false;
  }
}

const sum = (readings: Readings[]): Readings =>
  AggregatorRegistry.aggregate(readings).getMetricsAsArray() as unknown as Readings;
