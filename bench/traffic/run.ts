/** Measures each kind of requests, and a bare server that sends as many bytes. */
import os from "node:os";
import { BenchBoard } from "../search/boards.js";
import { BoardCopy } from "../search/copy.js";
import { answerOf, BareServer, LoadError, startChild, stopChild } from "../search/load/driver.js";
import { residentMemory, startServer } from "../search/server.js";
import { percentile } from "../search/statistics.js";
import type { AskAnswer, Asked, AskJob } from "./asker.js";
import { type Kind, KINDS } from "./kinds.js";
import { Ledger, wire } from "./requests.js";
import { drawSamples, type TrafficSamples } from "./samples.js";

export const CONNECTIONS = 16;

/** The parameters of a run. */
export interface Effort {
  /** duration of the measurement of each kind */
  seconds: number;
  /** requests to warm up before the measurement of a kind; at most a third of its requests, unless it has others for that */
  warmUp: number;
  /** maximum number of measured requests of a kind */
  most: number;
}

export interface TrafficOptions {
  posts: number;
  seed: number;
  data?: string;
  /** measures only kinds whose names contain this */
  only: string;
  effort: Effort;
}

export interface KindFigures {
  name: string;
  requestsPerSecond: number;
  /** requests per second of the bare server with as many bytes */
  bare: number;
  /** milliseconds */
  p50: number;
  p99: number;
  requests: number;
  /** average bytes of a response body */
  bytes: number;
  /** resident memory of the server afterwards, in MB; null if unknown */
  memory: number | null;
}

export interface TrafficOutcome {
  posts: number;
  date: string;
  machine: string;
  kinds: KindFigures[];
  /** resident memory of the server after all reads, in MB; null if unknown */
  memory: number | null;
}

/** Settings without limits, since all requests come from one address, and without a generated board's overdue jobs. */
export const SETTINGS = {
  JOBS: "false",
  SERVER_TIMING: "false",
  LIMIT_ADDRESS: "1000000000",
  MAX_REQUESTS_PER_ADDRESS: "64",
  DATABASE_CONNECTIONS_PER_CLIENT: "16",
  NEW_TAGS_PER_HOUR: "1000000",
  POST_EDITS_PER_HOUR: "1000000",
  VOTES_PER_HOUR: "1000000",
};

/** The client process. */
export class Asker implements AsyncDisposable {
  private readonly child = startChild(new URL("asker.ts", import.meta.url));

  /** @throws LoadError for unsuccessful or missing responses */
  async ask(job: AskJob): Promise<Asked> {
    const answered = answerOf<AskAnswer>(this.child);
    this.child.send(job);
    const answer = await answered;
    if ("error" in answer) throw new LoadError(answer.error);
    const { failures } = answer.result;
    if (Object.keys(failures).length > 0) throw new LoadError(`answered ${JSON.stringify(failures)}`);
    return answer.result;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return stopChild(this.child);
  }
}

/** @throws LoadError for an unsuccessful request; RepeatedError */
export async function run(options: TrafficOptions, say: (line: string) => void): Promise<TrafficOutcome> {
  await using board = await BenchBoard.open({ ...options, dataDir: options.data });
  await using asker = new Asker();
  const samples = await drawSamples(board.client, board.posts, options.seed);
  const wanted = KINDS.filter(({ name }) => name.includes(options.only));
  const measuring = { asker, samples, ledger: new Ledger(), effort: options.effort, say };
  const [reading, writing] = [wanted.filter((kind) => !kind.isWriting), wanted.filter((kind) => kind.isWriting)];
  const read = await measureKinds(reading, measuring, { dataDir: board.dataDir });
  const kinds = [...read.kinds];
  if (writing.length > 0) {
    await using copy = await BoardCopy.make(board);
    kinds.push(...(await measureKinds(writing, measuring, { dataDir: board.dataDir, url: copy.url })).kinds);
  }
  return { posts: board.posts, date: new Date().toISOString(), machine: machine(), kinds, memory: read.memory };
}

interface Measuring {
  asker: Asker;
  samples: TrafficSamples;
  ledger: Ledger;
  effort: Effort;
  say: (line: string) => void;
}

async function measureKinds(kinds: readonly Kind[], measuring: Measuring, on: { dataDir: string; url?: string }) {
  await using server = await startServer(on.dataDir, on.url, SETTINGS);
  await readNewest(server.url, measuring);
  const figures: KindFigures[] = [];
  for (const kind of kinds) {
    measuring.say(kind.name);
    const measured = await measureKind(kind, server.url, measuring);
    figures.push({ ...measured, memory: residentMemory(server.pid) });
  }
  return { kinds: figures, memory: residentMemory(server.pid) };
}

