/**
 * With `WORKERS`, limits are counted in the memory of the first process, by IPC. The counts of one turn of the event loop are one
 * message, which takes a fraction of the time of a statement for each.
 */
import DataLoader from "dataloader";
import { receive, receiveFromAll, Requests, sendToPrimary, sendToWorker } from "../../lib/ipc.js";
import { andThen } from "../../lib/maybe-promise.js";
import { memoryStore } from "./memory.js";
import type { Counter, LimitStore, Used } from "./store.js";

/** `times` is null for reading a count. */
type Count = [name: string, key: string, times: number | null];

/** To the first process. */
interface CountMessage {
  is: "count";
  id: number;
  counts: readonly Count[];
}

/** From it: the count of each. */
interface CountedMessage {
  is: "counted";
  id: number;
  used: (Used | null)[];
}

/** Milliseconds without an answer after which this process counts by itself. */
const TIMEOUT_MS = 1_000;
/** For how many milliseconds it does: a first process of an earlier release never answers. */
const ALONE_MS = 600_000;

/** The counts of the first process, used from another one. */
export class PrimaryStore implements LimitStore {
  private readonly alone = memoryStore();
  private aloneUntil = 0;
  private readonly requests = new Requests<CountedMessage["used"]>();
  /** sends the counts of one turn of the event loop; undefined for those without an answer */
  private readonly counts = new DataLoader<Count, Used | null | undefined>((counts) => this.ask(counts), {
    cache: false,
    batchScheduleFn: setImmediate,
  });

  constructor(private readonly send: (message: CountMessage) => Promise<void> = sendToPrimary) {
    receive<CountedMessage>(process, {
      counted: ({ id, used }) => {
        this.aloneUntil = 0; // it is there, if late
        this.requests.take(id)?.resolve(used);
      },
    });
  }

  counter(name: string): Counter {
    const alone = this.alone.counter(name);
    const ask = (key: string, times: number | null) =>
      performance.now() < this.aloneUntil ? undefined : this.counts.load([name, key, times]);
    return {
      count: (key, times = 1) => andThen(ask(key, times), (used) => used ?? alone.count(key, times)),
      read: (key) => andThen(ask(key, null), (used) => (used === undefined ? alone.read(key) : used)),
    };
  }

  private async ask(counts: readonly Count[]): Promise<(Used | null | undefined)[]> {
    const asked = this.requests.ask((id) => this.send({ is: "count", id, counts }), TIMEOUT_MS);
    const used = await asked.catch((): CountedMessage["used"] => {
      this.aloneUntil = performance.now() + ALONE_MS;
      return [];
    });
    return counts.map((_, index) => used[index]);
  }
}

/** Counts for the processes forked by this one, until the result is disposed of. */
export function shareLimits(): Disposable {
  const store = memoryStore();
  const counted = ([name, key, times]: Count) =>
    times === null ? store.counter(name).read(key) : store.counter(name).count(key, times);
  return receiveFromAll<CountMessage>({
    count: ({ id, counts }, worker) =>
      sendToWorker(worker, { is: "counted", id, used: counts.map(counted) } satisfies CountedMessage),
  });
}
