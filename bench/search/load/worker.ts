/** The client process: separate, so that neither the server nor the script's own work affects the measurement. */
import { Connection, type Reply } from "./connection.js";

/** The number of requests for one figure. */
export interface Effort {
  /** duration of the measurement */
  seconds: number;
  /** seconds to warm up; 0 for none */
  warmUp: number;
  /** minimum number of measured requests, for any duration; at least the number of connections */
  least: number;
}

export interface LoadJob {
  /** `http://host:port` */
  url: string;
  path: string;
  connections: number;
  effort: Effort;
}

export interface LoadResult {
  requests: number;
  /** durations of all requests in milliseconds */
  durations: number[];
  /** milliseconds in the database of all requests with `Server-Timing` */
  database: number[];
  /** measured */
  seconds: number;
  /** of the last body */
  bytes: number;
  /** answers that were not 200, warming up included, by status */
  failures: Record<string, number>;
}

/** Every connection asks again as soon as it is answered, until the time is over and there are enough answers. */
export async function load({ url, path, connections, effort }: LoadJob): Promise<LoadResult> {
  const { hostname, port, host } = new URL(url);
  const all = await Promise.all(Array.from({ length: connections }, () => Connection.open(hostname, Number(port))));
  const failures: Record<string, number> = {};
  const ask = async (enough: (soFar: number) => boolean): Promise<Reply[]> => {
    const replies: Reply[] = [];
    let asked = 0;
    const work = async (connection: Connection) => {
      while (!enough(asked)) {
        asked += 1;
        const reply = await connection.get(path, host);
        if (reply.status !== 200) failures[reply.status] = (failures[reply.status] ?? 0) + 1;
        replies.push(reply);
      }
    };
    await Promise.all(all.map(work));
    return replies;
  };
  try {
    const until = (start: number, seconds: number, least: number) => (soFar: number) =>
      soFar >= Math.max(connections, least) && performance.now() - start >= seconds * 1000;
    if (effort.warmUp > 0) await ask(until(performance.now(), effort.warmUp, 1));
    const started = performance.now();
    const replies = await ask(until(started, effort.seconds, effort.least));
    return { ...summary(replies), seconds: (performance.now() - started) / 1000, failures };
  } finally {
    for (const connection of all) connection.close();
  }
}

const summary = (replies: readonly Reply[]) => ({
  requests: replies.length,
  durations: replies.map((reply) => reply.milliseconds),
  database: replies.flatMap((reply) => reply.database ?? []),
  bytes: replies.at(-1)?.bytes ?? 0,
});

/** An answer to the script: what came of the job, or why nothing did. */
export type LoadAnswer = { result: LoadResult } | { error: string };

if (process.send) {
  process.on("message", (job: LoadJob) => {
    load(job).then(
      (result) => process.send?.({ result } satisfies LoadAnswer),
      (error: unknown) => process.send?.({ error: String(error) } satisfies LoadAnswer),
    );
  });
  process.once("disconnect", () => process.exit());
}