/** Measures the requests of a kind and of the bare server in turns, since the speed of a machine may change meanwhile. */
async function measureKind(
  { name, before, warmUp, requests }: Kind,
  url: string,
  { asker, samples, ledger, effort }: Measuring,
): Promise<Omit<KindFigures, "memory">> {
  const first = [...(before?.(samples) ?? [])];
  ledger.enter(first);
  await warm(asker, url, first, FILLING);
  const drawn = firstOf(requests(samples), effort.warmUp + effort.most);
  const apart = warmUp && firstOf(warmUp(samples), effort.warmUp);
  ledger.enter([...drawn, ...(apart ?? [])]);
  const seconds = effort.seconds / ROUNDS;
  const warming = apart ?? drawn.slice(0, Math.min(effort.warmUp, Math.floor(drawn.length / 3)));
  const sent = await warm(asker, url, warming, effort.seconds);
  const ours = new Series(asker, url, apart ? drawn : drawn.slice(sent));
  await ours.measure(seconds);
  await using bare = await BareServer.start(Buffer.alloc(ours.bytes, "a"), "application/json; charset=utf-8");
  const bareRequests = requestsOfBare(effort);
  const theirs = new Series(asker, bare.url, bareRequests.slice(effort.warmUp));
  await warm(asker, bare.url, bareRequests.slice(0, effort.warmUp), effort.seconds);
  await theirs.measure(seconds);
  for (let round = 1; round < ROUNDS; round += 1) {
    await ours.measure(seconds);
    await theirs.measure(seconds);
  }
  return {
    name,
    requestsPerSecond: ours.requestsPerSecond,
    bare: theirs.requestsPerSecond,
    p50: percentile(ours.durations, 0.5),
    p99: percentile(ours.durations, 0.99),
    requests: ours.durations.length,
    bytes: ours.bytes,
  };
}

/** Times that a kind and the bare server are measured in turns. */
const ROUNDS = 4;

/** Sends requests that are not measured. @returns number of those sent, fewer than given if they take too long */
async function warm(asker: Asker, url: string, requests: readonly string[], seconds: number): Promise<number> {
  const { sent } = await asker.ask({ url, connections: CONNECTIONS, requests, warmUp: requests.length, seconds });
  return sent;
}

/** Requests to a server, measured in several parts. */
class Series {
  readonly durations: number[] = [];
  /** average bytes of a body in the last part */
  bytes = 0;
  private sent = 0;
  private seconds = 0;

  constructor(
    private readonly asker: Asker,
    private readonly url: string,
    private readonly requests: readonly string[],
  ) {}

  /** Sends the next requests. */
  async measure(seconds: number): Promise<void> {
    const { asker, url } = this;
    const requests = this.requests.slice(this.sent);
    if (requests.length === 0) return;
    const asked = await asker.ask({ url, connections: CONNECTIONS, requests, warmUp: 0, seconds });
    this.sent += asked.sent;
    this.seconds += asked.seconds;
    this.bytes = asked.bytes;
    for (const duration of asked.durations) this.durations.push(duration);
  }

  get requestsPerSecond(): number {
    return this.durations.length / this.seconds;
  }
}

/** Maximum number of requests per second to the bare server. */
const BARE_MOST = 60_000;

const requestsOfBare = ({ seconds, warmUp, most }: Effort): string[] =>
  Array.from({ length: warmUp + Math.min(most, Math.ceil(seconds * BARE_MOST)) }, (_, index) =>
    wire({ path: `/${index}` }),
  );

function firstOf<T>(items: Iterable<T>, most: number): T[] {
  const chosen: T[] = [];
  for (const item of items) {
    if (chosen.length === most) break;
    chosen.push(item);
  }
  return chosen;
}

/** Half of the time limit for filling the cache with the newest posts, in seconds. */
const FILLING = 60;

/** Reads the newest posts in pages of a hundred, then of fifty, to fill the cache. */
async function readNewest(url: string, { asker, samples }: Measuring): Promise<void> {
  const pages = (limit: number) =>
    Array.from({ length: Math.ceil(samples.newest / limit) }, (_, index) =>
      wire({ path: `/posts.json?limit=${limit}&page=b${samples.posts - index * limit + 1}` }),
    );
  const requests = [...pages(100), ...pages(50)];
  await asker.ask({ url, connections: 4, requests, warmUp: requests.length, seconds: FILLING });
}

function machine(): string {
  const [cpu] = os.cpus();
  const memory = (os.totalmem() / 2 ** 30).toFixed(0);
  return `${os.cpus().length} x ${cpu?.model.trim() ?? "?"}, ${memory} GiB, ${os.type()} ${os.release()}, Node ${process.versions.node}`;
}
