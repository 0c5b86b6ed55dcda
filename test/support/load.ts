/** Constant load: clients that read, edit, comment and upload without a pause, each on a connection of its own. */
import type pg from "pg";
import type { Client, Login } from "./client.js";
import { again, Ledger } from "./ledger.js";
import { SteadyClient } from "./steady-client.js";

/** What a client does again and again; edits and comments are of a post of its own. */
type Work = (ledger: Ledger, post: number) => Promise<unknown>;

const WORK: Work[] = [
  (ledger) => ledger.read(),
  (ledger) => ledger.read(),
  (ledger) => ledger.read(),
  (ledger, post) => ledger.edit(post),
  (ledger, post) => ledger.edit(post),
  (ledger, post) => ledger.comment(post),
  (ledger) => ledger.upload("during"),
];

let blocks = 0;
/** A ledger whose files and texts are those of no other. */
const newLedger = (client: Client): Ledger => Ledger.numbered(client, (blocks += 1) * 10_000);

export class Load {
  private readonly clients: SteadyClient[];
  private readonly ledgers: Ledger[];
  private readonly end = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  private constructor(
    url: string,
    login: Login,
    private readonly posts: number[],
  ) {
    this.clients = WORK.map(() => new SteadyClient(url, login));
    this.ledgers = this.clients.map(newLedger);
  }

  /** Starts, and settles when every client has received a response. @param writer somebody whose uploads need no approval */
  static async begin(writer: Client): Promise<Load> {
    const ledger = newLedger(writer);
    const posts: number[] = [];
    for (const _ of WORK) posts.push(await ledger.upload("edited"));
    const load = new Load(writer.url, writer.login as Login, posts);
    load.running = Promise.all(
      load.ledgers.map((each, index) => again(1, load.end.signal, () => load.turn(each, index))),
    );
    await load.round();
    return load;
  }

  private turn(ledger: Ledger, index: number): Promise<unknown> {
    return WORK[index]?.(ledger, this.posts[index] ?? 0) ?? Promise.resolve();
  }

  /** Number of responses of each client so far, of any status. */
  get answers(): number[] {
    return this.ledgers.map(({ statuses }) => Object.values(statuses).reduce((sum, count) => sum + count, 0));
  }

  /** Settles when every client has received this many further responses. */
  async round(times = 1): Promise<void> {
    const before = this.answers;
    while (this.answers.some((count, index) => count < (before[index] ?? 0) + times)) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** The errors so far, as texts. */
  get faults(): string[] {
    return this.clients.flatMap(({ faults }) => faults);
  }

  /** Connections that the clients have had, all together: one each, and one more for each that the server has ended. */
  get connections(): number {
    return this.clients.reduce((sum, { connections }) => sum + connections, 0);
  }

  /** Stops. @returns everything acknowledged with 200 that is not in the database */
  async stop(database: pg.Client): Promise<string[]> {
    this.end.abort();
    await this.running;
    for (const client of this.clients) client[Symbol.dispose]();
    const lost: string[] = [];
    for (const ledger of this.ledgers) lost.push(...(await ledger.lost(database)));
    return lost;
  }
}
