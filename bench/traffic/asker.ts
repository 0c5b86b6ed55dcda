/** The client process: sends prepared requests, and parses only head and length of responses. */
import { Connection } from "../search/load/connection.js";

export interface AskJob {
  /** `http://host:port` */
  url: string;
  connections: number;
  /** each is sent once; the measurement ends with the last one */
  requests: readonly string[];
  /** number of first requests to warm up, which are not measured; fewer if they take twice as long as the measurement */
  warmUp: number;
  /** duration of the measurement */
  seconds: number;
}

export interface Asked {
  /** number of requests that were sent, with those to warm up */
  sent: number;
  /** durations of all measured requests in milliseconds */
  durations: number[];
  /** duration of the measurement */
  seconds: number;
  /** average bytes of the measured bodies */
  bytes: number;
  /** responses other than 2xx, by status */
  failures: Record<string, number>;
}

export type AskAnswer = { result: Asked } | { error: string };

export async function ask({ url, connections, requests, warmUp, seconds }: AskJob): Promise<Asked> {
  const { hostname, port } = new URL(url);
  const open = Array.from({ length: connections }, () => Connection.open(hostname, Number(port)));
  const all = await Promise.all(open);
  const asked: Asked = { sent: 0, durations: [], seconds: 0, bytes: 0, failures: {} };
  const lines = requests.values();
  const send = async (goesOn: () => boolean, onReply: (milliseconds: number, bytes: number) => void) => {
    const work = async (connection: Connection) => {
      while (goesOn()) {
        const next = lines.next();
        if (next.done) return;
        asked.sent += 1;
        const { status, milliseconds, bytes } = await connection.send(next.value);
        if (status < 200 || status > 299) asked.failures[status] = (asked.failures[status] ?? 0) + 1;
        onReply(milliseconds, bytes);
      }
    };
    await Promise.all(all.map(work));
  };
  try {
    let left = warmUp;
    const warmedUpAt = performance.now() + 2_000 * seconds;
    await send(
      () => (left -= 1) >= 0 && performance.now() < warmedUpAt,
      () => undefined,
    );
    const began = performance.now();
    const elapsed = () => (performance.now() - began) / 1000;
    await send(
      () => elapsed() < seconds,
      (milliseconds, bytes) => {
        asked.durations.push(milliseconds);
        asked.bytes += bytes;
      },
    );
    asked.seconds = elapsed();
    asked.bytes = Math.round(asked.bytes / Math.max(1, asked.durations.length));
    return asked;
  } finally {
    for (const connection of all) connection.close();
  }
}

if (process.send) {
  process.on("message", (job: AskJob) => {
    ask(job).then(
      (result) => process.send?.({ result } satisfies AskAnswer),
      (error: unknown) => process.send?.({ error: String(error) } satisfies AskAnswer),
    );
  });
  process.once("disconnect", () => process.exit());
}
