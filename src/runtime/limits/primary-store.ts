/**
 * With `WORKERS`, limits are counted in the memory of the first process, by IPC. The counts of one turn of the event loop are one
 * message, which takes a fraction of the time of a statement for each.
 */
import cluster, { type Worker } from "node:cluster";
import { isOf, sendToPrimary, sendToWorker } from "../../lib/ipc.js";
import { andThen } from "../../lib/maybe-promise.js";
import { memoryStore } from "./memory.js";
import type { Counter, LimitStore, Used } from "./store.js";

/** To the first process. */
interface CountMessage {
  is: "count";
  id: number;
  /** in their order; `times` is null for reading a count */
  counts: [name: string, key: string, times: number | null][];
}

/** From it: the count of each. */
interface CountedMessage {
  is: "counted";
  id: number;
  used: (Used | null)[];
}

const isCountMessage = (message: unknown): message is CountMessage => isOf<CountMessage>(message, ["count"]);
const isCountedMessage = (message: unknown): message is CountedMessage => isOf<CountedMessage>(message, ["counted"]);

/** Milliseconds without an answer after which this process counts by itself. */
const TIMEOUT_MS = 1_000;
/** For how many milliseconds it does: a first process of an earlier release never answers. */
const ALONE_MS = 600_000;

interface Waiting {
  count: CountMessage["counts"][number];
  /** undefined if there was no answer */
  resolve: (used: Used | null | undefined) => void;
}

/** The counts of the first process, used from another one. */
export class PrimaryStore implements LimitStore {
  private readonly alone = memoryStore();
  private aloneUntil = 0;
  private waiting: Waiting[] = [];
  private readonly sent = new Map<number, { batch: Waiting[]; timeout: NodeJS.Timeout }>();
  private lastId = 0;

  /** @param send sends a message to the first process */
  constructor(private readonly send: (message: CountMessage) => Promise<void> = sendToPrimary) {
    process.on("message", (message) => {
      if (!isCountedMessage(message)) return;
      this.aloneUntil = 0; // it is there, if late
      this.settle(message.id, message.used);
    });
  }

  counter(name: string): Counter {
    const alone = this.alone.counter(name);
    return {
      count: (key, times = 1) => andThen(this.ask([name, key, times]), (used) => used ?? alone.count(key, times)),
      read: (key) => andThen(this.ask([name, key, null]), (used) => (used === undefined ? alone.read(key) : used)),
    };
  }

  private ask(count: Waiting["count"]): Promise<Used | null | undefined> | undefined {
    if (performance.now() < this.aloneUntil) return undefined;
    return new Promise((resolve) => {
      if (this.waiting.length === 0) setImmediate(() => this.flush());
      this.waiting.push({ count, resolve });
    });
  }

  private flush(): void {
    const batch = this.waiting;
    this.waiting = [];
    const id = (this.lastId += 1);
    const giveUp = () => {
      this.aloneUntil = performance.now() + ALONE_MS;
      this.settle(id, []);
    };
    this.sent.set(id, { batch, timeout: setTimeout(giveUp, TIMEOUT_MS) });
    void this.send({ is: "count", id, counts: batch.map(({ count }) => count) });
  }

  private settle(id: number, used: CountedMessage["used"]): void {
    const { batch = [], timeout } = this.sent.get(id) ?? {};
    clearTimeout(timeout);
    this.sent.delete(id);
    for (const [index, { resolve }] of batch.entries()) resolve(used[index]);
  }
}

/** Counts for the processes forked by this one, until the result is disposed of. */
export function shareLimits(): Disposable {
  const store = memoryStore();
  const counted = ([name, key, times]: CountMessage["counts"][number]) =>
    times === null ? store.counter(name).read(key) : store.counter(name).count(key, times);
  const onMessage = (worker: Worker, message: unknown): void => {
    if (!isCountMessage(message)) return;
    const reply: CountedMessage = { is: "counted", id: message.id, used: message.counts.map(counted) };
    sendToWorker(worker, reply);
  };
  cluster.on("message", onMessage);
  return { [Symbol.dispose]: () => void cluster.off("message", onMessage) };
}
